package dev.almanac.examples.demo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.testkit.server.TemporaryFolder;
import dev.almanac.web.Standalone;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./almanac demo}: a program of its own, so that the command line needs neither a server nor the test kit. */
@Command(
        name = "almanac demo",
        mixinStandardHelpOptions = true,
        description = "Plays a payments day in fast time, kills a node in the middle, and counts whether all adds up.")
public final class Demo implements Callable<Integer> {
    private static final String DATABASE = "almanac_demo";
    private static final long DAY_MILLIS = 13_000;
    private static final long KILL_AT_MILLIS = 5_500;
    /** A busy machine is slow: it starts nodes late, and plays a longer day. */
    private static final long LONGEST_MILLIS = 120_000;

    private static final long LEAVING_SECONDS = 10;

    @Spec
    private CommandSpec spec;

    @Option(names = "--keep", description = "leave the server up afterwards and print its URI")
    private boolean keep;

    @Option(names = "--web", description = "open the console on the day: prints its address, and stays until Ctrl-C")
    private boolean web;

    @Option(names = "--stop", description = "end the servers that --keep has left up, and demos that are open")
    private boolean stop;

    @Option(names = "--for", hidden = true, description = "with --web: stay so many seconds, then end")
    private @Nullable Integer seconds;

    /** @param arguments as typed after {@code demo} */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Demo()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (stop) {
            DemoProcesses.ofProject().stop(out);
            return 0;
        }
        return play(out);
    }

    private int play(PrintWriter out) throws IOException, InterruptedException {
        DemoProcesses.ofProject().remember(ProcessHandle.current(), "a demo");
        DemoServer server = DemoServer.start(keep);
        out.println("Server: " + server.description());
        try (MongoClient client = MongoClients.create(server.uri())) {
            client.getDatabase(DATABASE).drop();
            boolean good = web ? watched(server, client, out) : day(server, client, out, false);
            if (keep) {
                kept(server, out);
            }
            return good ? 0 : 1;
        } finally {
            out.flush();
            if (!keep) {
                close(server);
            }
        }
    }

    /** Prints how to look at the data of the day, and how to end the server. */
    private static void kept(DemoServer server, PrintWriter out) {
        server.kept().ifPresent(process -> DemoProcesses.ofProject().remember(process, "the server of a demo"));
        String store = " --uri '" + server.shown() + "' --database " + DATABASE;
        out.println("The server is left up, with the database " + DATABASE + ", at:\n" + server.shown());
        out.println("Look:   ./almanac jobs list" + store);
        out.println("Browse: ./almanac web" + store);
        out.println("End it: ./almanac demo --stop");
    }

    /** The day with the console open on it. */
    private boolean watched(DemoServer server, MongoClient client, PrintWriter out)
            throws IOException, InterruptedException {
        try (Standalone console = DemoConsole.open(client, DATABASE)) {
            out.println("The console is at " + console.entrance());
            out.flush();
            return day(server, client, out, true);
        }
    }

    private void stay(PrintWriter out) throws InterruptedException {
        out.println("The console stays open, and node-2 goes on; Ctrl-C ends both.");
        out.flush();
        CountDownLatch end = new CountDownLatch(1);
        if (seconds == null) {
            end.await();
        } else {
            end.await(seconds, TimeUnit.SECONDS);
        }
    }

    private static void close(DemoServer server) {
        try {
            server.process().close();
        } catch (Exception e) {
            throw new IllegalStateException("the server cannot be stopped", e);
        }
    }

    /** @param open whether a console is open on it, which stays */
    private boolean day(DemoServer server, MongoClient client, PrintWriter out, boolean open)
            throws IOException, InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.create("almanac-demo").untilExit()) {
            DemoLedger ledger = new DemoLedger(Files.createFile(folder.path().resolve("ledger.tsv")));
            return day(server, client, out, ledger, open);
        }
    }

    private boolean day(DemoServer server, MongoClient client, PrintWriter out, DemoLedger ledger, boolean open)
            throws IOException, InterruptedException {
        Scheduler scheduler = scheduler(client);
        Instant dawn = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 5);
        DemoPlan plan = new DemoPlan(dawn);
        schedule(scheduler, plan, out);
        List<Process> nodes = nodes(server, client, ledger.file());
        DemoReport report = new DemoReport(out, dawn, ledger);
        try {
            report.say("two nodes start, each a process of its own: "
                    + nodes.get(0).pid() + " and " + nodes.get(1).pid());
            long killed = play(report, plan, nodes.get(0), dawn);
            DemoVerdict verdict = DemoVerdict.of(plan, ledger.lines(), "node-1", killed, scheduler);
            report.close(scheduler, server, DATABASE, verdict);
            if (open) {
                stay(out);
            }
            return verdict.addsUp();
        } finally {
            end(nodes);
            scheduler.close();
        }
    }

    private static Scheduler scheduler(MongoClient client) {
        return Scheduler.builder()
                .store(MongoJobStore.create(client, MongoStoreSettings.ofDatabase(DATABASE)))
                .settings(DemoSettings.settings())
                .command("payment", 1, Payment.class)
                .build();
    }

    /**
     * Two nodes; they leave in order also if this process is ended by a signal. The one to be killed comes first: on a
     * busy machine a node may start after the jobs are due, and the other one would have taken them all.
     */
    private static List<Process> nodes(DemoServer server, MongoClient client, Path ledger) throws IOException {
        List<Process> nodes = new CopyOnWriteArrayList<>();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(nodes)));
        nodes.add(node(server, "node-1", ledger));
        awaitStart(client, nodes.get(0));
        nodes.add(node(server, "node-2", ledger));
        return nodes;
    }

    private static void awaitStart(MongoClient client, Process node) {
        long end = System.currentTimeMillis() + LONGEST_MILLIS;
        while (client.getDatabase(DATABASE).getCollection("node").countDocuments() == 0) {
            if (System.currentTimeMillis() > end || !node.isAlive()) {
                end(List.of(node));
                throw new IllegalStateException("the first node of the demo did not start");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    /** Lets nodes leave in order, so that they are not reported as dead later. */
    static void end(List<Process> nodes) {
        for (Process node : nodes) {
            try {
                node.getOutputStream().close();
                node.waitFor(LEAVING_SECONDS, TimeUnit.SECONDS);
            } catch (IOException gone) {
                // it has ended already
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            node.destroyForcibly();
        }
    }

    private static void schedule(Scheduler scheduler, DemoPlan plan, PrintWriter out) {
        long start = System.nanoTime();
        for (JobSpecification job : plan.jobs()) {
            scheduler.scheduleJob(job);
        }
        scheduler.updateJob(plan.redated());
        out.println(plan.jobs().size() + " jobs are stored in " + (System.nanoTime() - start) / 1_000_000
                + " ms: " + DemoPlan.RELEASES + " releases at exact milliseconds, " + DemoPlan.SETTLEMENTS
                + " settlements of 3 s, " + DemoPlan.CUTOFFS.size() + " cut-offs by cron in Europe/Brussels,");
        out.println("one re-dated, one to be withdrawn, one that the bank refuses, one that mends, one overdue.");
        out.println("Withdrawn: " + scheduler.cancelJob("withdrawn"));
        out.flush();
    }

    private static long play(DemoReport report, DemoPlan plan, Process victim, Instant dawn) {
        long killed = 0;
        long begin = dawn.toEpochMilli();
        boolean over = false;
        while (!over) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            long now = System.currentTimeMillis();
            if (killed == 0 && now >= begin + KILL_AT_MILLIS && report.settles("node-1", now)) {
                victim.destroyForcibly();
                killed = System.currentTimeMillis();
                report.say("kill -9 of node-1, process " + victim.pid() + ", while it runs jobs");
            }
            report.printNews();
            boolean complete = killed > 0 && now > begin + DAY_MILLIS && report.isComplete(plan);
            over = complete || now > begin + LONGEST_MILLIS;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(700));
        report.printNews();
        return killed;
    }

    private static Process node(DemoServer server, String name, Path ledger) throws IOException {
        return process(server.uri(), DATABASE, name, ledger).start();
    }

    static ProcessBuilder process(String uri, String database, String name, Path ledger) {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        ProcessBuilder builder = new ProcessBuilder(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DemoNode.class.getName(),
                        database,
                        name,
                        ledger.toString())
                .redirectErrorStream(true)
                .redirectOutput(ledger.resolveSibling(name + ".log").toFile());
        builder.environment().put(DemoNode.URI, uri);
        return builder;
    }
}
