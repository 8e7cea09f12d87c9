package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.web.page.StaticFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A service that has mounted the console under a path of its own. */
final class MountedConsole implements AutoCloseable {
    static final String PATH = "/ops/almanac";

    private final Server server = new Server();
    private final HttpClient client = HttpClient.newHttpClient();
    private final String address;

    private MountedConsole(ConsoleServlet servlet) {
        HttpConfiguration http = new HttpConfiguration();
        // the limit is that of the console
        http.setRequestHeaderSize(32_768);
        ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http));
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(Browser.PATIENCE.toMillis());
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler("/ops");
        // as in a container that reads forms in Latin-1 unless the application sets the charset
        context.setDefaultRequestCharacterEncoding("ISO-8859-1");
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

    /**
     * Sends the head of a form under a name of the host, then its body and a second request in the same connection; returns the status lines of
     * the answers. Between the two parts another request is made and answered, so that the console had time to answer
     * the head alone. Unlike the client of the JDK this one can leave out the body, so that the answer to the head
     * meets no body that is still being sent.
     */
    List<String> sendRaw(String host, String path, List<String> headers, String body) {
        try (Socket socket = new Socket("127.0.0.1", URI.create(address).getPort())) {
            OutputStream out = socket.getOutputStream();
            out.write(head(host, "POST", path, headers));
            get(StaticFiles.PATH + "/console.css");
            if (!body.isEmpty()) {
                out.write(body.getBytes(StandardCharsets.US_ASCII));
                out.write(head(host(), "GET", StaticFiles.PATH + "/console.css", List.of("Connection: close")));
            }
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .lines()
                    .filter(line -> line.startsWith("HTTP/1.1 "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] head(String host, String method, String path, List<String> headers) {
        return (method + " " + PATH + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + String.join("\r\n", headers)
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * How often a request is answered so before 429. The client of the JDK repeats a GET whose connection has ended, and
     * the console counts that, so a test cannot demand an exact number.
     */
    static int servedBeforeTooMany(Supplier<HttpResponse<String>> request, int otherwise) {
        int served = 0;
        int status = request.get().statusCode();
        while (status != 429 && served < 1_000) {
            assertThat(status).isEqualTo(otherwise);
            served++;
            status = request.get().statusCode();
        }
        return served;
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
