package dev.almanac.web.page;

import dev.almanac.web.guard.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** The console's own files: style, script, htmx. They contain no data, so every request gets them. */
public final class StaticFiles {
    private static final int NOT_FOUND = 404;
    private static final String HTMX = "/META-INF/resources/webjars/htmx.org/" + version() + "/dist/htmx.min.js";
    private static final Map<String, File> FILES = Map.of(
            "console.css", new File("text/css", "/dev/almanac/web/console.css"),
            "console.js", new File("text/javascript", "/dev/almanac/web/console.js"),
            "icon.svg", new File("image/svg+xml", "/dev/almanac/web/icon.svg"),
            "htmx.js", new File("text/javascript", HTMX));

    private record File(String type, String resource) {}

    private StaticFiles() {}

    private static String version() {
        String pom = "/META-INF/maven/org.webjars.npm/htmx.org/pom.properties";
        try (InputStream in = StaticFiles.class.getResourceAsStream(pom)) {
            if (in == null) {
                throw new IllegalStateException("htmx is not on the class path");
            }
            java.util.Properties properties = new java.util.Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Whether a path within the console is that of a file. */
    public static boolean isFile(String path) {
        return path.startsWith("/static/");
    }

    /** Sends a file; the browser keeps it, since a release has its own path. */
    public static void send(String path, HttpServletRequest request, HttpServletResponse response) throws IOException {
        File file = FILES.get(path.substring(path.lastIndexOf('/') + 1));
        if (file == null || !path.startsWith(Frame.STATIC + "/")) {
            throw new Refusal(NOT_FOUND, "There is no such file.");
        }
        response.setHeader("Cache-Control", "public, max-age=86400, immutable");
        response.setContentType(file.type() + ";charset=utf-8");
        try (InputStream in = StaticFiles.class.getResourceAsStream(file.resource())) {
            if (in == null) {
                throw new Refusal(NOT_FOUND, "There is no such file.");
            }
            byte[] bytes = in.readAllBytes();
            response.setContentLength(bytes.length);
            if (!request.getMethod().equals("HEAD")) {
                response.getOutputStream().write(bytes);
            }
        }
    }
}
