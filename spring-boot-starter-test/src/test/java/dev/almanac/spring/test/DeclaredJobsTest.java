package dev.almanac.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.almanac.Scheduler;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.FireReport;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.Job;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.MissedFirePolicy;
import dev.almanac.model.PauseScope;
import dev.almanac.model.Problem;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.runtime.TimeSource;
import dev.almanac.spring.AlmanacAutoConfiguration;
import dev.almanac.spring.AlmanacJob;
import dev.almanac.spring.SchedulerCustomizer;
import dev.almanac.spring.test.AlmanacTestConfiguration.Ends;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.time.VirtualTime;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** What an application declares, from one start to the next, on one store (rules S10, S26). */
@ExtendWith(OutputCaptureExtension.class)
class DeclaredJobsTest {
    private final VirtualTime time = new VirtualTime(Instant.parse("2030-01-07T08:00:00Z"));
    private final InMemoryJobStore store = new InMemoryJobStore(time.clock());

    @AfterEach
    void end() {
        time.close();
    }

    private ApplicationContextRunner service(Object... beans) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AlmanacAutoConfiguration.class, PropertyPlaceholderAutoConfiguration.class))
                .withPropertyValues("spring.application.name=shop")
                .withBean(InMemoryJobStore.class, () -> store)
                .withBean(TimeSource.class, time::clock)
                .withBean(SchedulerCustomizer.class, () -> time::applyTo)
                .withBean(VirtualTime.class, () -> time, bean -> bean.setDestroyMethodName(""))
                .withBean(Ends.class);
        for (Object bean : beans) {
            runner = with(runner, bean);
        }
        return runner;
    }

    @SuppressWarnings("unchecked")
    private static <T> ApplicationContextRunner with(ApplicationContextRunner runner, T bean) {
        String type = bean.getClass().getSimpleName();
        return runner.withBean(
                Character.toLowerCase(type.charAt(0)) + type.substring(1), (Class<T>) bean.getClass(), () -> bean);
    }

    private static Consumer<AssertableApplicationContext> started(Consumer<Scheduler> then) {
        return context -> {
            assertThat(context).hasNotFailed();
            then.accept(context.getBean(Scheduler.class));
        };
    }

    private void run(ApplicationContextRunner runner, Consumer<Scheduler> then) {
        runner.run(context -> started(then).accept(context));
    }

    private static List<String> keys(Scheduler scheduler) {
        return scheduler.listJobs(JobQuery.ofApplication("shop")).jobs().stream()
                .map(job -> job.specification().jobSpecificationKey())
                .toList();
    }

    private static Job job(Scheduler scheduler, String key) {
        return scheduler.findJobById(key).orElseThrow();
    }

    static class Till {
        @AlmanacJob(key = "close-till", cron = "0 30 18 * * *", zone = "Europe/Berlin", missedFires = "SKIP")
        void close() {}
    }

    static class LaterTill {
        @AlmanacJob(key = "close-till", cron = "0 0 19 * * *", zone = "Europe/Berlin", missedFires = "SKIP")
        void close() {}
    }

    static class Cleaner {
        final List<Instant> cleaned = new ArrayList<>();

        @AlmanacJob(key = "clean", fixedRateString = "${clean.rate:6h}", initialDelayString = "90m")
        void clean(Execution run) {
            cleaned.add(run.fireTime());
        }
    }

    @Test
    @DisplayName(
            "S10: a declared one-off that has had its moment keeps no service from starting; one that never had it does")
    void pastMoment() {
        List<Instant> ran = new ArrayList<>();
        ApplicationContextRunner declaring = declaring("migrate", "2030-01-07T09:00:00Z", ran);
        run(declaring, scheduler -> time.advance(Duration.ofHours(2)));
        time.advance(Duration.ofDays(2));
        run(declaring, scheduler -> assertThat(keys(scheduler)).isEmpty());
        assertThat(ran).containsExactly(Instant.parse("2030-01-07T09:00:00Z"));
        declaring("late", "2030-01-07T09:30:00Z", ran)
                .run(context ->
                        assertThat(problems(context)).extracting(Problem::rule).containsExactly("M2"));
    }

    private ApplicationContextRunner declaring(String key, String at, List<Instant> ran) {
        record Migrate() implements SchedulingCommand {}
        JobSpecification job = JobSpecification.oneOff(key, Instant.parse(at), new Migrate());
        return service()
                .withBean(
                        "commands",
                        SchedulerCustomizer.class,
                        () -> builder ->
                                builder.command("migrate", 1, Migrate.class, (note, run) -> ran.add(run.fireTime())))
                .withBean(key, JobSpecification.class, () -> job);
    }

    @Test
    @DisplayName("S10: beans without a key are refused for that, and not for sharing one")
    void keyless() {
        declaring("one", "2031-01-01T00:00:00Z", new ArrayList<>())
                .withBean(
                        "two",
                        JobSpecification.class,
                        () -> JobSpecification.builder().build())
                .withBean(
                        "three",
                        JobSpecification.class,
                        () -> JobSpecification.builder().build())
                .run(context -> assertThat(problems(context))
                        .filteredOn(problem -> problem.field().endsWith("ey"))
                        .extracting(Problem::field, Problem::value)
                        .containsExactlyInAnyOrder(
                                tuple("bean 'two': jobSpecificationKey", null),
                                tuple("bean 'three': jobSpecificationKey", null)));
    }

    @Test
    @DisplayName("S10: a start with the same annotations changes nothing, and an initial delay counts once")
    void again() {
        Cleaner cleaner = new Cleaner();
        run(service(new Till(), cleaner), scheduler -> {
            assertThat(keys(scheduler)).containsExactly("clean", "close-till");
            assertThat(job(scheduler, "close-till").specification().missedFirePolicy())
                    .hasToString("SKIP");
            time.advance(Duration.ofHours(1));
            assertThat(cleaner.cleaned).isEmpty();
        });
        run(service(new Till(), cleaner), scheduler -> {
            assertThat(keys(scheduler)).containsExactly("clean", "close-till");
            assertThat(scheduler.history("clean")).as("no row of a change").hasSize(1);
            assertThat(scheduler.history("close-till")).hasSize(1);
            time.advance(Duration.ofHours(1));
            assertThat(cleaner.cleaned).containsExactly(Instant.parse("2030-01-07T09:30:00Z"));
        });
        run(service(new Till(), cleaner), scheduler -> {
            time.advance(Duration.ofHours(6));
            assertThat(cleaner.cleaned)
                    .as("another start does not move it")
                    .containsExactly(Instant.parse("2030-01-07T09:30:00Z"), Instant.parse("2030-01-07T15:30:00Z"));
        });
    }

    static class Sweeper {
        final List<Instant> swept = new ArrayList<>();

        @AlmanacJob(key = "sweep", fixedRate = 24, initialDelay = 0, timeUnit = TimeUnit.HOURS)
        void sweep(Execution run) {
            swept.add(run.fireTime());
        }
    }

    @Test
    @DisplayName("S10: an initial delay of zero is none: the job runs at once, and not again at the next start")
    void noDelay() {
        Sweeper sweeper = new Sweeper();
        for (int start = 0; start < 2; start++) {
            run(service(sweeper), scheduler -> {
                time.advance(Duration.ofMinutes(1));
                assertThat(sweeper.swept).hasSize(1);
            });
        }
    }

    static class Slow {
        @AlmanacJob(key = "clean", fixedRateString = "6h", initialDelayString = "90m")
        void clean() {}
    }

    @Test
    @DisplayName("S10: nodes that start together agree on the beginning of a job with an initial delay")
    void together() {
        List<Instant> begins = new ArrayList<>();
        run(service(new Slow()), first -> {
            begins.add(job(first, "clean").specification().startAt().orElseThrow());
            time.advance(Duration.ofSeconds(5));
            // it was checked while no job was stored
            run(
                    service(new Slow()),
                    second -> assertThat(second.history("clean")).hasSize(1));
            begins.add(job(first, "clean").specification().startAt().orElseThrow());
        });
        assertThat(begins).containsOnly(Instant.parse("2030-01-07T09:30:00Z"));
    }

    static class Reports {
        @AlmanacJob(key = "report/daily", cron = "0 0 9 * * *")
        void one() {}

        @AlmanacJob(key = "report-daily", cron = "0 0 9 * * *")
        void other() {}

        @AlmanacJob(
                key =
                        "a-key-of-a-hundred-and-twenty-characters-which-is-longer-than-the-name-of-a-type-may-be-so-it-is-cut-somewhere-1",
                cron = "0 0 9 * * *")
        void long1() {}

        @AlmanacJob(
                key =
                        "a-key-of-a-hundred-and-twenty-characters-which-is-longer-than-the-name-of-a-type-may-be-so-it-is-cut-somewhere-2",
                cron = "0 0 9 * * *")
        void long2() {}
    }

    @Test
    @DisplayName("S10, R8: the command types of keys that look alike differ, so that no node claims the job of another")
    void typesOfKeys() {
        run(
                service(new Reports()),
                scheduler -> assertThat(scheduler
                                .listJobs(JobQuery.ofApplication("shop"))
                                .jobs())
                        .extracting(Job::commandType)
                        .hasSize(4)
                        .doesNotHaveDuplicates()
                        .contains("method.report-daily")
                        .allMatch(type -> type.length() <= 100 && type.matches("method\\.[a-z0-9-]+")));
    }

    @Test
    @DisplayName("S10: a job whose annotation has gone is kept, with a warning that names it")
    void disappeared(CapturedOutput output) {
        run(
                service(new Till(), new Cleaner()),
                scheduler -> assertThat(keys(scheduler)).hasSize(2));
        assertThat(output).doesNotContain("not declare");
        run(service(new Till()), scheduler -> assertThat(keys(scheduler)).containsExactly("clean", "close-till"));
        assertThat(output)
                .contains("WARN")
                .contains("does not declare 1 of its jobs any more, and they are kept: clean")
                .contains("almanac.reconcile=true");
    }

    @Test
    @DisplayName("S10: with almanac.reconcile=true it is cancelled; others of the database are not touched")
    void cancelled(CapturedOutput output) {
        run(
                service(new Till(), new Cleaner()),
                scheduler -> scheduler.scheduleJob(job(scheduler, "clean").specification().toBuilder()
                        .jobSpecificationKey("other")
                        .applicationTag("bakery")
                        .version(0)
                        .build()));
        run(service(new Till()).withPropertyValues("almanac.reconcile=true"), scheduler -> {
            assertThat(keys(scheduler)).containsExactly("close-till");
            assertThat(scheduler.findJobById("other")).isPresent();
        });
        assertThat(output)
                .contains("does not declare 1 of its jobs, and they are cancelled: clean")
                .doesNotContain("are kept");
    }

    @Test
    @DisplayName("S10, S14: without any annotation left all jobs are kept, with a warning, and the service starts")
    void allDisappeared(CapturedOutput output) {
        run(service(new Till()), scheduler -> assertThat(keys(scheduler)).hasSize(1));
        run(
                service().withPropertyValues("almanac.reconcile=true"),
                scheduler -> assertThat(keys(scheduler)).containsExactly("close-till"));
        assertThat(output)
                .contains("the jobs that are not declared any more are kept")
                .contains("close-till");
    }

    static class Shelves {
        final List<Instant> cleaned = new ArrayList<>();

        @AlmanacJob(key = "clean", fixedRateString = "6h", initialDelayString = "90m")
        void clean(Execution run) {
            cleaned.add(run.fireTime());
        }
    }

    @Test
    @DisplayName(
            "S10, R13: a key that another application owns is refused before the node starts, with every other problem,"
                    + " and no job of that application is called")
    void ofAnother(CapturedOutput output) {
        Cleaner cleaner = new Cleaner();
        run(service(cleaner).withPropertyValues("almanac.service-name=orders"), scheduler -> {});
        time.advance(Duration.ofDays(1));
        int begin = output.length();
        Shelves shelves = new Shelves();
        ApplicationContextRunner worker = noting(service(shelves))
                .withPropertyValues("almanac.service-name=orders", "spring.application.name=worker");
        worker.run(context -> {
            assertThat(output.toString().substring(begin)).doesNotContain("claims jobs from now on");
            assertThat(problems(context))
                    .singleElement()
                    .asString()
                    .startsWith("bean 'shelves', Shelves.clean, job 'clean': applicationTag 'shop' owns the live job")
                    .contains("use another key, or cancel that job");
        });
        JobSpecification tagged =
                JobSpecification.recurring("tagged", "0 0 9 * * ?", ZoneOffset.UTC, new Note()).toBuilder()
                        .applicationTag("bakery")
                        .build();
        JobSpecification bad = tagged.toBuilder()
                .jobSpecificationKey("bad")
                .applicationTag("worker")
                .schedulingSpecification("x")
                .build();
        worker.withBean("tagged", JobSpecification.class, () -> tagged)
                .withBean("bad", JobSpecification.class, () -> bad)
                .run(context -> assertThat(problems(context))
                        .extracting(Problem::field, Problem::value)
                        .containsExactlyInAnyOrder(
                                tuple("bean 'shelves', Shelves.clean, job 'clean': applicationTag", "shop"),
                                tuple("bean 'tagged': applicationTag", "bakery"),
                                tuple("bean 'bad': schedulingSpecification", "x")));
        assertThat(shelves.cleaned).isEmpty();
        run(service(cleaner).withPropertyValues("almanac.service-name=others"), scheduler -> {
            time.advance(Duration.ofMinutes(1));
            assertThat(cleaner.cleaned)
                    .as("its own application declares it under another requestor")
                    .hasSize(1);
        });
    }

    record Note() implements SchedulingCommand {}

    private static ApplicationContextRunner noting(ApplicationContextRunner service) {
        return service.withBean(
                "note",
                SchedulerCustomizer.class,
                () -> builder -> builder.command("note", 1, Note.class, (note, run) -> {}));
    }

    @Test
    @DisplayName("S10, R13: a live job that belongs to no application is not declared; a cancel frees its key")
    void ofNone() {
        JobSpecification job = JobSpecification.recurring("tidy", "0 0 9 * * ?", ZoneOffset.UTC, new Note());
        run(noting(service()), scheduler -> scheduler.scheduleJob(job));
        ApplicationContextRunner declaring = noting(service()).withBean("tidy", JobSpecification.class, () -> job);
        declaring.run(context -> assertThat(problems(context))
                .singleElement()
                .asString()
                .startsWith("bean 'tidy': applicationTag is missing in the live job of this key")
                .contains("cancel that job"));
        run(noting(service()), scheduler -> scheduler.cancelJob("tidy"));
        run(declaring, scheduler -> assertThat(keys(scheduler)).containsExactly("tidy"));
    }

    @Test
    @DisplayName("S10: a service without annotations leaves the jobs alone that it reconciles by itself")
    void ownReconcile(CapturedOutput output) {
        ApplicationContextRunner service = noting(service());
        JobSpecification own = JobSpecification.recurring("own", "0 0 9 * * ?", ZoneOffset.UTC, new Note());
        run(service, scheduler -> scheduler.reconcile("shop", List.of(own), false));
        run(
                service.withPropertyValues("almanac.reconcile=true"),
                scheduler -> assertThat(keys(scheduler)).containsExactly("own"));
        assertThat(output).doesNotContain("are kept");
    }

    @Test
    @DisplayName("S26: a lower release than the last one changes nothing, by almanac.release or by build-info")
    void releases(CapturedOutput output) {
        run(service(new LaterTill()).withPropertyValues("almanac.release=1.10"), scheduler -> {});
        Properties older = new Properties();
        older.setProperty("version", "1.9");
        BuildProperties build = new BuildProperties(older);
        run(
                service(new Till()).withBean(BuildProperties.class, () -> build),
                scheduler -> assertThat(
                                job(scheduler, "close-till").specification().schedulingSpecification())
                        .contains("0 0 19 * * *"));
        assertThat(output).contains("release 1.9 of application 'shop' declares nothing");
        run(
                service(new Till())
                        .withBean(BuildProperties.class, () -> build)
                        .withPropertyValues("almanac.release=1.11"),
                scheduler -> assertThat(
                                job(scheduler, "close-till").specification().schedulingSpecification())
                        .as("the setting counts, not the build")
                        .contains("0 30 18 * * *"));
    }

    private static List<Problem> problems(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        Throwable failure = context.getStartupFailure();
        while (!(failure instanceof InvalidJobException) && failure.getCause() != null) {
            failure = failure.getCause();
        }
        assertThat(failure).isInstanceOf(InvalidJobException.class);
        return ((InvalidJobException) failure).problems();
    }

    static class Bad {
        @AlmanacJob(key = "a", cron = "0 30 25 * * *", zone = "Europe/Berlln", retry = "R3/x", missedFires = "SOME")
        void wrongTexts() {}

        @AlmanacJob(key = "b", calendars = "no-such", fixedRate = 10)
        void wrongCalendar(String what, int much) {}

        @AlmanacJob(key = "c", cron = "${no.such.property}")
        void wrongPlaceholder() {}

        @AlmanacJob(key = "d", cron = "0 0 2 * * *", fixedDelayString = "soon", initialDelay = 5)
        void wrongChoice() {}

        @AlmanacJob(key = "e", fixedRate = 10_000)
        void first() {}

        @AlmanacJob(key = "e", fixedRate = 10_000)
        void second() {}

        @AlmanacJob(key = "", fixedRateString = "-PT10S")
        void nameless() {}
    }

    @Test
    @DisplayName("S10: bad annotations are one error with every problem of every method, and nothing is written")
    void bad() {
        service(new Till(), new Bad()).run(context -> {
            assertThat(problems(context))
                    .extracting(problem -> problem.field() + " = " + problem.value())
                    .containsExactlyInAnyOrder(
                            "bean 'bad', Bad.wrongTexts, job 'a': missedFires = SOME",
                            "bean 'bad', Bad.wrongTexts, job 'a': cron = 0 30 25 * * *",
                            "bean 'bad', Bad.wrongTexts, job 'a': zone = Europe/Berlln",
                            "bean 'bad', Bad.wrongTexts, job 'a': retry = R3/x",
                            "bean 'bad', Bad.wrongCalendar, job 'b': parameters = [class java.lang.String, int]",
                            "bean 'bad', Bad.wrongCalendar, job 'b': calendars = no-such",
                            "bean 'bad', Bad.wrongCalendar, job 'b': fixedRate = PT0.01S",
                            "bean 'bad', Bad.wrongPlaceholder, job 'c': cron = ${no.such.property}",
                            "bean 'bad', Bad.wrongChoice, job 'd': fixedDelay = soon",
                            "bean 'bad', Bad.wrongChoice, job 'd': cron, fixedRate, fixedDelay = null",
                            "bean 'bad', Bad.wrongChoice, job 'd': initialDelay = PT0.005S",
                            "bean 'bad', Bad.second, job 'e': key = e",
                            "bean 'bad', Bad.nameless: key = ",
                            "bean 'bad', Bad.nameless: fixedRate = -PT10S");
            assertThat(context.getStartupFailure())
                    .hasStackTraceContaining("nothing was written")
                    .hasStackTraceContaining("is also that of bean 'bad', Bad.first, job 'e'; each job needs its own");
        });
        assertThat(store.list(JobQuery.all()).jobs()).isEmpty();
        assertThat(store.cluster().nodes(Instant.EPOCH))
                .as("no node has started")
                .isEmpty();
    }

    static class Overloaded {
        @AlmanacJob(key = "all", fixedRate = 60_000, calendars = "no-such")
        void poll() {}

        @AlmanacJob(key = "one", fixedRate = 60_000, calendars = "no-such")
        void poll(Execution run) {}

        @AlmanacJob(
                key = "some",
                fixedRate = 60_000,
                calendars = {"gone", "${no.such.property}", "no-such"})
        void look() {}

        @AlmanacJob(key = "some", cron = "0 0 25 * * *")
        void lookAgain() {}
    }

    @Test
    @DisplayName(
            "S10: problems alike hide none: of two calendars, of methods of one name, of the second method of a key")
    void alike() {
        String poll = "bean 'overloaded', Overloaded.poll, job '";
        service(new Overloaded())
                .run(context -> assertThat(problems(context))
                        .extracting(problem -> problem.field() + " = " + problem.value())
                        .containsExactlyInAnyOrder(
                                poll + "all': calendars = no-such",
                                poll + "one': calendars = no-such",
                                "bean 'overloaded', Overloaded.look, job 'some': calendars = gone",
                                "bean 'overloaded', Overloaded.look, job 'some': calendars = ${no.such.property}",
                                "bean 'overloaded', Overloaded.look, job 'some': calendars = no-such",
                                "bean 'overloaded', Overloaded.lookAgain, job 'some': key = some",
                                "bean 'overloaded', Overloaded.lookAgain, job 'some': cron = 0 0 25 * * *"));
        assertThat(store.list(JobQuery.all()).jobs()).isEmpty();
    }

    private static ApplicationContextRunner every(ApplicationContextRunner runner, @Nullable String value) {
        return value == null ? runner : runner.withPropertyValues("sync.every=" + value);
    }

    static class Synced {
        final List<Instant> rated = new ArrayList<>();
        final List<Instant> delayed = new ArrayList<>();

        @AlmanacJob(key = "rate", fixedRateString = "${sync.every:}")
        void rate(Execution run) {
            rated.add(run.fireTime());
        }

        @AlmanacJob(key = "delay", fixedDelayString = "${sync.every:}")
        void delay(Execution run) {
            delayed.add(run.fireTime());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"600000", "10m", "PT10M"})
    @DisplayName("S10: a rate and a delay may be texts: a number, or a duration of Spring or of ISO 8601")
    void texts(String tenMinutes) {
        Synced synced = new Synced();
        run(every(service(synced), tenMinutes), scheduler -> {
            time.advance(Duration.ofMinutes(25));
            assertThat(synced.rated).as("at once, and twice after it").hasSize(3);
            assertThat(synced.delayed).hasSize(3);
        });
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "soon"})
    @DisplayName("S10: a rate or a delay whose placeholder is empty or no duration is refused, and nothing is stored")
    void emptyTexts(@Nullable String value) {
        Synced synced = new Synced();
        every(service(synced), value)
                .run(
                        context -> assertThat(problems(context))
                                .extracting(Problem::field)
                                .containsExactlyInAnyOrderElementsOf(
                                        "soon".equals(value)
                                                ? List.of(
                                                        "bean 'synced', Synced.rate, job 'rate': fixedRate",
                                                        "bean 'synced', Synced.delay, job 'delay': fixedDelay")
                                                : List.of(
                                                        "bean 'synced', Synced.rate, job 'rate': cron, fixedRate, fixedDelay",
                                                        "bean 'synced', Synced.delay, job 'delay': cron, fixedRate, fixedDelay")));
        time.advance(Duration.ofDays(1));
        assertThat(store.list(JobQuery.all()).jobs()).isEmpty();
        assertThat(synced.rated).isEmpty();
        assertThat(synced.delayed).isEmpty();
    }

    static class Blank {
        @AlmanacJob(key = "", fixedRateString = " ", retry = "R3/x", zone = "Europe/Berlln")
        void blank() {}
    }

    @Test
    @DisplayName("S10: a missing schedule hides no problem of another text")
    void blankText() {
        service(new Blank())
                .run(context -> assertThat(problems(context))
                        .extracting(Problem::field)
                        .containsExactlyInAnyOrder(
                                "bean 'blank', Blank.blank: cron, fixedRate, fixedDelay",
                                "bean 'blank', Blank.blank: key",
                                "bean 'blank', Blank.blank: retry",
                                "bean 'blank', Blank.blank: zone"));
    }

    static class Either {
        @AlmanacJob(
                key = "nightly",
                cron = "0 0 2 * * *",
                fixedRateString = "${sync.every:}",
                calendars = "${sync.calendar:}",
                missedFires = "${sync.missed:}")
        void nightly() {}

        @AlmanacJob(key = "closing", cron = "${sync.cron:0 0 18 * * *}", fixedDelayString = "${sync.every:}")
        void closing() {}

        @AlmanacJob(key = "hourly", fixedRate = 3_600_000, fixedRateString = "${sync.every:}")
        void hourly() {}
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "")
    @DisplayName("S10: beside a cron or a number, a rate or a delay whose placeholder is empty is none")
    void emptyBesideAnother(@Nullable String value) {
        run(every(service(new Either()), value), scheduler -> {
            assertThat(keys(scheduler)).containsExactly("closing", "hourly", "nightly");
            assertThat(job(scheduler, "nightly").specification().schedulingSpecification())
                    .contains("0 0 2 * * *");
            assertThat(job(scheduler, "nightly").specification().calendars()).isEmpty();
            assertThat(job(scheduler, "nightly").specification().missedFirePolicy())
                    .isEqualTo(MissedFirePolicy.RUN_LATEST);
            assertThat(job(scheduler, "closing").specification().schedulingSpecification())
                    .contains("0 0 18 * * *");
            assertThat(job(scheduler, "hourly").specification().schedulingSpecification())
                    .contains("PT1H");
        });
    }

    private List<String> problemsOf(ApplicationContextRunner service) {
        List<String> fields = new ArrayList<>();
        service.run(context -> problems(context).forEach(problem -> fields.add(problem.field())));
        return fields;
    }

    @Test
    @DisplayName("S10: beside a cron or a number, a rate or a delay that is set is one too many, good or bad")
    void several() {
        String nightly = "bean 'either', Either.nightly, job 'nightly': ";
        String closing = "bean 'either', Either.closing, job 'closing': ";
        String hourly = "bean 'either', Either.hourly, job 'hourly': ";
        String schedules = "cron, fixedRate, fixedDelay";
        assertThat(problemsOf(every(service(new Either()), "10m")))
                .containsExactlyInAnyOrder(nightly + schedules, closing + schedules, hourly + "fixedRate");
        assertThat(problemsOf(every(service(new Either()), "10m").withPropertyValues("sync.cron=")))
                .as("the empty cron is none")
                .containsExactlyInAnyOrder(nightly + schedules, hourly + "fixedRate");
        assertThat(problemsOf(every(service(new Either()), "soon")))
                .containsExactlyInAnyOrder(
                        nightly + schedules,
                        nightly + "fixedRate",
                        closing + schedules,
                        closing + "fixedDelay",
                        hourly + "fixedRate",
                        hourly + "fixedRate");
        assertThat(store.list(JobQuery.all()).jobs()).isEmpty();
    }

    @Test
    @DisplayName("S10: without spring.application.name declared jobs are refused, with what to do")
    void nameless() {
        service(new Till()).withPropertyValues("spring.application.name=").run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .rootCause()
                    .hasMessageContaining("spring.application.name")
                    .hasMessageContaining("so set it");
        });
        run(service().withPropertyValues("spring.application.name="), scheduler -> {});
    }

    /** A bean that stands behind a proxy of its interfaces. */
    interface Greeter {
        void greet();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Hidden {
        @Transactional
        static class Proxied implements Greeter {
            @Override
            @AlmanacJob(key = "greet", fixedRate = 60_000)
            public void greet() {}

            @AlmanacJob(key = "hidden", fixedRate = 60_000)
            public void hidden() {}
        }

        @Bean
        Proxied greeter() {
            return new Proxied();
        }

        @Bean
        PlatformTransactionManager transactions() {
            return new MemoryTransactions();
        }
    }

    @EnableTransactionManagement(proxyTargetClass = true)
    static class Shyness {
        static class Shy {
            /** A proxy made by a subclass has none. */
            private final List<String> calls = new ArrayList<>();

            @AlmanacJob(key = "shy", fixedRate = 60_000)
            private void shy() {
                calls.add("shy");
            }

            @Transactional
            public void other() {}
        }

        @Bean
        Shy shy() {
            return new Shy();
        }

        @Bean
        PlatformTransactionManager transactions() {
            return new MemoryTransactions();
        }
    }

    private static final String SHY = "bean 'shy', Shy.shy, job 'shy': method 'shy' cannot be called through its proxy";

    @Test
    @DisplayName(
            "S10: a method that the proxy of its bean does not show is refused where that is made behind the scheduler")
    void proxiedLater() {
        service()
                .withBean(Early.class)
                .withUserConfiguration(Shyness.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining(SHY));
    }

    @Test
    @DisplayName("S10: a run of a method that the proxy of its lazy bean does not show fails in the same words")
    void proxiedLazily() {
        run(lazy(service().withUserConfiguration(Shyness.class), "shy"), scheduler -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(scheduler.openFailures(null, null).rows())
                    .singleElement()
                    .asString()
                    .contains(SHY)
                    .doesNotContain("NullPointerException");
        });
    }

    @Test
    @DisplayName("S10: a method of an interface is called, also on the proxy of a lazy bean")
    void shownLazily() {
        run(lazy(service().withUserConfiguration(Shown.class), "greeter"), scheduler -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(Shown.GREETED).hasSize(1);
        });
    }

    static class Made implements FactoryBean<Sweeper> {
        static final Sweeper SWEEPER = new Sweeper();

        @Override
        public Sweeper getObject() {
            return SWEEPER;
        }

        @Override
        public Class<Sweeper> getObjectType() {
            return Sweeper.class;
        }
    }

    @Test
    @DisplayName("S10: a method of what a factory makes is called, also if that is made behind the scheduler")
    void ofFactory() {
        run(service().withBean(Early.class).withBean("swept", Made.class), scheduler -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(Made.SWEEPER.swept).hasSize(1);
        });
    }

    private static ApplicationContextRunner lazy(ApplicationContextRunner service, String bean) {
        return service.withInitializer(context -> context.addBeanFactoryPostProcessor(
                beans -> beans.getBeanDefinition(bean).setLazyInit(true)));
    }

    @EnableTransactionManagement
    static class Shown {
        static final List<Instant> GREETED = new ArrayList<>();

        @Transactional
        static class Proxied implements Greeter {
            @Override
            @AlmanacJob(key = "greet", fixedRate = 60_000)
            public void greet() {
                GREETED.add(Instant.EPOCH);
            }
        }

        @Bean
        Proxied greeter() {
            return new Proxied();
        }

        @Bean
        PlatformTransactionManager transactions() {
            return new MemoryTransactions();
        }
    }

    /** Calls the scheduler while it is made of this helper. */
    static class Hasty implements SchedulingHelper {
        Hasty(Scheduler scheduler) {
            scheduler.pauses();
        }

        @Override
        public boolean supports(SchedulingCommand command) {
            return false;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    @DisplayName("S10: a helper that calls the scheduler in its constructor is told what to do instead")
    void hasty() {
        service()
                .withBean(Hasty.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(
                                "is part of the scheduler, or a part needs it, and uses it while it is made itself")
                        .hasStackTraceContaining("use it later, such as for ApplicationReadyEvent"));
    }

    @Test
    @DisplayName("S10: a method that the proxy of its bean does not show is refused; one of its interface is called")
    void proxied() {
        service()
                .withUserConfiguration(Hidden.class)
                .run(context -> assertThat(problems(context))
                        .singleElement()
                        .asString()
                        .startsWith("bean 'greeter', Proxied.hidden, job 'hidden': method 'hidden' cannot be called"));
    }

    @Test
    @DisplayName("S10: a cron of a single dash declares no job")
    void disabled() {
        class Off {
            @AlmanacJob(key = "off", cron = "${off.cron}")
            void never() {}
        }
        run(
                service(new Off(), new Till()).withPropertyValues("off.cron=-"),
                scheduler -> assertThat(keys(scheduler)).containsExactly("close-till"));
    }

    /** Hides the class of the bean behind it. */
    interface Closing {}

    static class HiddenTill extends Till implements Closing {}

    /** Uses the scheduler before the other beans are made. */
    static class Early {
        Early(Scheduler scheduler) {
            scheduler.pauses();
        }
    }

    private static Throwable rootCause(Throwable failure) {
        return failure.getCause() == null ? failure : rootCause(failure.getCause());
    }

    @Test
    @DisplayName(
            "S10: a method that was not known when the scheduler was made is refused at the start, and cancels no job")
    void tooLate() {
        run(service(new Till(), new Cleaner()), scheduler -> {});
        service(new Cleaner())
                .withPropertyValues("almanac.reconcile=true")
                .withBean(Early.class)
                .withBean("till", Closing.class, HiddenTill::new)
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(rootCause(context.getStartupFailure()))
                            .hasMessageContaining("bean 'till', HiddenTill.close, job 'close-till'")
                            .hasMessageContaining("return HiddenTill from its @Bean method");
                });
        assertThat(store.list(JobQuery.all()).jobs()).hasSize(2);
        run(
                service(new Cleaner())
                        .withPropertyValues("almanac.reconcile=true")
                        .withBean("till", Closing.class, HiddenTill::new),
                scheduler -> assertThat(keys(scheduler))
                        .as("known in time, by the bean itself")
                        .containsExactly("clean", "close-till"));
    }

    @Test
    @DisplayName(
            "S10: while the class of a lazy bean is not known no job is cancelled; its methods are refused when it is made")
    void lazyBean(CapturedOutput output) {
        run(service(new Till(), new Cleaner()), scheduler -> {});
        service(new Cleaner())
                .withPropertyValues("almanac.reconcile=true")
                .withBean("till", Closing.class, HiddenTill::new, bean -> bean.setLazyInit(true))
                .run(context -> {
                    started(scheduler -> assertThat(keys(scheduler)).containsExactly("clean", "close-till"))
                            .accept(context);
                    assertThatThrownBy(() -> context.getBean("till"))
                            .rootCause()
                            .hasMessageContaining("bean 'till', HiddenTill.close, job 'close-till'");
                });
        assertThat(output).contains("WARN").contains("the classes of these beans are not known: till");
        run(
                service(new Cleaner())
                        .withPropertyValues("almanac.reconcile=true")
                        .withBean("till", HiddenTill.class, HiddenTill::new, bean -> bean.setLazyInit(true)),
                scheduler ->
                        assertThat(keys(scheduler)).as("its class is known").containsExactly("clean", "close-till"));
    }

    static class Detached {
        @AlmanacJob(key = "a", fixedRate = 60_000)
        Future<String> future() {
            return new FutureTask<>(() -> "later");
        }

        @AlmanacJob(key = "b", fixedRate = 60_000)
        Flow.Publisher<String> publisher() {
            return subscriber -> {};
        }

        @Async
        @AlmanacJob(key = "c", fixedRate = 60_000)
        public void async() {}

        @AlmanacJob(key = "d", fixedRate = 60_000)
        CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture("now");
        }
    }

    @Test
    @DisplayName("S10: a method whose work ends after its return, out of sight, is refused with what to do")
    void detached() {
        service(new Detached())
                .run(context -> assertThat(problems(context))
                        .extracting(Problem::field)
                        .containsExactlyInAnyOrder(
                                "bean 'detached', Detached.future, job 'a': return type",
                                "bean 'detached', Detached.publisher, job 'b': return type",
                                "bean 'detached', Detached.async, job 'c': @Async"));
    }

    /** What Mockito's doubles answer. */
    private static @Nullable Object nothing(Method method) {
        Class<?> type = method.getReturnType();
        return type == List.class ? List.of() : type == boolean.class ? Boolean.FALSE : type == int.class ? 0 : null;
    }

    @Test
    @DisplayName(
            "S10: where a double stands in the place of the scheduler, as by @MockitoBean, the declared jobs are left out, and that is said")
    void standIn(CapturedOutput output) {
        List<String> called = new ArrayList<>();
        Scheduler answersNothing = (Scheduler) Proxy.newProxyInstance(
                Scheduler.class.getClassLoader(), new Class<?>[] {Scheduler.class}, (proxy, method, arguments) -> {
                    called.add(method.getName());
                    return nothing(method);
                });
        service(new Till())
                .withInitializer(context -> context.addBeanFactoryPostProcessor(beans -> {
                    BeanDefinitionRegistry registry = (BeanDefinitionRegistry) beans;
                    String name = beans.getBeanNamesForType(Scheduler.class, true, false)[0];
                    registry.removeBeanDefinition(name);
                    registry.registerBeanDefinition(
                            name, new RootBeanDefinition(Scheduler.class, () -> answersNothing));
                }))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBean(Scheduler.class)
                        .isSameAs(answersNothing));
        assertThat(called).contains("reconcile", "beginDrain");
        assertThat(output).containsOnlyOnce("its Scheduler is a double").doesNotContain("NullPointerException");
    }

    @Test
    @DisplayName("S10, S15: the command type of a method can be limited; the injected scheduler reports fires")
    void usedAsAnother() {
        run(service(new Till()).withPropertyValues("almanac.type-limits.method.close-till=1"), scheduler -> {
            List<FireReport> reports = new ArrayList<>();
            scheduler.fireReports().read(store.list(JobQuery.all()).jobs(), time.now(), reports::add);
            assertThat(reports).extracting(FireReport::jobSpecificationKey).containsExactly("close-till");
        });
    }

    @Test
    @DisplayName(
            "S15, S14: what all methods have in common is no command type: a limit or defaults of it are refused, a"
                    + " pause of it holds nothing, and the defaults of one method are not those of another")
    void noTypeOfAll() {
        for (String setting : List.of("type-limits.method=1", "type-defaults.method.priority=2")) {
            service(new Till())
                    .withPropertyValues("almanac." + setting)
                    .run(context -> assertThat(context.getStartupFailure())
                            .hasStackTraceContaining("of 'method' would have no effect"));
        }
        for (String key : List.of("clean", "close-till")) {
            run(
                    service(new Till(), new Cleaner())
                            .withPropertyValues("almanac.type-defaults.method." + key + ".retry=R1/PT1M"),
                    scheduler -> {
                        assertThat(scheduler.isKnown(PauseScope.commandType("method")))
                                .isFalse();
                        assertThat(scheduler.isKnown(PauseScope.commandType("method." + key)))
                                .isTrue();
                        keys(scheduler)
                                .forEach(other -> assertThat(job(scheduler, other)
                                                .specification()
                                                .retryPolicy())
                                        .as(other)
                                        .hasToString(other.equals(key) ? "R1/PT1M" : "none"));
                    });
        }
    }

    static class Vague {
        @AlmanacJob(key = "vague", fixedRate = 60_000)
        Object vague() {
            return new FutureTask<>(() -> "later");
        }
    }

    @Test
    @DisplayName("S10: a run that returns what it cannot wait for is no success")
    void vague() {
        run(service(new Vague()), scheduler -> {
            time.advance(Duration.ofSeconds(1));
            assertThat(scheduler.openFailures(null, null).rows())
                    .singleElement()
                    .asString()
                    .contains("FutureTask");
        });
    }

    @Test
    @DisplayName("S10: a job of a method is found behind the first page of the application's jobs")
    void manyJobs(CapturedOutput output) {
        ApplicationContextRunner noting = noting(service());
        run(with(noting, new Till()), scheduler -> {
            for (int i = 0; i < 150; i++) {
                scheduler.scheduleJob(
                        JobSpecification.recurring("a-" + i, "0 0 9 * * ?", ZoneOffset.UTC, new Note()).toBuilder()
                                .applicationTag("shop")
                                .build());
            }
        });
        run(noting, scheduler -> {});
        assertThat(output).contains("does not declare 151 of its jobs any more");
    }
}
