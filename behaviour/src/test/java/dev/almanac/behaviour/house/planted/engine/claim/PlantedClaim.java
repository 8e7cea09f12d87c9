package dev.almanac.behaviour.house.planted.engine.claim;

/** Stands for a class of the engine's claims. */
public class PlantedClaim {}
