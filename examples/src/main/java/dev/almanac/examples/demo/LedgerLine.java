package dev.almanac.examples.demo;

/**
 * One line of the ledger that the helpers write, outside the database.
 *
 * @param event {@code start} or {@code end}
 * @param node which node
 * @param job key of the job
 * @param fire planned instant, in epoch milliseconds
 * @param at when, in epoch milliseconds
 * @param attempt from 1
 * @param fencing fencing number
 * @param late whether {@code lateExecute} was called
 */
record LedgerLine(String event, String node, String job, long fire, long at, int attempt, long fencing, boolean late) {
    String text() {
        return String.join(
                        "\t",
                        event,
                        node,
                        job,
                        String.valueOf(fire),
                        String.valueOf(at),
                        String.valueOf(attempt),
                        String.valueOf(fencing),
                        String.valueOf(late))
                + "\n";
    }

    static LedgerLine parse(String line) {
        String[] f = line.split("\t");
        return new LedgerLine(
                f[0],
                f[1],
                f[2],
                Long.parseLong(f[3]),
                Long.parseLong(f[4]),
                Integer.parseInt(f[5]),
                Long.parseLong(f[6]),
                Boolean.parseBoolean(f[7]));
    }

    /** What is to happen once: one attempt of one fire. */
    String run() {
        return job + " " + fire + " " + attempt;
    }
}
