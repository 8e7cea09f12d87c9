package dev.almanac.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What lies between one process and the members of the set: doors on an address of its own, at the members' ports. It
 * carries, delays, holds everything back, or breaks all connections. Thread-safe.
 */
final class SoakWire implements AutoCloseable {
    /** How bytes are carried. */
    enum State {
        SOUND,
        /** Each piece waits a little. */
        SLOW,
        /** Nothing arrives any more, in either direction, and nobody is told. */
        SWALLOWED
    }

    private final InetAddress address;
    private final List<ServerSocket> doors = new ArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile State state = State.SOUND;
    private volatile CountDownLatch changed = new CountDownLatch(1);

    /** @param address of the loopback network, such as 127.0.1.7 */
    SoakWire(String address, List<Integer> ports) {
        try {
            this.address = InetAddress.getByName(address);
            for (int port : ports) {
                ServerSocket door = new ServerSocket(port, 50, this.address);
                doors.add(door);
                daemon(() -> accept(door));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void state(State next) {
        state = next;
        CountDownLatch before = changed;
        changed = new CountDownLatch(1);
        before.countDown();
    }

    /** Breaks every connection that is open. */
    void cut() {
        open.forEach(SoakWire::close);
    }

    private void accept(ServerSocket door) {
        try {
            while (true) {
                Socket client = door.accept();
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), door.getLocalPort());
                open.add(client);
                open.add(behind);
                daemon(() -> carry(client, behind));
                daemon(() -> carry(behind, client));
            }
        } catch (IOException end) {
            if (!door.isClosed()) {
                daemon(() -> accept(door));
            }
        }
    }

    private void carry(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] piece = new byte[16_384];
            int length = in.read(piece);
            while (length >= 0) {
                await();
                out.write(piece, 0, length);
                length = in.read(piece);
            }
        } catch (IOException broken) {
            // the other side is told by the end of its connection
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(from);
            close(to);
            open.remove(from);
            open.remove(to);
        }
    }

    private void await() throws InterruptedException {
        CountDownLatch next = changed;
        if (state == State.SLOW) {
            next.await(100, TimeUnit.MILLISECONDS);
        }
        while (state == State.SWALLOWED) {
            changed.await(500, TimeUnit.MILLISECONDS);
        }
    }

    private static void daemon(Runnable run) {
        Thread thread = new Thread(run, "soak-wire");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException gone) {
            // it is what was wanted
        }
    }

    @Override
    public void close() {
        for (ServerSocket door : doors) {
            try {
                door.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        cut();
    }
}
