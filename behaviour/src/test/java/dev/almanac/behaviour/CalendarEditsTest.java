package dev.almanac.behaviour;

import static dev.almanac.behaviour.MinuteCalendar.excluding;
import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.behaviour.World.Call;
import dev.almanac.behaviour.World.Machine;
import dev.almanac.model.FindScope;
import dev.almanac.model.InvalidJobException;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.ReplanResult;
import dev.almanac.store.CalendarEdit;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobRegister;
import dev.almanac.store.JobStore;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoreInspection;
import dev.almanac.store.StoreInspection.ShownRow;
import dev.almanac.store.StoredCalendar;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.ExclusionCalendar;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What may go wrong around an edit of a calendar (rule C5), over memory and a real server. */
class CalendarEditsTest extends OverStores {
    private static final Instant FIRST = START.plusSeconds(60);

    private Machine node(String name) {
        return world.node(name, world.store, Duration.ZERO, builder -> builder.calendarReader(MinuteCalendar::read));
    }

    private ExclusionCalendar slow(ExclusionCalendar calendar, AtomicBoolean slow) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                world.time.advance(Duration.ofMillis(slow.get() ? 100 : 0));
                return calendar.isIncluded(instant, jobZone);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
                return calendar.nextIncluded(from, jobZone);
            }
        };
    }

    private static JobSpecification minutely() {
        return job("j").schedulingSpecification("0 * * * * ?").calendar("bank").build();
    }

    private static Instant next(Scheduler scheduler) {
        return scheduler.findJobById("j").orElseThrow().nextFireTime();
    }

    @Test
    @DisplayName("C5: the versions of a calendar only rise, also when it is deleted and stored again")
    void versions() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("2"));
        assertThat(a.scheduler()
                        .calendars()
                        .put("bank", excluding("3"))
                        .calendar()
                        .version())
                .isEqualTo(2);
        assertThat(a.scheduler().calendars().delete("bank")).isTrue();
        assertThat(a.scheduler().calendars().list()).isEmpty();
        assertThat(a.scheduler().calendars().delete("bank")).isFalse();
        assertThatThrownBy(() -> a.scheduler().scheduleJob(minutely())).isInstanceOf(InvalidJobException.class);
        assertThat(a.scheduler()
                        .calendars()
                        .put("bank", excluding("4"))
                        .calendar()
                        .version())
                .isGreaterThan(2);
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofMinutes(5));
        assertThat(world.callsOf("j")).extracting(Call::fire).doesNotContain(START.plus(Duration.ofMinutes(4)));
        assertThat(world.callsOf("j")).hasSize(4);
    }

    @Test
    @DisplayName("S22: each version of a calendar that was replaced or deleted can be read, with its author")
    void replacedVersions() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler().as("bob", null).calendars().put("bank", excluding("3"));
        a.scheduler().calendars().delete("bank");
        a.scheduler().calendars().put("bank", excluding("4"));
        List<StoredCalendar> versions = world.store.cluster().calendarVersions(List.of("bank"));
        assertThat(versions).extracting(StoredCalendar::version).containsExactlyInAnyOrder(1L, 2L, 3L);
        assertThat(versions).filteredOn(StoredCalendar::deleted).hasSize(1);
        assertThat(versions)
                .filteredOn(version -> version.version() == 2)
                .singleElement()
                .satisfies(version -> {
                    assertThat(version.author()).isEqualTo("bob");
                    assertThat(version.definition()).isEqualTo(excluding("3"));
                });
    }

    @Test
    @DisplayName(
            "C5: a run that lasts through an edit plans its next fire by the edited calendar, on an idle node, too")
    void runThroughAnEdit() {
        Machine a = node("a");
        Machine b = node("b");
        a.scheduler().calendars().put("bank", excluding("2"));
        CompletableFuture<Void> end = new CompletableFuture<>();
        world.work = call -> end;
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofSeconds(70));
        assertThat(world.callsOf("j")).hasSize(1);
        b.scheduler().calendars().put("bank", excluding("3"));
        end.complete(null);
        // it may be planned by a reading from just before the edit: nodes look at edits with each heartbeat
        world.pass(Duration.ofSeconds(12));
        assertThat(next(a.scheduler())).as("minute 2 is open by now").isEqualTo(FIRST.plusSeconds(60));
        world.pass(Duration.ofMinutes(3));
        assertThat(world.callsOf("j"))
                .extracting(Call::fire)
                .containsExactly(FIRST, FIRST.plusSeconds(60), FIRST.plusSeconds(180));
    }

    @Test
    @DisplayName("C5, 16.5: an edit of an expensive calendar plans for 10 s, says how far it came, and a node plans the"
            + " rest")
    void budget() {
        AtomicBoolean expensive = new AtomicBoolean();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(definition -> slow(MinuteCalendar.read(definition), expensive)));
        a.scheduler().calendars().put("bank", excluding("59"));
        for (int i = 0; i < 300; i++) {
            a.scheduler()
                    .scheduleJob(job("j" + i)
                            .schedulingSpecification("0 * * * * ?")
                            .startAt(START.plusSeconds(i))
                            .calendar("bank")
                            .build());
        }
        expensive.set(true);
        ReplanResult first =
                a.scheduler().calendars().put("bank", excluding("10-30")).jobs();
        expensive.set(false);
        assertThat(first.complete()).isFalse();
        assertThat(first.failed()).isZero();
        assertThat(first.looked()).isBetween(1L, 299L);
        world.pass(Duration.ofMinutes(9));
        assertThat(a.scheduler().listJobs(JobQuery.all().limit(300)).jobs())
                .hasSize(300)
                .allSatisfy(found -> assertThat(found.nextFireTime()).isEqualTo(START.plus(Duration.ofMinutes(31))));
        assertThat(a.scheduler()
                        .calendars()
                        .put("bank", excluding("11-30"))
                        .jobs()
                        .complete())
                .isTrue();
    }

    @Test
    @DisplayName("C5: a re-planning that its editor could not do is done by a node that is there, though it is idle")
    void owed() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("1-30"));
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofMinutes(2));
        assertThat(next(a.scheduler())).isEqualTo(START.plus(Duration.ofMinutes(31)));
        StoredCalendar stored = a.scheduler().calendars().list().get(0);
        // an editor that died right after its write
        assertThat(world.store
                        .cluster()
                        .putCalendar(new StoredCalendar(
                                "bank", stored.version() + 1, excluding("50"), world.time.wall(), "", false)))
                .isTrue();
        world.pass(Duration.ofSeconds(50));
        assertThat(next(a.scheduler())).isBefore(START.plus(Duration.ofMinutes(5)));
        int rows = a.scheduler().history("j").size();
        world.pass(Duration.ofSeconds(5));
        assertThat(a.scheduler().history("j").size()).as("and only once").isLessThanOrEqualTo(rows + 1);
    }

    /** A calendar that is closed until it opens, or that fails for the jobs of one zone. */
    private static ExclusionCalendar overflowing(Map<String, Object> definition, List<Instant> asked, World world) {
        return new ExclusionCalendar() {
            @Override
            public boolean isIncluded(Instant instant, ZoneId jobZone) {
                return nextIncluded(instant, jobZone).orElseThrow().equals(instant);
            }

            @Override
            public Optional<Instant> nextIncluded(Instant from, ZoneId jobZone) {
                if (definition.containsKey("fails") && jobZone.getId().equals("Asia/Tokyo")) {
                    asked.add(world.time.wall());
                    throw new StackOverflowError();
                }
                Instant opens = START.plus(Duration.ofHours(2));
                return Optional.of(definition.containsKey("closed") && from.isBefore(opens) ? opens : from);
            }
        };
    }

    @Test
    @DisplayName("C5, X2: an Error of a calendar for one job keeps no other job from its plan; tries come less often")
    void errorOfOneJob() {
        List<Instant> asked = new ArrayList<>();
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(definition -> overflowing(definition, asked, world)));
        a.scheduler().calendars().put("bank", Map.of("closed", true));
        a.scheduler()
                .scheduleJob(minutely().toBuilder()
                        .jobSpecificationKey("first")
                        .zoneId(ZoneId.of("Asia/Tokyo"))
                        .build());
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofSeconds(5));
        CalendarEdit edit = a.scheduler().calendars().put("bank", Map.of("fails", true));
        assertThat(edit.calendar().version()).isEqualTo(2);
        assertThat(edit.jobs().looked()).isEqualTo(2);
        assertThat(edit.jobs().moved()).isEqualTo(1);
        assertThat(edit.jobs().complete()).as("'first' is not planned again").isFalse();
        assertThat(edit.jobs().failed()).isEqualTo(1);
        assertThat(edit.jobs().failure()).contains("'first'", "StackOverflowError");
        assertThat(next(a.scheduler())).isEqualTo(FIRST);
        world.pass(Duration.ofMinutes(30));
        assertThat(world.callsOf("j")).hasSize(30);
        assertThat(asked).as("tries within half an hour").hasSizeBetween(4, 30);
        a.scheduler().calendars().put("bank", Map.of("open", true));
        world.pass(Duration.ofMinutes(2));
        assertThat(world.callsOf("first")).hasSize(3);
    }

    @Test
    @DisplayName(
            "C5, X2: a calendar that refuses a job by IllegalArgumentException has failed, and the job is tried again")
    void refusedByACalendar() {
        AtomicBoolean refuses = new AtomicBoolean();
        ExclusionCalendar own = new HookedCalendar(() -> {
            if (refuses.get()) {
                throw new IllegalArgumentException("no data for 2099");
            }
        });
        Machine a = world.node(
                "a",
                world.store,
                Duration.ZERO,
                builder -> builder.calendarReader(MinuteCalendar::read).calendar("own", own));
        a.scheduler().calendars().put("bank", excluding("1-30"));
        a.scheduler()
                .scheduleJob(minutely().toBuilder().calendars("bank", "own").build());
        a.scheduler()
                .scheduleJob(minutely().toBuilder().jobSpecificationKey("k").build());
        refuses.set(true);
        ReplanResult jobs =
                a.scheduler().calendars().put("bank", excluding("50")).jobs();
        assertThat(jobs.looked()).isEqualTo(2);
        assertThat(jobs.moved()).isEqualTo(1);
        assertThat(jobs.complete()).isFalse();
        assertThat(jobs.failed()).isEqualTo(1);
        assertThat(jobs.failure()).contains("'j'", "no data for 2099");
        world.pass(Duration.ofSeconds(20));
        assertThat(a.scheduler().health().reasons()).anyMatch(reason -> reason.contains("planning jobs again"));
        refuses.set(false);
        world.pass(Duration.ofMinutes(5));
        assertThat(world.callsOf("j")).extracting(Call::fire).contains(START.plus(Duration.ofMinutes(4)));
    }

    @Test
    @DisplayName("C5: a job whose policy cannot move its fires is no failure of a calendar, and is not tried again")
    void withoutFires() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("1-30"));
        a.scheduler().scheduleJob(minutely());
        StoredJob stored = world.store.find("j", FindScope.LIVE).orElseThrow();
        StoredJob moved = stored.with(edit -> edit.specification(stored.specification().toBuilder()
                .schedulingSpecification("* * * * * ?")
                .calendarPolicy(CalendarPolicy.FOLLOWING)
                .build()));
        assertThat(world.store.write(List.of(new JobChange(stored, moved, List.of(), JobChange.By.REQUEST))))
                .containsExactly(true);
        ReplanResult jobs =
                a.scheduler().calendars().put("bank", excluding("50")).jobs();
        assertThat(jobs.failed()).isZero();
        assertThat(jobs.complete()).isTrue();
        world.pass(Duration.ofSeconds(20));
        assertThat(a.scheduler().health().reasons()).noneMatch(reason -> reason.contains("planning jobs again"));
    }

    @Test
    @DisplayName("C5: the same edit again finishes a planning that was torn, where no node is there to do it")
    void sameEditAgain() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("1-30"));
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofSeconds(30));
        a.lanes().close();
        Scheduler client = world.client(builder -> builder.calendarReader(MinuteCalendar::read));
        StoredCalendar stored = client.calendars().list().get(0);
        world.store
                .cluster()
                .putCalendar(new StoredCalendar(
                        "bank", stored.version() + 1, excluding("50"), world.time.wall(), "", false));
        assertThat(client.calendars().put("bank", excluding("50")).jobs().moved())
                .isEqualTo(1);
        assertThat(next(client)).isEqualTo(FIRST);
    }

    @Test
    @DisplayName("C5: a service that puts its calendar at each start reads no jobs for that")
    void sameAtEachStart() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("1-30"));
        a.scheduler().scheduleJob(minutely());
        world.pass(Duration.ofMinutes(20));
        AtomicBoolean listed = new AtomicBoolean();
        JobStore watched = StoreHook.over(world.store, (method, arguments, call) -> {
            listed.set(listed.get() || method.equals("list"));
            return call.proceed();
        });
        Scheduler client = world.client(builder -> builder.store(watched).calendarReader(MinuteCalendar::read));
        assertThat(client.calendars().put("bank", excluding("1-30")).jobs().looked())
                .isZero();
        assertThat(listed).isFalse();
    }

    /** Jobs are stored as the store does it, after something else has happened. */
    private record Meanwhile(JobRegister store, Runnable event) implements JobRegister {
        @Override
        public List<Boolean> insert(List<NewJob> jobs) {
            event.run();
            return store.insert(jobs);
        }

        @Override
        public Map<String, Integer> lastLives(Collection<String> keys) {
            return store.lastLives(keys);
        }

        @Override
        public Optional<StoredJob> find(String key, FindScope scope) {
            return store.find(key, scope);
        }

        @Override
        public List<Boolean> write(List<JobChange> changes) {
            return store.write(changes);
        }
    }

    /** What the pass decides by. */
    private static List<Object> decisive(ShownRow shown) {
        JobExecutionStatus row = shown.row();
        return Arrays.asList(
                shown.jobId(),
                shown.history(),
                shown.live(),
                shown.goesOn(),
                shown.plannedBy(),
                row.id(),
                row.executionStatus(),
                row.outcome(),
                row.updatedTime(),
                row.deleteTime());
    }

    @Test
    @DisplayName(
            "N4, N9: a page of the pass has what decides about the rows and plans of its jobs, as their documents do")
    void pageOfThePass() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler().scheduleJob(minutely());
        a.scheduler().scheduleJob(job("once").singleSchedule(FIRST).build());
        a.scheduler()
                .scheduleJob(job("later").singleSchedule(FIRST.plusSeconds(600)).build());
        world.work =
                call -> call.job().equals("j") ? new CompletableFuture<>() : CompletableFuture.completedFuture(null);
        a.scheduler().pause("later");
        world.pass(Duration.ofSeconds(70));
        List<ShownRow> page =
                ((StoreInspection) world.store).newestRows(null, 100).items();
        List<StoredJob> jobs =
                world.store.load(page.stream().map(ShownRow::jobId).distinct().toList());
        assertThat(jobs).hasSize(3);
        assertThat(page.stream().map(CalendarEditsTest::decisive))
                .containsExactlyInAnyOrderElementsOf(jobs.stream()
                        .flatMap(job -> ShownRow.of(job).stream())
                        .map(CalendarEditsTest::decisive)
                        .toList());
        a.scheduler()
                .scheduleJob(minutely().toBuilder().jobSpecificationKey("k").build());
        assertThat(((StoreInspection) world.store).newestRows(null, 100).items())
                .extracting(ShownRow::plannedBy)
                .contains(Map.of("bank", 1L));
    }

    private static JobSpecification followed() {
        return job("parent")
                .singleSchedule(FIRST)
                .onFailure(job("other")
                        .now()
                        .onSuccess(minutely().toBuilder()
                                .jobSpecificationKey("next {key}")
                                .build())
                        .build())
                .build();
    }

    @Test
    @DisplayName("C5: a calendar that only a follow-up of a follow-up names is in use: it is not deleted")
    void namedByFollowUp() {
        Machine a = node("a");
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler().scheduleJob(followed());
        assertThatThrownBy(() -> a.scheduler().calendars().delete("bank"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'parent'");
        a.scheduler().cancelJob("parent");
        assertThat(a.scheduler().calendars().delete("bank")).isTrue();
    }

    @Test
    @DisplayName(
            "C5: of saving a job whose follow-up names a calendar and deleting that at the same moment one is refused")
    void deletedMeanwhileForFollowUp() {
        Machine a = node("a");
        Machine b = node("b");
        a.scheduler().calendars().put("bank", excluding("2"));
        JobRegister torn =
                new Meanwhile(world.store, () -> b.scheduler().calendars().delete("bank"));
        assertThatThrownBy(() -> a.scheduler().in(torn).scheduleJob(followed()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("deleted at this moment");
        assertThat(a.scheduler().findJobById("parent")).isEmpty();
    }

    @Test
    @DisplayName("C5: of saving a job and deleting its calendar at the same moment one is refused")
    void deletedMeanwhile() {
        Machine a = node("a");
        Machine b = node("b");
        a.scheduler().calendars().put("bank", excluding("2"));
        JobRegister torn =
                new Meanwhile(world.store, () -> b.scheduler().calendars().delete("bank"));
        assertThatThrownBy(() -> a.scheduler().in(torn).scheduleJob(minutely()))
                .isInstanceOf(InvalidJobException.class)
                .hasMessageContaining("deleted at this moment");
        assertThat(a.scheduler().findJobById("j")).isEmpty();
        world.pass(Duration.ofMinutes(2));
        assertThat(world.calls).isEmpty();
        a.scheduler().calendars().put("bank", excluding("2"));
        a.scheduler().scheduleJob(minutely());
        assertThatThrownBy(() -> b.scheduler().calendars().delete("bank")).isInstanceOf(IllegalStateException.class);
        assertThat(a.scheduler().calendars().list()).hasSize(1);
    }
}
