package dev.almanac.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A service that has mounted the console under a path of its own. */
final class MountedConsole implements AutoCloseable {
    static final String PATH = "/ops/almanac";

    private final Server server = new Server();
    private final HttpClient client = HttpClient.newHttpClient();
    private final String address;

    private MountedConsole(ConsoleServlet servlet) {
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/ops");
        context.addServlet(new ServletHolder(servlet), "/almanac/*");
        server.setHandler(context);
        try {
            server.start();
        } catch (Exception e) {
            throw new IllegalStateException("the server of the test does not start", e);
        }
        this.address = "http://127.0.0.1:" + connector.getLocalPort();
    }

    static MountedConsole of(ConsoleServlet servlet) {
        return new MountedConsole(servlet);
    }

    /** Address of a path within the console. */
    String url(String path) {
        return address + PATH + path;
    }

    String host() {
        return address.substring("http://".length());
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).GET());
    }

    HttpResponse<String> post(String path, String form, String... headers) {
        return send(request(path, headers)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url(path)));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request;
    }

    /** The cookies that an answer has set, as a browser sends them back. */
    static String cookies(HttpResponse<?> response) {
        List<String> pairs = response.headers().allValues("Set-Cookie").stream()
                .map(cookie -> cookie.substring(0, cookie.indexOf(';')))
                .toList();
        return String.join("; ", pairs);
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the server of the test does not stop", e);
        }
    }
}
