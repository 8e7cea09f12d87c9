package dev.almanac.console;

import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.text.TextFile;
import dev.almanac.web.Applications;
import dev.almanac.web.ConsoleBuilder;
import dev.almanac.web.ConsoleServlet;
import dev.almanac.web.Standalone;
import dev.almanac.web.TokenAccess;
import dev.almanac.web.Viewer;
import dev.almanac.web.json.Fields;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "web",
        description = {
            "Serves the console for a browser: what runs, what does not run and why, what runs next. Ctrl-C ends it.",
            "It prints an address with a token that is good for one browser, and listens on this machine only."
        })
final class WebCommand implements Callable<Integer> {
    @Mixin
    private Session session;

    private static final int LARGEST_TOKEN_FILE = 4_096;

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
    private Duration idle;

    @Option(
            names = "--session",
            paramLabel = "TIME",
            defaultValue = "12h",
            description = "a session ends after this time at the latest (default: ${DEFAULT-VALUE})")
    private Duration longest;

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
    private ZoneId zone;

    @Option(names = "--for", paramLabel = "TIME", description = "stop after this time, such as 10m")
    private @Nullable Duration lasting;

    @Override
    public Integer call() {
        return session.useStore(access -> serve(access, session.out()));
    }

    private void serve(StoreAccess access, Output output) {
        Viewer viewer = new Viewer(
                author,
                Applications.ALL,
                Applications.ALL,
                Applications.ALL,
                changes ? Applications.ALL : Applications.NONE);
        try (Standalone console =
                Standalone.start(console(access), tokens(viewer).expiring(idle, longest), bind, port)) {
            output.answer(new Fields().with("address", console.address()).with("open", console.entrance()), out -> {
                out.line("The console" + (changes ? ", which may change jobs," : "") + " is at " + console.entrance());
                out.line(tokenFile == null ? "The token is good for one browser. Ctrl-C ends it." : "Ctrl-C ends it.");
            });
            output.out().flush();
            RunCommand.await(new CountDownLatch(1), lasting);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "the console cannot listen at " + bind + ", port " + port + ": " + e.getMessage(), e);
        }
    }

    private ConsoleBuilder console(StoreAccess access) {
        ConsoleBuilder console = ConsoleServlet.builder()
                .store(access.store())
                .calendarReader(definition -> CalendarDefinition.of(definition).calendar())
                .title(title)
                .zone(zone)
                .allowChanges(changes);
        hosts.forEach(console::host);
        proxies.forEach(console::trustedProxy);
        return hidePayloads ? console.hidePayloads() : console;
    }

    private TokenAccess tokens(Viewer viewer) {
        if (tokenFile == null) {
            return TokenAccess.oneTime(viewer);
        }
        try {
            return TokenAccess.of(
                    viewer, TextFile.read(tokenFile, LARGEST_TOKEN_FILE).strip());
        } catch (TextFile.TooLargeException | TextFile.NotUtf8Exception e) {
            throw new InvalidInputException("--access-token-file " + tokenFile + " " + e.getMessage(), e);
        } catch (IOException e) {
            throw new InvalidInputException("--access-token-file " + tokenFile + " cannot be read", e);
        }
    }
}
