package dev.almanac.time;

/** The text of one field in upper case, and where it begins, counted from 1. */
record CronToken(String text, int column) {}
