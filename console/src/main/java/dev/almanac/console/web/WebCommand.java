package dev.almanac.console.web;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.CommandFailedException;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.Times;
import dev.almanac.web.Applications;
import dev.almanac.web.ConsoleBuilder;
import dev.almanac.web.ConsoleServlet;
import dev.almanac.web.Standalone;
import dev.almanac.web.TokenAccess;
import dev.almanac.web.Viewer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code almanac web}. */
@Command(
        name = "web",
        mixinStandardHelpOptions = true,
        description = {
            "Serves the console for a browser: what runs, what does not run and why, what runs next. Ctrl-C ends it.",
            "It prints an address with a token that is good for one browser, and listens on this machine only."
        })
public final class WebCommand extends StoreCommand {
    private static final long LARGEST_TOKEN_FILE = 4_096;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "0", description = "0 = any that is free (default)")
    private int port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            defaultValue = Standalone.LOOPBACK,
            description = "where to listen (default: ${DEFAULT-VALUE}); another one needs --access-token-file")
    private String bind = Standalone.LOOPBACK;

    @Option(
            names = "--access-token-file",
            paramLabel = "FILE",
            description = "a token of at least 20 characters that can be used many times")
    private @Nullable Path tokenFile;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "a name under which browsers reach it; may be repeated")
    private List<String> hosts = List.of();

    @Option(
            names = "--trusted-proxy",
            paramLabel = "ADDRESS",
            description = "a proxy, or a network such as 10.0.0.0/8, whose headers Forwarded or X-Forwarded-For and"
                    + " X-Forwarded-Proto are believed; may be repeated")
    private List<String> proxies = List.of();

    @Option(
            names = "--idle",
            paramLabel = "TIME",
            defaultValue = "1h",
            description = "a session ends after this time without a request of its user (default: ${DEFAULT-VALUE})")
    private String idle = "1h";

    @Option(
            names = "--session",
            paramLabel = "TIME",
            defaultValue = "12h",
            description = "a session ends after this time at the latest (default: ${DEFAULT-VALUE})")
    private String longest = "12h";

    @Option(names = "--allow-changes", description = "users of the console may also pause, cancel and run jobs")
    private boolean changes;

    @Option(
            names = "--author",
            paramLabel = "NAME",
            defaultValue = "${sys:user.name}",
            description = "the author of changes (default: ${DEFAULT-VALUE})")
    private String author = "console";

    @Option(names = "--hide-payloads", description = "show no commands")
    private boolean hidePayloads;

    @Option(names = "--title", paramLabel = "TEXT", defaultValue = "Almanac", description = "the title of the pages")
    private String title = "Almanac";

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "UTC",
            description = "zone of the times shown until a browser chooses another (default: ${DEFAULT-VALUE})")
    private String zone = "UTC";

    @Option(names = "--for", paramLabel = "TIME", description = "stop after this time, such as 10m")
    private @Nullable String lasting;

    /** Made by the command line. */
    public WebCommand() {}

    @Override
    protected void check() {
        Times.zone(zone);
        Times.duration(idle);
        Times.duration(longest);
        if (lasting != null) {
            Times.duration(lasting);
        }
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Viewer viewer = new Viewer(
                author,
                Applications.ALL,
                Applications.ALL,
                Applications.ALL,
                changes ? Applications.ALL : Applications.NONE);
        try (Standalone console = Standalone.start(
                console(access), tokens(viewer).expiring(Times.duration(idle), Times.duration(longest)), bind, port)) {
            if (out.isJson()) {
                Map<String, Object> answer = new LinkedHashMap<>();
                answer.put("address", console.address());
                answer.put("open", console.entrance());
                out.json(answer);
            } else {
                out.line("The console" + (changes ? ", which may change jobs," : "") + " is at " + console.entrance());
                out.line(tokenFile == null ? "The token is good for one browser. Ctrl-C ends it." : "Ctrl-C ends it.");
            }
            out.out().flush();
            await();
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CommandFailedException(
                    "the console cannot listen at " + bind + ", port " + port + ": " + e.getMessage(), e);
        }
        return 0;
    }

    private ConsoleBuilder console(StoreAccess access) {
        ConsoleBuilder console = ConsoleServlet.builder()
                .store(access.store())
                .calendarReader(definition -> CalendarDefinition.of(definition).calendar())
                .title(title)
                .zone(Times.zone(zone))
                .allowChanges(changes);
        hosts.forEach(console::host);
        proxies.forEach(console::trustedProxy);
        return hidePayloads ? console.hidePayloads() : console;
    }

    private TokenAccess tokens(Viewer viewer) throws IOException {
        if (tokenFile == null) {
            return TokenAccess.oneTime(viewer);
        }
        if (!Files.isReadable(tokenFile) || Files.size(tokenFile) > LARGEST_TOKEN_FILE) {
            throw new InvalidInputException("--access-token-file " + tokenFile + " cannot be read, or is larger than "
                    + LARGEST_TOKEN_FILE + " bytes");
        }
        return TokenAccess.of(viewer, Files.readString(tokenFile).strip());
    }

    private void await() {
        try {
            CountDownLatch end = new CountDownLatch(1);
            if (lasting == null) {
                end.await();
            } else {
                end.await(Times.duration(lasting).toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
