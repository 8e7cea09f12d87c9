package dev.almanac.faults;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.testkit.server.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/**
 * Three nodes and two clients as processes on a set of three members, under kills, stops, stepdowns, connections that
 * swallow, delay or break, clocks that are off and are set, open transactions, and users who change their minds. Then
 * calm, until every job is over; then it judges, and prints one line of figures. Started by {@code ./build soak MINUTES}.
 */
public final class Soak implements AutoCloseable {
    private static final int NODES = 3;
    private static final int CLIENTS = 2;
    private static final Duration CALM = Duration.ofMinutes(6);

    private final long seed = System.nanoTime();
    private final SplittableRandom random = new SplittableRandom(seed);
    private final CountDownLatch never = new CountDownLatch(1);
    private final TemporaryFolder folder =
            TemporaryFolder.create("almanac-soak").untilExit();
    private final Path answers = folder.path().resolve("answers.tsv");
    private final Evidence evidence = new Evidence(folder.path().resolve("evidence.tsv"));
    private final MongoServer server = MongoServer.replicaSet(3);
    private final String database = server.freshDatabase();
    private final List<SoakWire> wires = new ArrayList<>();
    private final Process[] processes = new Process[NODES + CLIENTS];
    private final int[] starts = new int[NODES + CLIENTS];
    private final Map<String, Integer> counts = new LinkedHashMap<>();

    private Soak() {}

    /** @param arguments for how many minutes */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Duration time = Duration.ofSeconds(Math.round(60 * Double.parseDouble(arguments[0])));
        boolean good;
        try (Soak soak = new Soak()) {
            good = soak.run(time);
        }
        System.exit(good ? 0 : 1);
    }

    private boolean run(Duration time) throws IOException, InterruptedException {
        List<Integer> ports = server.members().stream()
                .map(member -> Integer.parseInt(member.host().replaceAll(".*:", "")))
                .toList();
        for (int i = 0; i < processes.length; i++) {
            wires.add(new SoakWire(address(i), ports));
        }
        try (MongoClient client = MongoClients.create(server.uri());
                Scheduler scheduler = FaultNode.scheduler(client, database, "client", evidence)) {
            scheduler.findJobById("opens the store");
            for (int i = 0; i < processes.length; i++) {
                launch(i);
            }
            long end = System.nanoTime() + time.toNanos();
            while (System.nanoTime() < end) {
                pause(1_000 + random.nextInt(4_000));
                disturb(random.nextInt(NODES));
            }
            calm(client);
            scheduler.checkInvariants(Duration.ofSeconds(10));
            return judge(client, time);
        }
    }

    private static String address(int number) {
        return "127.0.1." + (number + 1);
    }

    private void launch(int number) throws IOException {
        String name = (number < NODES ? "node-" : "client-") + number + "-" + starts[number]++;
        boolean node = number < NODES;
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx200m",
                "-cp",
                System.getProperty("java.class.path"),
                node ? SoakNode.class.getName() : SoakClient.class.getName(),
                server.uri(),
                address(number),
                database,
                name,
                (node ? evidence.file() : answers).toString()));
        if (node) {
            command.add(String.valueOf(random.nextInt(-400, 400)));
        }
        processes[number] = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.path().resolve(name + ".log").toFile())
                .start();
    }

    private void disturb(int number) throws IOException, InterruptedException {
        switch (random.nextInt(9)) {
            case 0, 1 -> {
                count("kills");
                processes[number].destroyForcibly().waitFor();
                pause(random.nextInt(4_000));
                launch(number);
            }
            case 2, 3 -> {
                count("stops");
                signal(number, "STOP");
                pause(random.nextInt(12_000));
                signal(number, "CONT");
            }
            case 4 -> {
                count("stepdowns");
                server.stepDown();
            }
            case 5, 6 -> {
                count("swallowed");
                SoakWire wire = wires.get(random.nextInt(wires.size()));
                wire.state(SoakWire.State.SWALLOWED);
                pause(random.nextInt(15_000));
                wire.cut();
                wire.state(SoakWire.State.SOUND);
            }
            case 7 -> {
                count("slow");
                wires.get(random.nextInt(wires.size()))
                        .state(random.nextBoolean() ? SoakWire.State.SLOW : SoakWire.State.SOUND);
            }
            default -> {
                count("clocks set");
                long[] steps = {-86_400_000, -3_600_000, -2_000, 0, 0, 2_000, 3_600_000, 86_400_000};
                send(number, String.valueOf(steps[random.nextInt(steps.length)]));
            }
        }
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    private void send(int number, String order) throws IOException {
        processes[number].getOutputStream().write((order + "\n").getBytes(StandardCharsets.UTF_8));
        processes[number].getOutputStream().flush();
    }

    private void signal(int number, String signal) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + signal, String.valueOf(processes[number].pid()))
                .start()
                .waitFor();
    }

    private void pause(long millis) throws InterruptedException {
        never.await(millis, TimeUnit.MILLISECONDS);
    }

    /** Users are silent, every connection is sound, every clock right, until no job is left. */
    private void calm(MongoClient client) throws IOException, InterruptedException {
        for (int i = NODES; i < processes.length; i++) {
            processes[i].destroyForcibly().waitFor();
        }
        wires.forEach(wire -> wire.state(SoakWire.State.SOUND));
        for (int i = 0; i < NODES; i++) {
            send(i, "0");
        }
        Document live = new Document("activeKey", new Document("$exists", true));
        long end = System.nanoTime() + CALM.toNanos();
        while (System.nanoTime() < end
                && client.getDatabase(database)
                                .getCollection("jobSpecification")
                                .countDocuments(live)
                        > 0) {
            pause(500);
        }
    }

    private boolean judge(MongoClient client, Duration time) throws IOException {
        // the rows of those that were killed between a document and its row
        try (Scheduler doctor = FaultNode.scheduler(client, database, "doctor", evidence)) {
            doctor.checkInvariants(Duration.ofSeconds(5));
        }
        SoakJudge judge = new SoakJudge(client.getDatabase(database), evidence, answers);
        List<String> violations = judge.judge();
        violations.stream().limit(50).forEach(violation -> System.out.println("violation: " + violation));
        long runs = evidence.lines().stream()
                .filter(line -> line.event().equals("start"))
                .count();
        long requests = Files.exists(answers) ? Files.readAllLines(answers).size() : 0;
        System.out.println("soak: " + time + ", seed " + seed + ", requests " + requests + ", runs " + runs
                + ", started again " + judge.again() + ", " + counts + ", violations " + violations.size());
        return violations.isEmpty() && runs > 0;
    }

    @Override
    public void close() {
        for (Process process : processes) {
            if (process != null) {
                process.destroyForcibly();
            }
        }
        wires.forEach(SoakWire::close);
        server.close();
    }
}
