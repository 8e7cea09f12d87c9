package dev.almanac.faults;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.almanac.Scheduler;
import dev.almanac.runtime.TimeSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** A node of the soak: its connections go over a wire of its own, and its clock is set by lines on its input. */
public final class SoakNode {
    /** A stop lasts for up to twice as long. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private SoakNode() {}

    /** A clock whose wall time is off by what it was told last. */
    private static final class SetClock implements TimeSource {
        private volatile long offsetMillis;

        @Override
        public Instant wall() {
            return TimeSource.system().wall().plusMillis(offsetMillis);
        }

        @Override
        public long nanos() {
            return TimeSource.system().nanos();
        }

        @Override
        public ZoneId zone() {
            return TimeSource.system().zone();
        }
    }

    /** A client whose connections all go to that address, at the ports of the members. */
    static MongoClient client(String uri, String address) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .inetAddressResolver(host -> List.of(InetAddress.getByName(address)))
                .build());
    }

    /** @param arguments connection string, address of the wire, database, name, file of the ledger, offset of the clock */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        SetClock clock = new SetClock();
        clock.offsetMillis = Long.parseLong(arguments[5]);
        Evidence evidence = new Evidence(Path.of(arguments[4]));
        MongoClient client = client(arguments[0], arguments[1]);
        Scheduler scheduler = FaultNode.builder(client, arguments[2], arguments[3], evidence)
                .time(clock)
                .settings(FaultNode.settings(LEASE))
                .build();
        start(scheduler);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String order = orders.readLine();
        while (order != null) {
            clock.offsetMillis = Long.parseLong(order);
            order = orders.readLine();
        }
        scheduler.drain(Duration.ofSeconds(5));
        scheduler.close();
        System.exit(0);
    }

    /** As an operator does: a start that fails is repeated. */
    private static void start(Scheduler scheduler) {
        boolean started = false;
        while (!started) {
            try {
                scheduler.start();
                started = true;
            } catch (RuntimeException unreachable) {
                System.out.println("not started: " + unreachable.getMessage());
            }
        }
    }
}
