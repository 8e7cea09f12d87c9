/**
 * The contract of every store: extend {@link dev.almanac.testkit.contract.JobStoreContract} in a test. Needs JUnit and
 * AssertJ on the class path of the tests.
 */
@NullMarked
package dev.almanac.testkit.contract;

import org.jspecify.annotations.NullMarked;
