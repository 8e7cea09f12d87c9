package dev.almanac.model;

/**
 * What a job does, as data: the service defines one type per kind of work, registers it under a stable name with
 * a version, and its helper acts on it. Records are the natural choice. Class names never enter the database.
 */
public interface SchedulingCommand {}
