package dev.almanac.spring;

import dev.almanac.Scheduler;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MassCancelException;
import dev.almanac.model.Problem;
import dev.almanac.model.ReconcileOptions;
import dev.almanac.model.ReconcileResult;
import dev.almanac.store.DamagedJobException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that the application declares, by {@link AlmanacJob} and as beans of type {@link JobSpecification}: when it
 * starts, the stored ones become equal to them (rule S10).
 *
 * @param problems of the annotations
 * @param jobs the declared ones; asked at the start
 * @param hidden beans that may declare others, without their class being known; asked at the start
 * @param application whose jobs they are: {@code spring.application.name}; absent = it has none
 * @param cancel whether jobs that have disappeared are cancelled
 * @param release of the application; absent = not known
 */
record DeclaredJobs(
        Supplier<List<Problem>> problems,
        Supplier<List<Declaration>> jobs,
        Supplier<List<String>> hidden,
        @Nullable String application,
        boolean cancel,
        @Nullable String release) {
    private static final Logger LOG = LoggerFactory.getLogger(DeclaredJobs.class);
    private static final String RULE = "S10";
    /** The rule that another requestor's live job is not replaced. */
    private static final String OF_REQUESTORS = "S11";

    /** Names at most so many in a message. */
    private static final int MOST_NAMES = 20;

    /**
     * A job and where it is declared.
     *
     * @param place the bean, with its method if there is one, for people
     * @param words what the fields of the specification are called there, if it is another word
     * @param said what is wrong with the annotation by itself, which a check of the specification may find again
     * @param initialDelay as {@link ReconcileOptions#initialDelays()} has it
     */
    record Declaration(
            String place,
            Map<String, String> words,
            List<Problem> said,
            JobSpecification job,
            @Nullable Duration initialDelay) {
        String key() {
            return Objects.requireNonNullElse(job.jobSpecificationKey(), "");
        }

        /** Whether a reconciliation has this problem with the job. */
        private boolean has(Problem problem) {
            return problem.field().startsWith(key() + ": ");
        }

        /** Those that a reconciliation has with the job, as a check of it has them. */
        private Stream<Problem> own(List<Problem> refused) {
            return refused.stream()
                    .filter(this::has)
                    .map(problem -> new Problem(
                            problem.field().substring(key().length() + ": ".length()),
                            problem.value(),
                            problem.rule(),
                            problem.advice()));
        }

        /** A problem of the specification in the words of the declaration. */
        private Problem placed(Problem problem) {
            String field = place + ": " + words.getOrDefault(problem.field(), problem.field());
            return new Problem(field, problem.value(), problem.rule(), problem.advice());
        }

        /** Whether the annotation has the same problem. It may be that a text which it refuses is missing from the specification. */
        private boolean hasSaid(Problem found) {
            return said.stream()
                    .filter(known -> known.field().equals(found.field()))
                    .anyMatch(known -> found.value() == null || found.value().equals(known.value()));
        }
    }

    /**
     * Checks the declared jobs as {@link #reconcile} would store them, and writes nothing. It comes before the start of the
     * node, which would claim the job of another application by its command type.
     *
     * @return what is declared
     * @throws InvalidJobException with every problem of every declared job
     */
    List<Declaration> check(Scheduler scheduler) {
        List<Problem> found = new ArrayList<>(problems.get());
        List<Declaration> declared = jobs.get();
        if (application == null && !declared.isEmpty()) {
            found.add(new Problem(
                    "spring.application.name",
                    null,
                    RULE,
                    "is missing; the declared jobs are kept under it, so set it"));
        }
        Map<String, Declaration> firsts = new LinkedHashMap<>();
        for (Declaration declaration : declared) {
            String key = declaration.key();
            Declaration first = key.isEmpty() ? null : firsts.putIfAbsent(key, declaration);
            if (first != null) {
                found.add(new Problem(
                        declaration.place() + ": key",
                        key,
                        RULE,
                        "is also that of " + first.place() + "; each job needs its own"));
            }
        }
        List<Problem> refused =
                application == null || firsts.isEmpty() ? List.of() : refused(scheduler, application, firsts.values());
        for (Declaration declaration : declared) {
            boolean isAsked = application != null && firsts.get(declaration.key()) == declaration;
            (isAsked ? declaration.own(refused) : problems(scheduler, declaration))
                    .map(declaration::placed)
                    .filter(problem -> !declaration.hasSaid(problem))
                    .forEach(found::add);
        }
        refused.stream()
                .filter(problem -> firsts.values().stream().noneMatch(declaration -> declaration.has(problem)))
                .forEach(found::add);
        if (!found.isEmpty()) {
            throw new InvalidJobException("of application " + application, found);
        }
        return declared;
    }

    /** What {@link #reconcile} would refuse, by the rules by which it stores: their fields begin with the keys of the jobs. */
    private static List<Problem> refused(Scheduler scheduler, String application, Collection<Declaration> declared) {
        try {
            List<JobSpecification> jobs =
                    declared.stream().map(Declaration::job).toList();
            scheduler.reconcile(
                    application, jobs, options(declared).dryRun(true).keepUndeclared(true));
            return List.of();
        } catch (InvalidJobException e) {
            return e.problems();
        }
    }

    /** Of what no reconciliation can take: a further job of a key, a job without one, all jobs of an application without a name. */
    private static Stream<Problem> problems(Scheduler scheduler, Declaration declaration) {
        try {
            return scheduler.check(declaration.job()).stream()
                    // a reconciliation asks for the application, not for the requestor
                    .filter(problem -> !problem.rule().equals(OF_REQUESTORS));
        } catch (DamagedJobException left) {
            return Stream.of();
        }
    }

    private static ReconcileOptions options(Collection<Declaration> declared) {
        Map<String, Duration> delays = new HashMap<>();
        declared.forEach(job -> {
            if (job.initialDelay() != null) {
                delays.put(job.key(), job.initialDelay());
            }
        });
        return ReconcileOptions.DEFAULT.initialDelays(delays).leaveDamaged(true);
    }

    /**
     * A job whose document cannot be read is left as it is, with a warning: it does not keep the service from starting.
     *
     * @param checked what {@link #check} has returned
     */
    void reconcile(Scheduler scheduler, List<Declaration> checked) {
        if (application == null || checked.isEmpty() && !hasMethods(scheduler, application)) {
            return;
        }
        List<JobSpecification> jobs = checked.stream().map(Declaration::job).toList();
        List<String> mayDeclare = cancel ? hidden.get() : List.of();
        ReconcileOptions options = options(checked).release(release).keepUndeclared(!cancel || !mayDeclare.isEmpty());
        try {
            ReconcileResult done = scheduler.reconcile(application, jobs, options);
            if (done == null) {
                // the bean of @MockitoBean
                LOG.warn(
                        "the declared jobs of application '{}' are not stored: its Scheduler is a double, which answers nothing",
                        application);
                return;
            }
            if (!done.canceled().isEmpty()) {
                LOG.warn(
                        "application '{}' does not declare {} of its jobs, and they are cancelled: {}; a job that is"
                                + " scheduled at run time needs another application tag",
                        application,
                        done.canceled().size(),
                        first(done.canceled()));
            }
            List<String> kept = done.kept();
            if (!kept.isEmpty()) {
                LOG.warn(
                        "application '{}' does not declare {} of its jobs any more, and they are kept: {}; {}",
                        application,
                        kept.size(),
                        first(kept),
                        cancel
                                ? "the classes of these beans are not known: " + first(mayDeclare)
                                        + "; return the class from each @Bean method, since it may declare jobs"
                                : "cancel them, or set almanac.reconcile=true, which does it at each start");
            }
        } catch (MassCancelException e) {
            scheduler.reconcile(application, jobs, options.keepUndeclared(true));
            LOG.warn("the jobs that are not declared any more are kept: {}", e.getMessage());
        }
    }

    private static String first(List<String> names) {
        String some = String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())));
        return names.size() > MOST_NAMES ? some + " and others" : some;
    }

    /** Whether jobs of methods are stored: if nothing is declared, others are no concern of this. */
    private static boolean hasMethods(Scheduler scheduler, String application) {
        JobQuery query = JobQuery.ofApplication(application);
        return Stream.iterate(
                        scheduler.listJobs(query),
                        Objects::nonNull,
                        page -> page.lastKey() == null ? null : scheduler.listJobs(query.after(page.lastKey())))
                .flatMap(page -> page.jobs().stream())
                .map(Job::commandType)
                .anyMatch(AnnotatedJobs::isOfMethod);
    }
}
