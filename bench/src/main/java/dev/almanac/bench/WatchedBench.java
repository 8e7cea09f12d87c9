package dev.almanac.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * What metrics and a listener cost: drains in pairs, one of each pair watched, in turn the first and the second. Each
 * drain has a line of its own; the last line has the ratios, watched by plain, of the whole and of the middle pair.
 */
final class WatchedBench {
    private WatchedBench() {}

    static void measure(Options options, BenchNodes nodes, Map<String, Object> line) {
        int n = options.number("n", 20_000);
        int pairs = options.number("pairs", 3);
        int slots = options.number("slots", 2_000);
        BenchNodes watched = nodes.watched();
        DrainBench.drain(nodes, n, 1, slots, true);
        DrainBench.drain(watched, n, 1, slots, true);
        double[] ratios = new double[pairs];
        Sums plainly = new Sums();
        Sums watchedly = new Sums();
        for (int pair = 0; pair < pairs; pair++) {
            boolean plainFirst = pair % 2 == 0;
            double first = one(plainFirst ? nodes : watched, !plainFirst, n, slots, plainFirst ? plainly : watchedly);
            double second = one(plainFirst ? watched : nodes, plainFirst, n, slots, plainFirst ? watchedly : plainly);
            ratios[pair] = plainFirst ? second / first : first / second;
        }
        Arrays.sort(ratios);
        line.put("rate_ratio", thousandths(plainly.seconds / watchedly.seconds));
        line.put("rate_ratio_middle", thousandths(ratios[pairs / 2]));
        line.put("client_cpu_ratio", thousandths(watchedly.micros / plainly.micros));
    }

    private static double one(BenchNodes nodes, boolean watched, int n, int slots, Sums sums) {
        System.gc();
        Watch.forget();
        DrainBench.Result result = DrainBench.drain(nodes, n, 1, slots, true);
        sums.seconds += n / result.rate();
        sums.micros += result.ownMicros();
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("watched", watched);
        line.put("n", n);
        line.put("jobs_per_s", Options.round(result.rate()));
        line.put("client_us_per_job", Options.round(result.ownMicros() / (double) n));
        line.put("events", Watch.events());
        line.put("listening_us_per_job", Math.round(Watch.nanos() / 10.0 / n) / 100.0);
        System.out.println(JsonMapper.builder().build().writeValueAsString(line));
        return result.rate();
    }

    private static double thousandths(double ratio) {
        return Math.round(ratio * 1_000) / 1_000.0;
    }

    /** Time that the drains of one kind took, and processor time that this process used for them. */
    private static final class Sums {
        private double seconds;
        private double micros;
    }
}
