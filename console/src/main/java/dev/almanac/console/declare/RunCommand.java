package dev.almanac.console.declare;

import dev.almanac.Scheduler;
import dev.almanac.SchedulerBuilder;
import dev.almanac.console.connection.ActorOptions;
import dev.almanac.console.connection.ConnectionOptions;
import dev.almanac.console.connection.StoreAccess;
import dev.almanac.console.connection.StoreCommand;
import dev.almanac.console.terminal.CommandFailedException;
import dev.almanac.console.terminal.InvalidInputException;
import dev.almanac.console.terminal.Output;
import dev.almanac.console.terminal.ProcessEnvironment;
import dev.almanac.console.terminal.Times;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.runtime.HostName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac run}. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = {
            "Runs the jobs that a file declares, on a node of its own. Several may run at once and share the jobs.",
            "Stored jobs of the file's application that are not in the file are cancelled.",
            "Their commands are of type log, which prints a line, or of type shell, which starts a program."
        })
public final class RunCommand extends StoreCommand {
    @Parameters(index = "0", paramLabel = "FILE", description = "the declared jobs, HOCON or JSON")
    private Path path;

    @Option(
            names = "--allow-shell",
            description = "also start programs: anyone who may write to the database decides which")
    private boolean allowShell;

    @Option(names = "--label", paramLabel = "TEXT", description = "the name of this node in lists")
    private @Nullable String label;

    @Option(names = "--for", paramLabel = "TIME", description = "stop after this time, such as 10m")
    private @Nullable String lasting;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            description =
                    "how long runs may take to end when the node stops (default: drain-timeout of the file, else 30s)")
    private @Nullable String drain;

    @Option(
            names = "--pass",
            paramLabel = "NAME",
            description =
                    "a variable of this environment that programs get, beside PATH, HOME and LANG; may be repeated")
    private List<String> passed = List.of();

    @Option(
            names = "--allow-mass-cancel",
            description = "it may cancel all stored jobs of the application, or more than half of ten or more")
    private boolean allowMassCancel;

    @Mixin
    private ActorOptions actor;

    private final ProcessEnvironment process;
    private JobsFile file;

    /** The process around the command. */
    public RunCommand(ProcessEnvironment process) {
        this.process = process;
    }

    @Override
    protected void check() {
        if (drain != null) {
            duration("--drain", drain);
        }
        if (lasting != null) {
            duration("--for", lasting);
        }
        file = JobsFile.read(path);
    }

    @Override
    protected StoreAccess open(ConnectionOptions where) {
        return where.open(file.settings(), file.settings().store().createIndexes());
    }

    @Override
    protected int answer(StoreAccess access, Output out) {
        Printer printer = new Printer(out);
        Scheduler scheduler = access.scheduler(node(printer));
        Instant now = Instant.now();
        Declaration declaration = Declaration.of(file, access.store().commandCodec(), now);
        declaration.refuseOtherTypes(allowShell ? List.of("log", "shell") : List.of("log"));
        ReconcileResult result = declaration
                .withoutPassed(now, printer)
                .apply(actor.sign(scheduler), ReconcileOptions.DEFAULT.allowMassCancel(allowMassCancel), planned -> {});
        printer.node(stored(result, access));
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        Thread onSignal = new Thread(() -> endOn(stop, ended), "almanac-end");
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            scheduler.start();
            printer.node("this node runs the jobs of " + file.application() + "; Ctrl-C ends it");
            await(stop);
            end(scheduler, printer);
        } finally {
            ended.countDown();
            forget(onSignal);
        }
        return 0;
    }

    private String stored(ReconcileResult result, StoreAccess access) {
        int jobs = result.created().size()
                + result.updated().size()
                + result.unchanged().size();
        return file.name() + ": " + jobs + " jobs are stored in " + access.place()
                + (result.canceled().isEmpty()
                        ? ""
                        : "; cancelled, since the file does not have them: " + String.join(", ", result.canceled()));
    }

    private SchedulerBuilder node(Printer printer) {
        SchedulerBuilder builder = Scheduler.builder().label("almanac run on " + HostName.ofProcess());
        file.settings().applyTo(builder);
        if (label != null) {
            builder.label(label);
        }
        builder.command("log", 1, LogLine.class).helper(new LogHelper(printer));
        return allowShell
                ? builder.command("shell", 1, ShellCommand.class)
                        .helper(new ShellHelper(printer, process.environment(), passed))
                : builder;
    }

    private void await(CountDownLatch stop) {
        try {
            if (lasting == null) {
                stop.await();
            } else {
                stop.await(duration("--for", lasting).toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException asked) {
            // to end, as by a signal
        }
    }

    private void end(Scheduler scheduler, Printer printer) {
        int runs = scheduler.node().runs();
        printer.node(runs == 0 ? "ending" : "ending; runs in progress: " + runs);
        try {
            scheduler.drain(patience());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted before all runs had ended", e);
        }
        printer.node("ended");
    }

    /** The process goes on until the runs have ended. */
    private void endOn(CountDownLatch stop, CountDownLatch ended) {
        stop.countDown();
        try {
            ended.await(patience().plusSeconds(10).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration patience() {
        return drain == null ? file.settings().drainTimeout() : duration("--drain", drain);
    }

    private static void forget(Thread onSignal) {
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException alreadyEnding) {
            // it is running, and sees that all has ended
        }
    }

    private static Duration duration(String option, String text) {
        try {
            Duration time = Times.duration(text);
            if (time.isNegative()) {
                throw new InvalidInputException(option + " '" + text + "' is negative");
            }
            return time;
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(option + " '" + text + "' " + e.getMessage());
        }
    }
}
