package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.model.CancelMode;
import dev.almanac.model.CancelResult;
import dev.almanac.model.Explanation;
import dev.almanac.model.Explanation.Kind;
import dev.almanac.model.FindScope;
import dev.almanac.model.Job;
import dev.almanac.model.JobAction;
import dev.almanac.model.JobNotFoundException;
import dev.almanac.model.JobSelection;
import dev.almanac.model.JobState;
import dev.almanac.model.LogLine;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.model.StandingPause;
import dev.almanac.mongo.MongoJobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.RowQuery;
import dev.almanac.text.Printable;
import dev.almanac.time.FirePreview;
import dev.almanac.web.json.Answers;
import dev.almanac.web.json.Fields;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code almanac jobs}: shows and changes jobs. The larger commands are classes of their own. */
@Command(name = "jobs", description = "Shows and changes jobs.", addMethodSubcommands = false)
final class JobsCommand {
    private static final Duration KEPT = Duration.ofDays(30);
    private static final int ROWS_OF_LOG = 100;

    @Command(name = "show", description = "Shows everything about a job.")
    int show(
            @Mixin Session session,
            @Parameters(paramLabel = "KEY", description = "the job's key") String key,
            @Mixin ZoneOption zone,
            @Option(names = "--finished", description = "also one that has finished and was not removed yet")
                    boolean finished) {
        return session.useStore(access -> {
            Scheduler scheduler = access.scheduler();
            Job job = scheduler
                    .findJobById(key, finished ? FindScope.INCLUDING_FINISHED : FindScope.LIVE)
                    .orElseThrow(() -> new NotFoundException(
                            finished
                                    ? "no job '" + key + "': it was never scheduled, or it has finished and was removed"
                                    : "no live job '" + key + "'; add --finished to see one that has finished,"
                                            + " or look for its key: almanac jobs list --where-key-prefix TEXT"));
            List<StandingPause> pauses = scheduler.pauses();
            var labels = access.nodeLabels();
            List<LogLine> log = Answers.log(
                    access.store().rows(RowQuery.ofDocument(job.lastStatus().jobSpecificationId(), ROWS_OF_LOG)));
            session.out().answer(Answers.job(job, pauses, labels).with("log", log), out -> {
                new JobAnswer(out, zone.orOf(job), access.now()).print(job, pauses, labels);
                JobAnswer.lines(log, zone.orOf(job)).forEach(line -> out.value("logged", line));
            });
        });
    }

    @Command(name = "explain", description = "Explains why a job has not run, or when it will.")
    int explain(
            @Mixin Session session,
            @Parameters(paramLabel = "KEY", description = "the job's key") String key,
            @Mixin ZoneOption zone) {
        return session.use(scheduler -> {
            Explanation explanation = Answers.fromOutside(scheduler.explainJob(key));
            if (explanation.has(Kind.UNKNOWN_KEY)) {
                throw new NotFoundException(explanation.headline());
            }
            session.out().answer(Fields.of(explanation), out -> print(out, explanation, zone.orOf(scheduler, key)));
        });
    }

    private static void print(Output out, Explanation explanation, ZoneId zone) {
        out.head(explanation.headline());
        out.value("state", explanation.state());
        // the headline holds the first reason; that this process, which runs nothing, leaves the job to others means
        // nothing
        explanation.reasons().stream()
                .skip(1)
                .filter(reason -> reason.kind() != Kind.NOT_HERE)
                .forEach(reason -> out.line("- " + reason.text()));
        Instant next = explanation.nextStart();
        out.value("next start", next == null ? null : Times.both(next, zone));
        String label = "fires";
        for (Instant fire : explanation.nextFireTimes()) {
            out.value(label, Times.both(fire, zone));
            label = "";
        }
    }

    @Command(name = "preview", description = "Shows when a job will fire, and why a planned time is moved or left out.")
    int preview(
            @Mixin Session session,
            @Parameters(paramLabel = "KEY", description = "the job's key") String key,
            @Mixin ZoneOption zone,
            @Option(
                            names = "--count",
                            paramLabel = "N",
                            defaultValue = "10",
                            description = "how many, 1 to 1000 (default: ${DEFAULT-VALUE})")
                    int count,
            @Option(names = "--from", paramLabel = "TIME", description = "after which moment (default: now)")
                    Times.@Nullable Moment from) {
        Times.within("--count", count, "");
        return session.useStore(access -> {
            Scheduler scheduler = access.scheduler();
            Job job = scheduler.findJobById(key).orElseThrow(() -> new JobNotFoundException(key));
            ZoneId shown = zone.orOf(job);
            Instant after = from == null ? access.now() : from.in(shown, access.now());
            List<FirePreview> fires = fires(scheduler, key, after, count);
            Columns<FirePreview> columns = new Columns<FirePreview>()
                    .whole("WANTED", fire -> fire.wantedTime().toString().replace('T', ' '))
                    .moment("FIRES", shown, FirePreview::fireTime)
                    .moment("FIRES", ZoneOffset.UTC, FirePreview::fireTime)
                    .whole("WHY", FirePreview::reason)
                    .note(fire -> fire.calendarName().isEmpty() ? null : "calendar: " + fire.calendarName());
            session.out().list("fires", fires, JobsCommand::fields, key + " does not fire after that moment", columns);
        });
    }

    private static List<FirePreview> fires(Scheduler scheduler, String key, Instant after, int count) {
        try {
            return scheduler.previewFireTimes(key, after, count);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(
                    "job '" + key + "' cannot be previewed here: " + e.getMessage()
                            + "; only a service that declares the job's calendars can compute its fires",
                    e);
        }
    }

    private static Fields fields(FirePreview fire) {
        return Fields.of(fire)
                .without("calendar", "calendarName")
                .with("calendar", fire.calendarName().isEmpty() ? null : fire.calendarName());
    }

    @Command(name = "cancel", description = "Cancels jobs: they do not fire again.")
    int cancel(
            @Mixin ChangeSession session,
            @Mixin JobSelectionOptions jobs,
            @Option(names = "--interrupt", description = "also interrupt a run in progress, on whichever node it is")
                    boolean interrupt) {
        jobs.check();
        CancelMode mode = interrupt ? CancelMode.INTERRUPT : CancelMode.LET_RUN;
        String key = jobs.single();
        return session.store(access -> {
            Scheduler scheduler = session.scheduler(access);
            if (key == null) {
                return jobs.apply(session.out(), scheduler, "cancel", new JobAction.Cancel(mode));
            }
            CancelResult result = scheduler.cancelJob(key, mode);
            if (result == CancelResult.NOT_FOUND) {
                throw new NotFoundException(
                        "no live job '" + key + "': it was never scheduled, has finished, or was cancelled");
            }
            if (result == CancelResult.CANCELED) {
                session.answer(new Fields().with("result", result), "CANCELED: " + key + " will not fire again");
                return 0;
            }
            var read = access.afterwards(
                    "its state",
                    () -> scheduler.findJobById(key).map(Job::jobState).orElse(null));
            JobState state = read.value();
            String rest =
                    read.problem() == null ? rest(key, state, interrupt) : "what " + key + " has begun ends first";
            session.answer(
                    new Fields().with("result", result).with("jobState", state),
                    "ALREADY_RUNNING: " + rest + "; no later fire follows" + read.orNothing());
            return 0;
        });
    }

    /** What is still done of a job that was cancelled. */
    private static String rest(String key, @Nullable JobState state, boolean interrupt) {
        if (state == JobState.RECOVERING) {
            return "the node that held " + key + " is gone, and what it ran is recorded first";
        }
        return state == JobState.STORING_FOLLOW_UPS
                ? "the follow-ups of the last run of " + key + " are stored first"
                : "the current run of " + key + (interrupt ? " is being interrupted" : " continues to its end");
    }

    @Command(
            name = "pause",
            description = "Pauses jobs, at once or from a time on, until they are resumed. Runs in progress continue.")
    int pause(
            @Mixin Session session,
            @Mixin PauseTarget target,
            @Option(
                            names = "--reason",
                            required = true,
                            paramLabel = "TEXT",
                            description = "the reason, for later readers")
                    String reason,
            @Option(
                            names = "--author",
                            paramLabel = "NAME",
                            defaultValue = "${sys:user.name}",
                            description = "the author (default: the user of this process)")
                    String author,
            @Mixin PauseTimes times) {
        target.check();
        InvalidInputException.when(author.isBlank(), "the author of a pause is empty; say who asks for it");
        InvalidInputException.when(reason.isBlank(), "the reason of a pause is empty; say why");
        PauseScope scope = target.scope();
        return session.store(access -> {
            Scheduler scheduler = access.scheduler();
            ZoneId zone = times.orOf(scheduler, target.named());
            Pause pause = times.of(new Pause(reason, author, null), zone, access.now());
            if (scope == null) {
                return target.apply(session.out(), scheduler, "pause", JobAction.pause(pause));
            }
            // what nothing has may be misspelt
            InvalidInputException.when(
                    !(scope instanceof PauseScope.Job) && !target.confirmation().isGiven() && !scheduler.isKnown(scope),
                    "nothing was paused: there is no " + scope.words().replace("every ", "")
                            + "; --yes pauses those that will come");
            Pause replaced;
            if (scope instanceof PauseScope.Job one) {
                Pause present = scheduler.findJobById(one.key()).map(Job::pause).orElse(null);
                scheduler.pause(scope, pause);
                replaced = PauseTimes.unlessEnded(present, access.now());
            } else {
                StandingPause present = PauseTimes.replaced(
                        access, scope, pause, target.confirmation().isGiven());
                if (target.isAll()) {
                    target.confirmAll(scheduler);
                }
                replaced = PauseTimes.pause(access, scheduler, scope, pause, present);
            }
            var read =
                    access.afterwards("whether it runs now", () -> pause.from() == null ? job(scheduler, scope) : null);
            boolean running = read.value() != null && read.value().jobState().isUnderWay();
            session.answer(
                    new Fields()
                            .with("scope", scope)
                            .and(Fields.of(pause))
                            .with("running", running ? true : null)
                            .with("runningKnown", read.problem() == null ? null : false)
                            .with("replaced", replaced),
                    scope.words()
                            + (pause.from() == null ? " is paused" : " is to be paused")
                            + (running ? "; the run in progress continues" : "")
                            + PauseTimes.words(pause, scope, zone)
                            + PauseTimes.told(replaced)
                            + read.orNothing());
            return 0;
        });
    }

    /** The job that is paused, if it is a single one that is live. */
    private static @Nullable Job job(Scheduler scheduler, PauseScope scope) {
        return scope instanceof PauseScope.Job job
                ? scheduler.findJobById(job.key()).orElse(null)
                : null;
    }

    @Command(name = "resume", description = "Ends a pause; fires that passed meanwhile are missed fires.")
    int resume(
            @Mixin ChangeSession session,
            @Mixin PauseTarget target,
            @Option(
                            names = "--from",
                            paramLabel = "TIME",
                            description = "withdraws the pause that is planned to begin then, as jobs pauses shows it")
                    Times.@Nullable Moment from,
            @Mixin ZoneOption zone) {
        target.check();
        PauseScope scope = target.scope();
        return session.store(access -> {
            Scheduler scheduler = session.scheduler(access);
            Instant planned = from == null ? null : from.in(zone.orOf(scheduler, target.named()), access.now());
            if (scope == null) {
                return target.apply(session.out(), scheduler, "resume", new JobAction.Resume(planned));
            }
            boolean paused = planned == null ? scheduler.resume(scope) : scheduler.resume(scope, planned);
            String done = planned == null ? " is resumed" : ": the planned pause is withdrawn";
            String none = planned == null ? " was not paused" : " has no pause that is planned for then";
            Fields fields = new Fields().with("scope", scope).with("resumed", paused);
            var staying = access.afterwards(
                    "what stays paused", () -> staying(access, scheduler, scope, target, planned, fields));
            fields.with("stillPausedKnown", staying.problem() == null ? null : false);
            session.answer(
                    fields,
                    scope.words()
                            + (paused ? done : none + ", nothing was changed")
                            + Objects.requireNonNullElse(staying.value(), staying.orNothing()));
            return 0;
        });
    }

    /** What stays paused behind a resume, and when a single job fires next. */
    private static String staying(
            StoreAccess access,
            Scheduler scheduler,
            PauseScope scope,
            PauseTarget target,
            @Nullable Instant planned,
            Fields fields) {
        Job job = job(scheduler, scope);
        List<Instant> later = planned == null ? later(scope, job, scheduler.plannedPauses()) : List.of();
        List<StandingPause> pauses = scheduler.pauses();
        List<PauseScope> still = pauses.stream()
                .filter(pause -> job == null
                        ? isOther(pause.scope(), scope)
                        : pause.holds(job.specification(), job.commandType()))
                .map(StandingPause::scope)
                .distinct()
                .toList();
        fields.with("planned", later).with("stillPaused", still);
        String words = later.stream()
                .map(begin -> "; its pause from " + begin + " stays, unless --from withdraws it")
                .collect(Collectors.joining());
        if (job != null) {
            fields.with("nextFireTime", job.nextFireTime());
            return words + next(job, still);
        }
        PauseTarget.Paused own = target.pausedThemselves(scheduler, access.now());
        fields.with("ownPauses", own.first() == null ? null : own.count())
                .with("moreOwnPauses", own.more() ? true : null);
        return words + staying(still, own);
    }

    private static String next(Job job, List<PauseScope> still) {
        return still.isEmpty()
                ? JobAnswer.next(job, JobAnswer.zoneOf(job))
                : "; it is still paused by the pause of " + still.get(0);
    }

    /** Whether a pause in force still holds jobs of the scope, as far as that is known without the jobs. */
    private static boolean isOther(PauseScope other, PauseScope scope) {
        PauseScope all = PauseScope.everything();
        return !other.equals(scope) && (scope.equals(all) || other.equals(all));
    }

    /** @param own the jobs of the scope that are paused themselves */
    private static String staying(List<PauseScope> still, PauseTarget.Paused own) {
        String others = still.stream().map(PauseScope::words).collect(Collectors.joining(", "));
        return (others.isEmpty() ? "" : "; still paused: " + others)
                + (own.first() == null
                        ? own.more() ? "; not all jobs were looked at for pauses of their own" : ""
                        : "; " + (own.more() ? "at least " : "") + TextLayout.jobs(own.count())
                                + (own.count() == 1
                                        ? " stays paused by a pause of its own"
                                        : " stay paused by pauses of their own")
                                + ", such as " + own.first());
    }

    /** When the pauses of the scope begin that stay, since they are planned for later. */
    private static List<Instant> later(PauseScope scope, @Nullable Job job, List<StandingPause> planned) {
        Stream<Pause> own = Stream.ofNullable(job == null ? null : job.pause());
        Stream<Pause> kind =
                planned.stream().filter(pause -> pause.scope().equals(scope)).map(StandingPause::pause);
        return Stream.concat(own, kind)
                .map(Pause::from)
                .filter(Objects::nonNull)
                .toList();
    }

    @Command(
            name = "pauses",
            description = {
                "Lists the pauses of tags, command types and everything, those that are planned, too;",
                "jobs show has those of single jobs."
            })
    int pauses(@Mixin Session session, @Mixin ZoneOption zone) {
        Columns<StandingPause> columns = new Columns<StandingPause>()
                .text("PAUSED", StandingPause::scope)
                .text("BY", pause -> pause.pause().author())
                // --from withdraws a planned pause by what is shown here
                .whole(Times.head("FROM", zone.orUtc()), pause -> from(pause, zone.orUtc()))
                .moment("UNTIL", zone.orUtc(), pause -> pause.pause().until())
                .note(pause -> pause.pause().reason());
        String none = "no tag and no command type is paused, nor is everything, now or as planned";
        return session.use(scheduler -> {
            List<StandingPause> pauses = Stream.concat(scheduler.pauses().stream(), scheduler.plannedPauses().stream())
                    .toList();
            session.out().list("pauses", pauses, Answers::pause, none, columns);
        });
    }

    private static String from(StandingPause pause, ZoneId shown) {
        Instant planned = pause.pause().from();
        return planned == null ? Times.second(pause.begins(), shown) : Times.at(planned, shown);
    }

    @Command(
            name = "run-now",
            description = "Runs a job once, now, in addition to its plan; if it is running, once more afterwards.")
    int runNow(
            @Mixin ChangeSession session,
            @Mixin JobSelectionOptions jobs,
            @Option(
                            names = "--body",
                            paramLabel = "JSON",
                            description =
                                    "this once other contents of the job's command, as a JSON object; for one KEY")
                    @Nullable
                    String body,
            @Mixin ZoneOption zone) {
        jobs.check();
        String key = jobs.single();
        String named = jobs.named();
        InvalidInputException.when(
                named == null && body != null, "--body is for one KEY, since jobs differ in their contents");
        return session.store(access -> {
            Scheduler scheduler = session.scheduler(access);
            SchedulingCommand contents =
                    named == null || body == null ? null : contents(access, scheduler, named, body);
            JobAction run = new JobAction.RunNow(contents);
            if (key == null) {
                return jobs.apply(session.out(), scheduler, "run", run);
            }
            // read before, so that what is printed is as for several jobs; the request itself says why it is refused
            var what = scheduler.apply(run, JobSelection.keys(key), true).items();
            var labels = access.nodeLabels();
            Job job = contents == null ? scheduler.runNow(key) : scheduler.runNow(key, contents);
            String next = JobAnswer.next(job, zone.orOf(job));
            session.out()
                    .answer(
                            Answers.job(job, List.of(), labels)
                                    .with(
                                            "detail",
                                            what.isEmpty() ? null : what.get(0).detail()),
                            out -> what.forEach(item -> out.line(key + ": " + item.detail() + next)));
            return 0;
        });
    }

    /** The command of a job with another body. */
    private static SchedulingCommand contents(StoreAccess access, Scheduler scheduler, String key, String body) {
        Job job = scheduler.findJobById(key).orElseThrow(() -> new JobNotFoundException(key));
        return JobReader.change(
                        job.specification().toBuilder(),
                        Map.of("body", body),
                        access.store().commandCodec(),
                        access.now())
                .orRefuse("nothing was run:")
                .triggerCommand();
    }

    @Command(
            name = "rerun",
            description = {
                "Repeats jobs that have failed for good, at most once per failed run, however often it is requested.",
                "A one-off becomes a new job of the same key and contents, which runs at once; a recurring job gets an extra run.",
                "A one-off that is named by its key is also repeated, once, if it has gone well or was cancelled."
            })
    int rerun(@Mixin FailedJobsOptions jobs) {
        return jobs.apply(JobAction.rerun(), "rerun");
    }

    @Command(
            name = "acknowledge",
            description = {
                "Notes that a user has looked at the failures of jobs: they are no longer open.",
                "A failure is also closed by the next good run of its job, and by a good rerun."
            })
    int acknowledge(@Mixin FailedJobsOptions jobs) {
        return jobs.apply(JobAction.acknowledge(), "acknowledge");
    }

    @Command(
            name = "remove",
            description = {
                "Removes a document that cannot be read: it is not claimed any more, and its key becomes free.",
                "It stays in the database for 30 days. A job that can be read is cancelled: almanac jobs cancel KEY."
            })
    int remove(
            @Mixin ChangeSession session,
            @Parameters(paramLabel = "KEY", description = "the job's key") String key,
            @Option(names = "--damaged", required = true, description = "only a document that cannot be read")
                    boolean damaged) {
        return session.useStore(access -> {
            MongoJobStore store = access.opened();
            Instant end = store.serverTime().plus(KEPT);
            switch (store.removeDamaged(key, end, session.actor())) {
                case REMOVED -> {}
                case NOT_FOUND ->
                    throw new NotFoundException("no document of key '" + key
                            + "' that cannot be read; a job that can be read is cancelled: "
                            + Printable.command("almanac jobs cancel", key));
                case READABLE_ELSEWHERE ->
                    throw new CommandFailedException("the document of '" + key
                            + "' has a value that is not known here and that others may know, such as a time zone:"
                            + " use their release of almanac, or a newer Java");
                case LEASED ->
                    throw new CommandFailedException(
                            "a node has a lease of '" + key + "'; nothing was changed, try again when it has ended");
            }
            session.answer(
                    new Fields().with("jobSpecificationKey", key).with("deleteTime", end),
                    key + " was removed; its document expires at " + Times.both(end, ZoneOffset.UTC));
        });
    }

    @Command(
            name = "release",
            description = {
                "Removes the current claim of a job, and with it its place in an exclusive group: for a run whose code has ended",
                "without its node having noticed. The run counts as abandoned; the crash policy says whether it runs again.",
                "Without --force it only shows which claim that is."
            })
    int release(
            @Mixin ChangeSession session,
            @Parameters(paramLabel = "KEY", description = "the job's key") String key,
            @Option(
                            names = "--force",
                            description =
                                    "confirms that the code of the run has ended, or does no harm if it continues")
                    boolean force,
            @Option(
                            names = "--claim",
                            paramLabel = "N",
                            description = "the claim that is meant; one that came later is left alone")
                    @Nullable
                    Long claim) {
        return session.store(access -> {
            Lease lease = access.opened()
                    .find(key, FindScope.LIVE)
                    .orElseThrow(() -> new JobNotFoundException(key))
                    .lease();
            if (lease == null) {
                session.answer(new Fields().with("released", false), key + " is not claimed, nothing was changed");
                return 0;
            }
            long meant = claim == null ? lease.token() : claim;
            if (force) {
                return ActionAnswer.apply(
                        session.out(),
                        session.scheduler(access),
                        JobAction.release(meant),
                        JobSelection.keys(key),
                        false);
            }
            session.answer(
                    new Fields()
                            .with("released", false)
                            .with("claim", lease.token())
                            .with("runningOn", lease.owner())
                            .with("leaseUntil", lease.until()),
                    "nothing was changed: " + key + " has the claim " + lease.token()
                            + " of node " + lease.owner() + ", with a lease until "
                            + Times.both(lease.until(), ZoneOffset.UTC)
                            + "; to release it: "
                            + Printable.command("almanac jobs release", key, "--force", "--claim " + lease.token()));
            return 0;
        });
    }
}
