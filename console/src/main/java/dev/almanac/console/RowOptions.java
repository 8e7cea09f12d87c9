package dev.almanac.console;

import picocli.CommandLine.Option;

/** As {@link ZoneOption}, with the number of rows that a command shows at most. */
final class RowOptions extends ZoneOption {
    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "how many at most, 1 to 1000 (default: ${DEFAULT-VALUE})")
    private int limit;

    /** @throws InvalidInputException unless the number is within its bounds; {@code also} stands behind the message */
    void check(String also) {
        Times.within("--limit", limit, also);
    }

    int limit() {
        return limit;
    }
}
