/**
 * A payments day in fast time: {@link dev.almanac.console.demo.Demo} directs, two {@code DemoNode} processes run the
 * jobs, one of them is killed, and a ledger outside the database tells whether all adds up.
 */
@NullMarked
package dev.almanac.console.demo;

import org.jspecify.annotations.NullMarked;
