/**
 * What every store must do: inherit {@link dev.almanac.testkit.contract.JobStoreContract} in a test of yours. Needs JUnit
 * and AssertJ on the class path of the tests.
 */
@NullMarked
package dev.almanac.testkit.contract;

import org.jspecify.annotations.NullMarked;
