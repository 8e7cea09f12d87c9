package dev.almanac.engine.port;

import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.model.ErrorSummary;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.MissedFires;
import dev.almanac.model.Outcome;
import dev.almanac.runtime.TimeSource;
import dev.almanac.text.Printable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * Writes log lines for events: a logger for each kind, as docs/operations.md lists them (rule A4). A flood
 * is bounded by {@link FloodBound}. Thread-safe.
 */
public final class EventLog implements SchedulerListener {
    /** The kinds of events, each with a logger. */
    private enum Kind {
        ATTEMPTS,
        FAILURES,
        RECOVERIES,
        MISSED,
        LEASES,
        REQUESTS,
        NODE,
        RUNS;

        private final Logger logger = LoggerFactory.getLogger("almanac." + name().toLowerCase(java.util.Locale.ROOT));
    }

    private final FloodBound bound;
    private final String label;

    /** @param label what people call this node */
    public EventLog(TimeSource time, String label) {
        this.label = label;
        this.bound = new FloodBound(time, this::left);
    }

    /** Whether it may write anything about it: of the runs that end well, only at DEBUG. */
    public boolean wants(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.RunStarted || event instanceof SchedulerEvent.RunEnded) {
            return Kind.RUNS.logger.isDebugEnabled();
        }
        return !(event instanceof SchedulerEvent.RunRecorded recorded)
                || recorded.row().outcome() != Outcome.SUCCEEDED;
    }

    @Override
    public void on(SchedulerEvent event) {
        String job = MDC.get("job");
        if (job == null && event instanceof SchedulerEvent.JobEvent of) {
            MDC.put("job", of.key());
        }
        try {
            log(event);
            bound.look();
        } finally {
            if (job == null) {
                MDC.remove("job");
            }
        }
    }

    private void log(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.RunRecorded recorded) {
            recorded(recorded.key(), recorded.row());
        } else if (event instanceof SchedulerEvent.RunRecovered recovered) {
            recovered(recovered);
        } else if (event instanceof SchedulerEvent.FiresMissed missed) {
            log(
                    Kind.MISSED,
                    Level.WARN,
                    missed.key(),
                    "job '" + missed.key() + "' has missed " + text(missed.missed()));
        } else if (event instanceof SchedulerEvent.LeaseLost lost) {
            String text = "this node has lost its lease on job '" + lost.key() + "': " + lost.reason();
            log(Kind.LEASES, Level.WARN, lost.key(), text);
        } else if (event instanceof SchedulerEvent.JobBlocked blocked) {
            String text = "job '" + blocked.key() + "' is blocked: " + blocked.reason();
            log(Kind.FAILURES, Level.WARN, blocked.key(), text);
        } else if (!request(event)) {
            node(event);
        }
    }

    private void recorded(String key, JobExecutionStatus row) {
        if (row.outcome() == Outcome.ATTEMPT_FAILED) {
            String next = row.nextFireTime() == null ? "" : "; the next try follows at " + row.nextFireTime();
            String text = "job '" + key + "' has failed in attempt " + row.attempt() + error(row.error()) + next;
            if (log(Kind.ATTEMPTS, Level.WARN, key, text)) {
                stack(Kind.ATTEMPTS, Level.DEBUG, row.error());
            }
        } else if (row.outcome() == Outcome.TIMED_OUT) {
            String text = "job '" + key + "' was asked to end" + error(row.error())
                    + "; its lease is held until its code has ended";
            log(Kind.ATTEMPTS, Level.WARN, key, text);
        } else if (row.outcome() == Outcome.ABANDONED && row.startedTime() != null) {
            // a run of this node; one of another node is a recovery
            String text = "job '" + key + "' was abandoned in its fire of " + row.fireTime() + ": " + row.detail();
            log(Kind.RECOVERIES, Level.WARN, key, text);
        } else if (row.isFailedFire() || row.outcome() == Outcome.FAILURE_UNDELIVERED) {
            String text = "job '" + key + "' has failed for good in its fire of " + row.fireTime() + " as "
                    + row.outcome() + error(row.error()) + (row.detail() == null ? "" : "; " + row.detail());
            if (log(Kind.FAILURES, Level.ERROR, key, text)) {
                stack(Kind.FAILURES, Level.ERROR, row.error());
            }
        }
    }

    private void recovered(SchedulerEvent.RunRecovered event) {
        String what = event.outcome() == Outcome.CRASHED
                ? "its crash policy forbids another run"
                : "this node has taken the job over";
        String text = "job '" + event.key() + "' had " + count(event.abandonedClaims(), "claim")
                + " that ended without a recorded outcome, as when a node dies; " + what;
        log(Kind.RECOVERIES, Level.WARN, event.key(), text);
    }

    /** Logs a user's request with author and reason. */
    private boolean request(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.JobScheduled job) {
            log(Kind.REQUESTS, Level.DEBUG, job.key(), "job '" + job.key() + "' was scheduled by " + job.by());
        } else if (event instanceof SchedulerEvent.JobUpdated updated) {
            String text = "job '" + updated.key() + "' was changed by " + updated.by() + ": " + updated.changes();
            warned(updated.key(), text, updated.warning(), "ALM-060");
        } else if (event instanceof SchedulerEvent.JobCanceled canceled) {
            String text = "job '" + canceled.key() + "' was cancelled by " + canceled.by()
                    + (canceled.running() ? " while it runs" : "");
            log(Kind.REQUESTS, Level.INFO, canceled.key(), text);
        } else if (event instanceof SchedulerEvent.JobPaused paused) {
            String text =
                    "job '" + paused.key() + "' was " + (paused.paused() ? "paused" : "resumed") + " by " + paused.by();
            log(Kind.REQUESTS, Level.INFO, paused.key(), text);
        } else if (event instanceof SchedulerEvent.JobReleased released) {
            String text = "the lease of job '" + released.key() + "' was removed by " + released.by();
            log(Kind.REQUESTS, Level.INFO, released.key(), text);
        } else if (event instanceof SchedulerEvent.RunAsked run) {
            log(Kind.REQUESTS, Level.INFO, run.key(), "a run of job '" + run.key() + "' was requested by " + run.by());
        } else if (event instanceof SchedulerEvent.FailuresAcknowledged closed) {
            String text = count(closed.failures(), "failure") + " of job '" + closed.key() + "' "
                    + (closed.failures() == 1 ? "was" : "were") + " acknowledged by " + closed.by();
            log(Kind.REQUESTS, Level.INFO, closed.key(), text);
        } else {
            return requestOfMany(event);
        }
        return true;
    }

    private boolean requestOfMany(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.JobsPaused all) {
            String what = all.paused() ? "paused" : "resumed";
            warned(all.scope(), all.scope() + " was " + what + " by " + all.by(), all.warning(), "ALM-061");
        } else if (event instanceof SchedulerEvent.GroupChanged group) {
            String text = "group '" + group.group() + "' was " + group.what() + " by " + group.by();
            log(Kind.REQUESTS, Level.INFO, group.group(), text);
        } else if (event instanceof SchedulerEvent.CalendarChanged calendar) {
            String text = "calendar '" + calendar.calendar() + "' was " + calendar.what() + " by " + calendar.by();
            log(Kind.REQUESTS, Level.INFO, calendar.calendar(), text);
        } else {
            return false;
        }
        return true;
    }

    private void warned(String about, String text, @Nullable String warning, String code) {
        if (warning == null) {
            log(Kind.REQUESTS, Level.INFO, about, text);
        } else {
            log(Kind.REQUESTS, Level.WARN, about, code + " " + text + "; " + warning);
        }
    }

    private void run(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.RunStarted run) {
            String text =
                    "job '" + run.key() + "' starts attempt " + run.attempt() + " of its fire of " + run.fireTime();
            log(Kind.RUNS, Level.DEBUG, run.key(), text);
        } else if (event instanceof SchedulerEvent.RunEnded run) {
            String text = "job '" + run.key() + "' has " + (run.good() ? "succeeded" : "failed") + " after "
                    + run.duration().toMillis() + " ms";
            log(Kind.RUNS, Level.DEBUG, run.key(), text);
        }
    }

    private void node(SchedulerEvent event) {
        if (event instanceof SchedulerEvent.RunStarted || event instanceof SchedulerEvent.RunEnded) {
            run(event);
        } else if (event instanceof SchedulerEvent.Rehydrated rehydrated) {
            log(Kind.NODE, Level.INFO, "", "found at start: " + rehydrated.summary());
        } else if (event instanceof SchedulerEvent.KernelRestarted restarted) {
            String then = restarted.otherIdentity()
                    ? "this was the third failure within a minute: its leases are lost, its runs are asked to end, and it"
                            + " goes on as node " + restarted.node()
                    : "its runs and leases go on";
            log(
                    Kind.NODE,
                    Level.ERROR,
                    "",
                    "ALM-062 a step of this node has failed with " + restarted.error() + "; " + then);
        } else if (event instanceof SchedulerEvent.NodeStarted started) {
            log(Kind.NODE, Level.INFO, "", "node " + started.node() + " (" + label + ") claims jobs from now on");
        } else if (event instanceof SchedulerEvent.NodeStopped stopped) {
            String runs = stopped.interrupted() == 0
                    ? "all its runs have ended"
                    : count(stopped.interrupted(), "run") + " did not end in time and were asked to end";
            log(Kind.NODE, Level.INFO, "", "node " + stopped.node() + " (" + label + ") claims no more jobs; " + runs);
        }
    }

    private static String text(MissedFires missed) {
        String fires = missed.count() == 1 && !missed.more()
                ? "its fire of " + missed.first()
                : missed.counted() + " fires, from " + missed.first() + " to " + missed.last();
        return missed.reason() == MissedFires.Reason.TOO_LATE ? fires + ": too late for its startDeadline" : fires;
    }

    private static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String error(@Nullable ErrorSummary error) {
        if (error == null) {
            return "";
        }
        String message = error.message() == null
                ? ""
                : ": " + error.message().lines().findFirst().orElse("");
        return " with " + error.type() + message;
    }

    /** Logs one line; false if the bound was reached. */
    private boolean log(Kind kind, Level level, String job, String text) {
        boolean logged = kind.logger.isEnabledForLevel(level) && bound.admits(kind.name(), job);
        if (logged) {
            kind.logger.atLevel(level).log(Printable.escaped(text));
        }
        return logged;
    }

    private static void stack(Kind kind, Level level, @Nullable ErrorSummary error) {
        if (error != null && error.stack() != null) {
            kind.logger.atLevel(level).log(Printable.lines(error.stack()));
        }
    }

    private void left(String kind, String job, long lines, Duration within) {
        String whose = job.isEmpty() ? "" : " about '" + Printable.escaped(job) + "'";
        Kind.valueOf(kind)
                .logger
                .warn("{} more lines of this kind{} were left out in the last {} s", lines, whose, within.toSeconds());
    }
}
