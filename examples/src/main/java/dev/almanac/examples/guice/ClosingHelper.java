package dev.almanac.examples.guice;

import com.google.inject.Inject;
import dev.almanac.helper.Execution;
import dev.almanac.helper.TypedHelper;

/** Closes forgotten orders. */
// snippet: typed-helper
final class ClosingHelper implements TypedHelper.Call<CloseForgotten> {
    private final Orders orders;

    @Inject
    ClosingHelper(Orders orders) {
        this.orders = orders;
    }

    @Override
    public void run(CloseForgotten command, Execution run) {
        orders.write("closed what is older than " + command.afterDays() + " days");
    }
}
// end
