/**
 * A day of payments in fast time: {@link dev.almanac.examples.demo.Demo} is the main program, two {@code DemoNode}
 * processes run the jobs, one of them is killed, and a ledger outside the database shows whether each payment was made
 * once.
 */
@NullMarked
package dev.almanac.examples.demo;

import org.jspecify.annotations.NullMarked;
