package dev.almanac.bench;

import dev.almanac.testkit.server.MongoServer;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** {@code bench WORKLOAD [name=value ...]}; prints one JSON line. */
public final class Bench {
    private static final String USAGE = """
            bench WORKLOAD [name=value ...], each with tuned=1 on a server that is set as docs/operations.md advises
              raw          the limits of the server without a scheduler, and J_max          n=20000 batch=500 flight=4
              drain        due one-off no-op jobs, until the store holds none as open       n=20000 nodes=1 slots=2000 warmup=60000 history=ALL raw=1
              watched      drains in pairs, one with metrics and a listener, a line each    n=20000 pairs=3 slots=2000
              lateness     open loop, each job due 5 s after it was scheduled               rate=500 seconds=30
              recurring    jobs that fire every 5 s                                         n=2000 seconds=30
              backlog      drain and lateness beside jobs of the far future                 backlog=1000000
              group        lateness beside due jobs of a group with five slots and a rate   waiting=100000 rate=200
              schedule     schedule calls, 1 and 8 threads                                  seconds=5
              bulk         scheduleJobs in pairs with insertMany of the same documents       n=10000 pairs=8
              nodes        node processes: what a job costs all of them, and how late one is nodes=4 n=40000 warmup=5000 rate=200
              crash        kill -9 of a process with running jobs, until they run again     n=50 lease=20000 skew=1750
              election     kill -9 of the primary of three beside running jobs, and what runs again n=50 lease=20000 skew=1750
              console      pages of the console over jobs of all kinds, and twenty open ones    n=1000000 requests=100
              ahead        the account of all fires of a day, and the forecast              n=1000000 days=180
              again        retries 50 ms apart, fires caught up, a second runNow                n=200 rounds=100
              load         what ordinary users may ask too much of; see LoadBench            kind=million seconds=60
              idle         operations per second of an idle node                            seconds=20
            """;

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            System.out.print(USAGE);
            return;
        }
        if (arguments[0].equals("hold")) {
            CrashBench.hold(arguments);
            return;
        }
        Options options = Options.parse(arguments);
        int members = arguments[0].equals("election") ? 3 : 1;
        try (MongoServer server = MongoServer.replicaSet(members, Map.of("enableTestCommands", "1"), 2_000)) {
            BenchNodes nodes = new BenchNodes(server.uri() + "&retryWrites=false");
            nodes.prepare(options.number("tuned", 0) == 1);
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("workload", arguments[0]);
            line.putAll(options.given());
            run(options, server, nodes, line);
            System.out.println(JsonMapper.builder().build().writeValueAsString(line));
            System.out.flush();
        }
        System.exit(0);
    }

    private static void run(Options options, MongoServer server, BenchNodes nodes, Map<String, Object> line)
            throws Exception {
        String workload = String.valueOf(line.get("workload"));
        if (workload.equals("election")) {
            ElectionBench.measure(options, server, nodes, line);
        } else {
            run(workload, options, nodes, line);
        }
    }

    private static void run(String workload, Options options, BenchNodes nodes, Map<String, Object> line)
            throws Exception {
        switch (workload) {
            case "raw" -> RawLimits.measure(options, nodes, line);
            case "drain" -> DrainBench.measure(options, nodes, line);
            case "watched" -> WatchedBench.measure(options, nodes, line);
            case "lateness" -> LatenessBench.measure(options, nodes, line);
            case "recurring" -> RecurringBench.measure(options, nodes, line);
            case "backlog" -> BacklogBench.measure(options, nodes, line);
            case "group" -> GroupBench.measure(options, nodes, line);
            case "schedule" -> ScheduleBench.measure(options, nodes, line);
            case "bulk" -> BulkBench.measure(options, nodes, line);
            case "nodes" -> NodesBench.measure(options, nodes, line);
            case "crash" -> CrashBench.measure(options, nodes, line);
            case "console" -> ConsoleBench.measure(options, nodes, line);
            case "ahead" -> AheadBench.measure(options, nodes, line);
            case "again" -> AgainBench.measure(options, nodes, line);
            case "load" -> LoadBench.measure(options, nodes, line);
            case "idle" -> IdleBench.measure(options, nodes, line);
            default -> throw new IllegalArgumentException("unknown workload " + workload + "\n" + USAGE);
        }
    }
}
