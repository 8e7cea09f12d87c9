package dev.almanac.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.AbstractModule;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.typesafe.config.ConfigFactory;
import dev.almanac.Scheduler;
import dev.almanac.calendars.Calendars;
import dev.almanac.config.AlmanacConfig;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.helper.Execution;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.helper.TypedHelper;
import dev.almanac.model.ExecutionStatus;
import dev.almanac.model.FindScope;
import dev.almanac.model.JobQuery;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.mongo.MongoStoreSettings;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.memory.InMemoryJobStore;
import dev.almanac.testkit.server.MongoServer;
import dev.almanac.testkit.time.ManualLanes;
import dev.almanac.testkit.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SchedulerModuleTest {
    private static final Instant START = Instant.parse("2099-03-02T08:00:00Z");

    private static Module inMemory(JobStore store) {
        return new AbstractModule() {
            @Override
            protected void configure() {
                SchedulingHelperBinder.of(binder()).store().toInstance(store);
            }
        };
    }

    private static Module client(MongoClient client) {
        return new AbstractModule() {
            @Override
            protected void configure() {
                bind(MongoClient.class).toInstance(client);
            }
        };
    }

    private static AlmanacConfig config(String text) {
        return AlmanacConfig.read(ConfigFactory.parseString("almanac { " + text + " }"));
    }

    /** From start to drained stop; the letter arrives. */
    private static void sendOne(Injector injector) throws InterruptedException {
        SchedulerService service = injector.getInstance(SchedulerService.class).start();
        Scheduler scheduler = injector.getInstance(Scheduler.class);
        assertThat(service.scheduler()).isSameAs(scheduler);
        scheduler.scheduleJob(
                Letters.to("ann").singleSchedule(Instant.now().plusMillis(300)).build());
        assertThat(injector.getInstance(Letters.Sent.class).letters.poll(3, TimeUnit.MINUTES))
                .isEqualTo("ann");
        assertThat(injector.getInstance(Letters.Sent.class).marks).containsExactly("postmark", "stamp");
        service.stop();
        service.stop();
        Letters.Diary diary = injector.getInstance(Letters.Diary.class);
        assertThat(diary.has(SchedulerEvent.RunRecorded.class)).isTrue();
        assertThat(diary.has(SchedulerEvent.NodeStopped.class)).isTrue();
    }

    @Test
    @DisplayName("from the injector to the drained stop on the service's client, which stays open")
    void theirClient() throws InterruptedException {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        try (MongoClient client = MongoClients.create(server.uri())) {
            sendOne(Guice.createInjector(
                    new SchedulerModule(MongoStoreSettings.ofDatabase(database)), client(client), new Letters()));
            assertThat(client.getDatabase(database)
                            .getCollection("jobSpecification")
                            .countDocuments())
                    .isEqualTo(1);
            client.getDatabase(database).drop();
        }
    }

    @Test
    @DisplayName("from the injector to the drained stop on a client made from the URI, which is closed by the stop")
    void ownClient() throws InterruptedException {
        MongoServer server = MongoServer.shared();
        String database = server.freshDatabase();
        AlmanacConfig config = config("store { uri = \"" + server.uri() + "\", database = " + database + " }");
        Injector injector = Guice.createInjector(new SchedulerModule(config), new Letters());
        sendOne(injector);
        JobStore store = injector.getInstance(JobStore.class);
        assertThatThrownBy(() -> store.find("letter", FindScope.LIVE)).hasStackTraceContaining("state should be: open");
        try (MongoClient client = MongoClients.create(server.uri())) {
            client.getDatabase(database).drop();
        }
    }

    @Test
    @DisplayName("from the injector to the drained stop in memory, without any client")
    void memory() throws InterruptedException {
        sendOne(Guice.createInjector(
                new SchedulerModule(AlmanacConfig.defaults()),
                inMemory(new InMemoryJobStore(TimeSource.system())),
                new Letters()));
    }

    /** What runs letters; it is injected like any other object. */
    static final class Posting implements TypedHelper.Call<Letters.Letter> {
        private final Letters.Sent sent;

        @Inject
        Posting(Letters.Sent sent) {
            this.sent = sent;
        }

        @Override
        public void run(Letters.Letter letter, Execution run) {
            sent.letters.add(letter.to() + " by " + run.identifier());
        }
    }

    @Test
    @DisplayName(
            "a command type, and what runs it, are bound in one call: as a function, or as a class that is injected")
    void oneCall() throws InterruptedException {
        Letters.Sent sent = new Letters.Sent();
        Injector injector = Guice.createInjector(
                new SchedulerModule(config("service-name = mail")),
                inMemory(new InMemoryJobStore(TimeSource.system())),
                binder -> SchedulingHelperBinder.of(binder)
                        .command("letter", 1, Letters.Letter.class, Posting.class)
                        .command("stamp", 1, Stamp.class, (stamp, run) -> sent.letters.add("stamp")),
                binder -> binder.bind(Letters.Sent.class).toInstance(sent));
        try (SchedulerService service =
                injector.getInstance(SchedulerService.class).start()) {
            Scheduler scheduler = service.scheduler();
            scheduler.scheduleJob(
                    JobSpecification.oneOff("1", Instant.now().plusMillis(300), new Letters.Letter("ann")));
            assertThat(sent.letters.poll(3, TimeUnit.MINUTES)).isEqualTo("ann by 1");
            scheduler.scheduleJob(JobSpecification.oneOff("2", Instant.now().plusMillis(300), new Stamp()));
            assertThat(sent.letters.poll(3, TimeUnit.MINUTES)).isEqualTo("stamp");
            assertThat(scheduler
                            .findJobById("2", FindScope.INCLUDING_FINISHED)
                            .orElseThrow()
                            .specification()
                            .jobRequestor())
                    .isEqualTo("mail");
        }
    }

    record Stamp() implements SchedulingCommand {}

    /** Runs whatever it is registered for. */
    static final class Anything implements TypedHelper.Call<SchedulingCommand> {
        private final Letters.Sent sent;

        @Inject
        Anything(Letters.Sent sent) {
            this.sent = sent;
        }

        @Override
        public void run(SchedulingCommand command, Execution run) {
            sent.letters.add("any " + run.identifier());
        }
    }

    @Test
    @DisplayName("a command type takes the class of a helper, or of a call of a wider type; each is injected")
    void helperClasses() throws InterruptedException {
        Injector injector = Guice.createInjector(
                new SchedulerModule(config("service-name = mail")),
                inMemory(new InMemoryJobStore(TimeSource.system())),
                binder -> SchedulingHelperBinder.of(binder)
                        .command("letter", 1, Letters.Letter.class, Letters.Postman.class)
                        .command("stamp", 1, Stamp.class, Anything.class));
        Letters.Sent sent = injector.getInstance(Letters.Sent.class);
        try (SchedulerService service =
                injector.getInstance(SchedulerService.class).start()) {
            service.scheduler().scheduleJob(JobSpecification.now("1", new Letters.Letter("ann")));
            assertThat(sent.letters.poll(3, TimeUnit.MINUTES)).isEqualTo("ann");
            service.scheduler().scheduleJob(JobSpecification.now("2", new Stamp()));
            assertThat(sent.letters.poll(3, TimeUnit.MINUTES)).isEqualTo("any 2");
        }
    }

    @Test
    @DisplayName("R14: the stop waits for a run to end well, as long as the drain timeout allows")
    void drain() {
        ManualTime time = new ManualTime(START);
        ManualLanes lanes = new ManualLanes(time);
        ManualLanes.Node node = lanes.node();
        Injector injector = Guice.createInjector(
                new SchedulerModule(config("drain-timeout = 30 s"))
                        .with(builder -> builder.time(time).lanes(node).executor(node::execute)),
                inMemory(new InMemoryJobStore(time)),
                new Letters());
        CompletableFuture<Void> slow = new CompletableFuture<>();
        injector.getInstance(Letters.Sent.class).work = slow;
        SchedulerService service = injector.getInstance(SchedulerService.class).start();
        service.scheduler()
                .scheduleJob(
                        Letters.to("ann").singleSchedule(START.plusSeconds(1)).build());
        lanes.advance(Duration.ofSeconds(2));
        lanes.node().open("outside", 1).after(Duration.ofSeconds(29), () -> slow.complete(null));
        service.stop();
        assertThat(time.wall()).isBetween(START.plusSeconds(31), START.plusSeconds(32));
        assertThat(injector.getInstance(Letters.Diary.class).events)
                .filteredOn(SchedulerEvent.RunEnded.class::isInstance)
                .singleElement()
                .satisfies(event ->
                        assertThat(((SchedulerEvent.RunEnded) event).good()).isTrue());
    }

    @Test
    @DisplayName("R14: a run that goes on after the drain timeout is interrupted and given back")
    void drainTimeout() throws InterruptedException {
        JobStore store = new InMemoryJobStore(TimeSource.system());
        Injector injector = Guice.createInjector(
                new SchedulerModule(config("drain-timeout = 100 ms")), inMemory(store), new Letters());
        Letters.Sent sent = injector.getInstance(Letters.Sent.class);
        CompletableFuture<Void> never = new CompletableFuture<>();
        sent.work = never;
        SchedulerService service = injector.getInstance(SchedulerService.class).start();
        service.scheduler()
                .scheduleJob(Letters.to("ann")
                        .singleSchedule(Instant.now().plusMillis(50))
                        .build());
        assertThat(sent.letters.poll(3, TimeUnit.MINUTES)).isEqualTo("ann");
        service.stop();
        assertThat(never).isCancelled();
        Letters.Diary diary = injector.getInstance(Letters.Diary.class);
        assertThat(diary.events)
                .filteredOn(SchedulerEvent.NodeStopped.class::isInstance)
                .singleElement()
                .satisfies(event -> assertThat(((SchedulerEvent.NodeStopped) event).interrupted())
                        .isEqualTo(1));
        assertThat(store.find("letter-ann", FindScope.LIVE)).isPresent();
    }

    @Test
    @DisplayName("R12: with auto-rehydrate off a started service claims nothing until it rehydrates")
    void loadFirst() {
        ManualTime time = new ManualTime(START);
        ManualLanes lanes = new ManualLanes(time);
        ManualLanes.Node node = lanes.node();
        Injector injector = Guice.createInjector(
                new SchedulerModule(config("auto-rehydrate = off"))
                        .with(builder -> builder.time(time).lanes(node).executor(node::execute)),
                inMemory(new InMemoryJobStore(time)),
                new Letters());
        Letters.Sent sent = injector.getInstance(Letters.Sent.class);
        Scheduler scheduler =
                injector.getInstance(SchedulerService.class).start().scheduler();
        scheduler.scheduleJob(
                Letters.to("ann").singleSchedule(START.plusSeconds(1)).build());
        lanes.advance(Duration.ofMinutes(1));
        assertThat(sent.letters).isEmpty();
        scheduler.rehydrate();
        lanes.advance(Duration.ofSeconds(5));
        assertThat(sent.letters).containsExactly("ann");
    }

    @Test
    @DisplayName("settings arrive: zone, default calendar, a calendar that a module binds")
    void settings() {
        Module calendar = new AbstractModule() {
            @Override
            protected void configure() {
                SchedulingHelperBinder.of(binder()).calendar("weekends", Calendars.weekends());
            }
        };
        Injector injector = Guice.createInjector(
                new SchedulerModule(config("zone = Asia/Tokyo, default-calendar = weekends")),
                inMemory(new InMemoryJobStore(TimeSource.system())),
                calendar,
                new Letters());
        Scheduler scheduler = injector.getInstance(Scheduler.class);
        // from Friday 2099-03-06 09:00 in Tokyo to Monday
        var job = scheduler.scheduleJob(Letters.to("ann")
                .schedulingSpecification("0 0 9 * * ?")
                .startAt(Instant.parse("2099-03-06T00:00:01Z"))
                .build());
        assertThat(job.specification().zoneId()).isEqualTo(ZoneId.of("Asia/Tokyo"));
        assertThat(job.nextFireTime()).isEqualTo(Instant.parse("2099-03-09T00:00:00Z"));
        assertThat(scheduler.listJobs(JobQuery.all()).jobs())
                .singleElement()
                .satisfies(found ->
                        assertThat(found.lastStatus().executionStatus()).isEqualTo(ExecutionStatus.SCHEDULED));
        injector.getInstance(SchedulerService.class).stop();
    }

    @Test
    @DisplayName("a service without a way to a server fails when its injector is made, and is told the three ways")
    void noClient() {
        assertThatThrownBy(
                        () -> Guice.createInjector(new SchedulerModule(MongoStoreSettings.defaults()), new Letters()))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining("bind(MongoClient.class)")
                .hasMessageContaining("almanac.store.uri")
                .hasMessageContaining("SchedulingHelperBinder.store()");
    }

    @Test
    @DisplayName("a helper whose own parts are not bound fails when the injector is made, and is named")
    void helperWithoutParts() {
        Module module = new AbstractModule() {
            @Override
            protected void configure() {
                SchedulingHelperBinder.of(binder()).helper().to(Key.get(SchedulingHelper.class, ServiceStore.class));
            }
        };
        assertThatThrownBy(() -> Guice.createInjector(
                        new SchedulerModule(AlmanacConfig.defaults()),
                        inMemory(new InMemoryJobStore(TimeSource.system())),
                        module))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining("SchedulingHelper")
                .hasMessageContaining("SchedulerModuleTest");
    }

    @Test
    @DisplayName(
            "if the scheduler cannot be built, the clients that were made for it are closed; that of the service is not")
    void notBuilt() {
        String nowhere = "mongodb://localhost:1/?serverSelectionTimeoutMS=1";
        String unknown = "type-limits { leter = 3 }";
        Injector own = Guice.createInjector(
                new SchedulerModule(config("store.uri = \"" + nowhere + "\", " + unknown)), new Letters());
        assertThatThrownBy(() -> own.getInstance(SchedulerService.class)).hasStackTraceContaining("'leter'");
        JobStore store = own.getInstance(JobStore.class);
        assertThatThrownBy(() -> store.find("letter", FindScope.LIVE)).hasStackTraceContaining("state should be: open");
        try (MongoClient client = MongoClients.create(nowhere)) {
            Injector theirs = Guice.createInjector(new SchedulerModule(config(unknown)), client(client), new Letters());
            assertThatThrownBy(() -> theirs.getInstance(SchedulerService.class)).hasStackTraceContaining("'leter'");
            assertThatThrownBy(() -> client.listDatabaseNames().first()).isInstanceOf(MongoTimeoutException.class);
        }
    }

    private static final String WEEKENDS = "calendars.weekends { kind = Weekly, exclude-days = [1, 7] }";

    /** Declares the calendar of {@link #WEEKENDS}, too. */
    private static final class Weekends extends AbstractModule {
        @Override
        protected void configure() {
            SchedulingHelperBinder.of(binder()).calendar("weekends").toInstance(Calendars.weekends());
        }
    }

    @Test
    @DisplayName("if the parts of the service do not fit, clients that were made before for its store are closed")
    void partsDoNotFit() {
        Injector injector = Guice.createInjector(
                new SchedulerModule(
                        config("store.uri = \"mongodb://localhost:1/?serverSelectionTimeoutMS=1\", " + WEEKENDS)),
                new Weekends());
        JobStore store = injector.getInstance(JobStore.class);
        assertThatThrownBy(() -> injector.getInstance(SchedulerService.class))
                .hasStackTraceContaining("calendar 'weekends' is declared twice");
        assertThatThrownBy(() -> store.find("letter", FindScope.LIVE)).hasStackTraceContaining("state should be: open");
    }

    @Test
    @DisplayName("C5: stored calendars are defined by the names that the configuration uses")
    void storedCalendars() {
        Injector injector = Guice.createInjector(
                new SchedulerModule(AlmanacConfig.defaults()),
                inMemory(new InMemoryJobStore(TimeSource.system())),
                new Letters());
        Scheduler scheduler = injector.getInstance(Scheduler.class);
        scheduler.calendars().put("weekends", Map.of("kind", "Weekly", "exclude-days", List.of("SAT", "SUN")));
        var job = scheduler.scheduleJob(Letters.to("ann")
                .schedulingSpecification("0 0 9 * * ?")
                .zoneId(ZoneId.of("UTC"))
                .calendar("weekends")
                .startAt(Instant.parse("2099-03-06T09:00:01Z"))
                .build());
        assertThat(job.nextFireTime()).isEqualTo(Instant.parse("2099-03-09T09:00:00Z"));
        assertThatThrownBy(
                        () -> scheduler.calendars().put("odd", Map.of("kind", "Weekly", "exclude-days", List.of("X"))))
                .hasMessageContaining("exclude-days");
        injector.getInstance(SchedulerService.class).stop();
    }

    @Test
    @DisplayName("a calendar that settings and a module declare is refused, with where to look")
    void calendarTwice() {
        Injector injector = Guice.createInjector(
                new SchedulerModule(config(WEEKENDS)),
                inMemory(new InMemoryJobStore(TimeSource.system())),
                new Weekends());
        assertThatThrownBy(() -> injector.getInstance(Scheduler.class))
                .hasMessageContaining("calendar 'weekends' is declared twice");
    }
}
