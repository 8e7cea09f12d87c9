package dev.almanac.console;

import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.RawBsonDocument;

/**
 * A wire to a server that loses one reply: the server has carried out the command, and the connection breaks before its
 * reply. Requests and replies alternate on a connection, as the client of {@link #uri()} sees to. Thread-safe.
 */
final class CutWire implements AutoCloseable {
    /** A server that answers these is looked for no longer, so that a command is not kept waiting. */
    private static final Set<String> GREETINGS = Set.of("", "hello", "isMaster", "ismaster");

    private static final int OP_MSG = 2013;
    private static final int BODY = 16 + 4 + 1;

    private final ServerAddress server;
    private final ServerSocket door;
    private final String command;
    private final Runnable meanwhile;
    private final boolean staysAway;
    private volatile boolean met;

    private CutWire(String uri, String command, Runnable meanwhile, boolean staysAway) {
        this.command = command;
        this.meanwhile = meanwhile;
        this.staysAway = staysAway;
        try (MongoClient client = MongoClients.create(uri)) {
            this.server = new ServerAddress(client.getDatabase("admin")
                    .runCommand(new Document("hello", 1))
                    .getString("primary"));
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    /** The first reply to that command, such as {@code update jobSpecification}, is lost, and no further command is answered. */
    static CutWire forGood(String uri, String command) {
        return new CutWire(uri, command, () -> {}, true);
    }

    /** @param meanwhile happens before the first reply to the command is lost; what comes later is answered */
    static CutWire once(String uri, String command, Runnable meanwhile) {
        return new CutWire(uri, command, meanwhile, false);
    }

    String uri() {
        return "mongodb://127.0.0.1:" + door.getLocalPort()
                + "/?directConnection=true&serverMonitoringMode=poll&retryWrites=false&retryReads=false&heartbeatFrequencyMS=500&serverSelectionTimeoutMS=120000";
    }

    /** Whether the reply was lost. */
    boolean met() {
        return met;
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
            DataInputStream requests = new DataInputStream(client.getInputStream());
            DataInputStream replies = new DataInputStream(behind.getInputStream());
            while (true) {
                byte[] request = message(requests);
                String name = command(request);
                if (met && staysAway && !GREETINGS.contains(name)) {
                    return;
                }
                behind.getOutputStream().write(request);
                byte[] reply = message(replies);
                if (isMeant(name)) {
                    meanwhile.run();
                    return;
                }
                client.getOutputStream().write(reply);
            }
        } catch (IOException end) {
            // either side has gone, which the other side is told by the end of its connection
        }
    }

    private synchronized boolean isMeant(String name) {
        boolean meant = !met && name.equals(command);
        met |= meant;
        return meant;
    }

    private static byte[] message(DataInputStream from) throws IOException {
        byte[] length = new byte[4];
        from.readFully(length);
        byte[] bytes = new byte[view(length).getInt()];
        System.arraycopy(length, 0, bytes, 0, 4);
        from.readFully(bytes, 4, bytes.length - 4);
        return bytes;
    }

    /** Name of the command and, if it has one, of its collection; empty for the greeting of a connection. */
    private static String command(byte[] message) {
        if (view(message).getInt(12) != OP_MSG) {
            return "";
        }
        BsonDocument body = new RawBsonDocument(message, BODY, view(message).getInt(BODY));
        String name = body.getFirstKey();
        BsonValue of = body.get(name);
        return of instanceof BsonString collection ? name + " " + collection.getValue() : name;
    }

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
