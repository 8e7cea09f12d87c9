package dev.almanac.behaviour;

import dev.almanac.Scheduler;
import dev.almanac.store.JobStore;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is promised over every kind of store; each test runs once over each. */
@ParameterizedClass(name = "{0}")
@EnumSource
abstract class OverStores {
    @Parameter
    Stores stores;

    World world;
    private Stores.Opened opened;

    /** Reports of a build number the stores; the trace of a failure names the one that it was. */
    @RegisterExtension
    final TestExecutionExceptionHandler naming = (test, failure) -> {
        failure.addSuppressed(new IllegalStateException("the store is " + stores));
        throw failure;
    };

    @BeforeEach
    void begin() {
        world = new World(0, time -> {
            opened = stores.open(time);
            return opened.store();
        });
    }

    /** A scheduler that is never started, on a way to the store. */
    final Scheduler client(JobStore way) {
        return Scheduler.builder()
                .store(way)
                .time(world.time)
                .zone(ZoneOffset.UTC)
                .command("note", 1, World.Note.class)
                .build();
    }

    @AfterEach
    void end() {
        opened.close().run();
    }
}
