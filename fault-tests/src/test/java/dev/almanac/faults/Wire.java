package dev.almanac.faults;

import com.mongodb.ServerAddress;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.Document;

/**
 * A wire between a client and one server that does one harm to one call: a fail point cannot break a connection after
 * the command was applied, and is shared by all who use the server. Requests and replies alternate on a connection, so
 * the client must not ask for streamed answers. Thread-safe.
 */
final class Wire implements AutoCloseable {
    private final ServerAddress server;
    private final ServerSocket door;
    private final Fault fault;
    private final Map<String, Integer> calls = new TreeMap<>();
    private final AtomicInteger harmed = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What happens to a call. */
    enum Harm {
        /** The connection breaks before the server has the command. */
        CUT_BEFORE,
        /** The server has applied the command; the connection breaks before its reply. */
        CUT_AFTER,
        /** The server has applied the command; the reply says that no majority has it. */
        NO_MAJORITY,
        /** The server refuses: it is not primary any more. */
        NOT_PRIMARY,
        /** The server has applied the command; the reply comes when a lease has ended. */
        LATE_REPLY
    }

    /** Which call of a command, such as {@code update jobSpecification}, counted from 0, meets which harm. */
    record Fault(String command, int call, Harm harm) {}

    Wire(String server, Fault fault) {
        this.server = new ServerAddress(server);
        this.fault = fault;
        try {
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    /** Where a client connects to. */
    String uri() {
        return "mongodb://127.0.0.1:" + door.getLocalPort()
                + "/?directConnection=true&serverMonitoringMode=poll&serverSelectionTimeoutMS=5000";
    }

    /** The commands that have passed. */
    synchronized Set<String> commands() {
        return Set.copyOf(calls.keySet());
    }

    /** Whether the harm was done. */
    boolean harmed() {
        return harmed.get() > 0;
    }

    private static void daemon(Runnable run) {
        Thread thread = new Thread(run, "wire");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                daemon(() -> carry(client));
            }
        } catch (IOException end) {
            // the door is closed
        }
    }

    private void carry(Socket client) {
        try (client;
                Socket behind = new Socket(server.getHost(), server.getPort())) {
            client.setTcpNoDelay(true);
            behind.setTcpNoDelay(true);
            DataInputStream requests = new DataInputStream(client.getInputStream());
            DataInputStream replies = new DataInputStream(behind.getInputStream());
            while (exchange(requests, behind.getOutputStream(), replies, client.getOutputStream())) {
                // one exchange after the other
            }
        } catch (IOException end) {
            // either side has gone, which the other side is told by the end of its connection
        }
    }

    private boolean exchange(DataInputStream requests, OutputStream to, DataInputStream replies, OutputStream back)
            throws IOException {
        Message request = Message.read(requests);
        Harm harm = harmOf(request.command());
        if (harm == Harm.CUT_BEFORE) {
            return false;
        }
        if (harm == Harm.NOT_PRIMARY) {
            back.write(request.answer(refusal(request.body())).bytes());
            return true;
        }
        to.write(request.bytes());
        Message reply = Message.read(replies);
        if (harm == Harm.CUT_AFTER || harm == Harm.LATE_REPLY && !held()) {
            return false;
        }
        back.write(
                harm == Harm.NO_MAJORITY ? request.answer(doubt(reply.body())).bytes() : reply.bytes());
        return true;
    }

    private synchronized Harm harmOf(String command) {
        int call = calls.merge(command, 1, Integer::sum) - 1;
        boolean meant = command.equals(fault.command()) && call == fault.call();
        if (meant) {
            harmed.incrementAndGet();
        }
        return meant ? fault.harm() : null;
    }

    /** Holds the reply back until the lease of the fault tests is over; false if the wire is closed before. */
    private boolean held() {
        try {
            return !closed.await(FaultNode.settings().leaseLength().toMillis() + 500, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Document refusal(BsonDocument request) {
        Document refusal = new Document("ok", 0.0)
                .append("errmsg", "not primary")
                .append("code", 10_107)
                .append("codeName", "NotWritablePrimary");
        return request.containsKey("txnNumber")
                ? refusal.append("errorLabels", List.of("RetryableWriteError"))
                : refusal;
    }

    private static Document doubt(BsonDocument reply) {
        return Document.parse(reply.toJson())
                .append(
                        "writeConcernError",
                        new Document("code", 64)
                                .append("codeName", "WriteConcernFailed")
                                .append("errmsg", "waiting for replication timed out"));
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
