package dev.almanac.web.page;

import dev.almanac.web.guard.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The console's own files: style, script, htmx. They contain no data, so every request gets them. */
public final class StaticFiles {
    private static final int NOT_FOUND = 404;
    private static final String HTMX = "/META-INF/resources/webjars/htmx.org/" + version() + "/dist/htmx.min.js";
    private static final Map<String, File> FILES = Map.of(
            "console.css", new File("text/css", "/dev/almanac/web/console.css"),
            "console.js", new File("text/javascript", "/dev/almanac/web/console.js"),
            "icon.svg", new File("image/svg+xml", "/dev/almanac/web/icon.svg"),
            "htmx.js", new File("text/javascript", HTMX));

    /** Where the files are; changes with their contents, since browsers keep them. */
    public static final String PATH = "/static/" + digest();

    private record File(String type, String resource) {
        byte[] read() {
            try (InputStream in = StaticFiles.class.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IllegalStateException(resource + " is not on the class path");
                }
                return in.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private StaticFiles() {}

    private static String digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new TreeMap<>(FILES).values().forEach(file -> digest.update(file.read()));
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String version() {
        String pom = "/META-INF/maven/org.webjars.npm/htmx.org/pom.properties";
        try (InputStream in = StaticFiles.class.getResourceAsStream(pom)) {
            if (in == null) {
                throw new IllegalStateException("htmx is not on the class path");
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a path within the console is that of a file. */
    public static boolean isFile(String path) {
        return path.startsWith("/static/");
    }

    /** Sends a file; the browser keeps it. */
    public static void send(String path, HttpServletRequest request, HttpServletResponse response) throws IOException {
        File file = FILES.get(path.substring(path.lastIndexOf('/') + 1));
        if (file == null || !path.startsWith(PATH + "/")) {
            throw new Refusal(NOT_FOUND, "There is no such file.");
        }
        response.setHeader("Cache-Control", "public, max-age=86400, immutable");
        response.setContentType(file.type() + ";charset=utf-8");
        byte[] bytes = file.read();
        response.setContentLength(bytes.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(bytes);
        }
    }
}
