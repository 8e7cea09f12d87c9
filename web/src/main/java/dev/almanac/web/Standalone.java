package dev.almanac.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The console in a server of its own, for a console that is not mounted in a service. Needs Jetty on the class path
 * ({@code jetty-ee10-servlet}), which a mounted console does not. Speaks plain HTTP: beyond this machine it belongs
 * behind a proxy that speaks TLS. Thread-safe.
 */
public final class Standalone implements AutoCloseable {
    /** The loopback address. */
    public static final String LOOPBACK = "127.0.0.1";

    /** Eight for each of several sessions, and a few for those who are not identified. */
    private static final int THREADS = 64;

    private static final int IDLE_MILLIS = 10_000;
    /** Bytes per second of a request's body and of an answer; slower connections are ended. */
    private static final int SLOWEST = 500;

    private static final int HEADER_BYTES = 32_768;
    private static final int LARGEST_PORT = 65_535;

    private final Server server;
    private final TokenAccess tokens;
    private final String address;

    private Standalone(Server server, TokenAccess tokens, String address) {
        this.server = server;
        this.tokens = tokens;
        this.address = address;
    }

    /**
     * Starts the server.
     *
     * @param console what it shows; its access becomes the token
     * @param bind address to listen at; {@link #LOOPBACK} unless other machines need access
     * @param port 0 = any that is free, to 65 535
     * @throws IllegalArgumentException if there is no such port; or if other machines have access and the token is one-time:
     *     it is printed on this machine only
     * @throws IOException if it cannot listen there
     */
    public static Standalone start(ConsoleBuilder console, TokenAccess tokens, String bind, int port)
            throws IOException {
        if (port < 0 || port > LARGEST_PORT) {
            throw new IllegalArgumentException(
                    "there is no port " + port + ": 0 to " + LARGEST_PORT + ", 0 = any that is free");
        }
        if (!isLoopback(bind) && tokens.isOneTime()) {
            throw new IllegalArgumentException("a console that others can reach needs a token that they have: give"
                    + " it a file, --access-token-file");
        }
        QueuedThreadPool threads = new QueuedThreadPool(THREADS);
        threads.setName("almanac-console");
        threads.setDaemon(true);
        Server server = new Server(threads);
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost(bind);
        connector.setPort(port);
        connector.setIdleTimeout(IDLE_MILLIS);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/");
        context.addServlet(new ServletHolder(console.access(tokens).build()), "/*");
        server.setHandler(new MinimumDataRateHandler(context, SLOWEST, SLOWEST));
        begin(server);
        return new Standalone(server, tokens, "http://" + shown(bind) + ":" + connector.getLocalPort() + "/");
    }

    private static boolean isLoopback(String bind) {
        try {
            return InetAddress.getByName(bind).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    private static String shown(String bind) {
        return bind.contains(":") ? "[" + bind + "]" : bind;
    }

    private static void begin(Server server) throws IOException {
        try {
            server.start();
        } catch (IOException e) {
            end(server);
            throw e;
        } catch (Exception e) {
            end(server);
            throw new IllegalStateException("the server of the console does not start", e);
        }
    }

    private static void end(Server server) {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server of the console does not stop", e);
        }
    }

    /** The address, without a token. */
    public String address() {
        return address;
    }

    /** The address to open: with the token, while one for a single entry has not been used. */
    public String entrance() {
        return tokens.isOneTime()
                ? tokens.token().map(token -> address + "?token=" + token).orElse(address)
                : address;
    }

    @Override
    public void close() {
        end(server);
    }
}
