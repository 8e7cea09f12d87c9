package dev.almanac.behaviour.house.planted.engine;

/** Stands for a class of the engine. */
public class PlantedEngine {}
