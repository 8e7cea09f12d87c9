/**
 * A payments day in fast time: {@link dev.almanac.examples.demo.Demo} directs, two {@code DemoNode} processes run the
 * jobs, one of them is killed, and a ledger outside the database tells whether all adds up.
 */
@NullMarked
package dev.almanac.examples.demo;

import org.jspecify.annotations.NullMarked;
