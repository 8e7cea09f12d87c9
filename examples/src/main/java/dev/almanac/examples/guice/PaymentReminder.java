package dev.almanac.examples.guice;

import dev.almanac.model.SchedulingCommand;

/** Reminds a customer of an order that is not paid. */
record PaymentReminder(String customer, String order) implements SchedulingCommand {}
