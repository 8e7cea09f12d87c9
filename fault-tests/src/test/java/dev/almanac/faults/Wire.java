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
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.bson.Document;

/**
 * A wire between a client and one server that injects one fault into one call: a fail point cannot break a connection after
 * the command was applied, and is shared by all who use the server. Requests and replies alternate on a connection, so
 * the client must not ask for streamed answers. Thread-safe.
 */
final class Wire implements AutoCloseable {
    private final ServerAddress server;
    private final ServerSocket door;
    private final Fault fault;
    private final Runnable meanwhile;
    private final Map<String, Integer> calls = new TreeMap<>();
    private final AtomicBoolean taken = new AtomicBoolean();
    private final AtomicBoolean met = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What happens to a call. */
    enum Kind {
        /** The connection breaks before the server has the command. */
        CUT_BEFORE,
        /** The server has applied the command; the connection breaks before its reply. */
        CUT_AFTER,
        /** The server has applied the command; the reply says that no majority has it. */
        NO_MAJORITY,
        /** The server refuses: it is not primary any more. */
        NOT_PRIMARY,
        /** The server has applied the command; the reply comes when a lease has ended. */
        LATE_REPLY,
        /** The connection breaks, and the server gets the command when a lease has ended. */
        LATE_REQUEST
    }

    /**
     * Which call of a command, such as {@code update jobSpecification}, meets which fault: the first from {@code call} on,
     * counted from 0, whose reply tells of something, if it is the reply that is lost.
     */
    record Fault(String command, int call, Kind kind) {
        private boolean isBefore() {
            return kind == Kind.CUT_BEFORE || kind == Kind.NOT_PRIMARY;
        }
    }

    Wire(String server, Fault fault) {
        this(server, fault, () -> {});
    }

    /** @param meanwhile happens after the server has applied the command, and before its reply is lost */
    Wire(String server, Fault fault, Runnable meanwhile) {
        this.server = new ServerAddress(server);
        this.fault = fault;
        this.meanwhile = meanwhile;
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
                + "/?directConnection=true&serverMonitoringMode=poll&serverSelectionTimeoutMS=120000";
    }

    /** The commands that have passed. */
    Set<String> commands() {
        synchronized (calls) {
            return Set.copyOf(calls.keySet());
        }
    }

    /** How often a command has come. */
    int calls(String command) {
        synchronized (calls) {
            return calls.getOrDefault(command, 0);
        }
    }

    /** Whether the fault was met, to its end: what is to come late has come. */
    boolean met() {
        return met.get();
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
        boolean meant = isMeant(request.command());
        if (meant && fault.kind() == Kind.LATE_REQUEST) {
            daemon(() -> sendLate(request));
            return false;
        }
        if (meant && fault.isBefore()) {
            met.set(true);
            if (fault.kind() == Kind.NOT_PRIMARY) {
                back.write(request.answer(refusal(request.body())).bytes());
            }
            return fault.kind() == Kind.NOT_PRIMARY;
        }
        to.write(request.bytes());
        Message reply = Message.read(replies);
        if (meant && !hasEffect(reply.body())) {
            taken.set(false);
        } else if (meant) {
            return disturbed(request, reply, back);
        }
        back.write(reply.bytes());
        return true;
    }

    /** On a connection of its own; its client has gone. */
    private void sendLate(Message request) {
        if (!held()) {
            return;
        }
        try (Socket behind = new Socket(server.getHost(), server.getPort())) {
            behind.getOutputStream().write(request.bytes());
            Message.read(new DataInputStream(behind.getInputStream()));
            met.set(true);
        } catch (IOException end) {
            // the server has gone; the fault was not met
        }
    }

    private boolean disturbed(Message request, Message reply, OutputStream back) throws IOException {
        meanwhile.run();
        boolean done = fault.kind() != Kind.LATE_REPLY || held();
        met.set(done);
        if (!done || fault.kind() == Kind.CUT_AFTER) {
            return false;
        }
        Message answer = fault.kind() == Kind.NO_MAJORITY ? request.answer(doubt(reply.body())) : reply;
        back.write(answer.bytes());
        return true;
    }

    private boolean isMeant(String command) {
        int call;
        synchronized (calls) {
            call = calls.merge(command, 1, Integer::sum) - 1;
        }
        return command.equals(fault.command()) && call >= fault.call() && taken.compareAndSet(false, true);
    }

    /** Whether the command did something, so that a lost reply is a loss: a write that met no document is none. */
    private static boolean hasEffect(BsonDocument reply) {
        boolean none = reply.containsKey("n") && reply.getNumber("n").intValue() == 0
                || reply.containsKey("value") && reply.isNull("value");
        return reply.getNumber("ok").intValue() == 1 && !none;
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
