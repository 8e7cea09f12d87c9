package dev.almanac.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which jobs the page of a calendar shows, and of which it says that it does not. */
class CalendarUsersTest {
    private static final String DEFAULT = "This is the default calendar: every recurring job that does not ignore it";

    private final ConsoleFixture fixture = new ConsoleFixture();
    private final Scheduler clerk = fixture.scheduler(ControlledHelper.knows(Scheduler.builder()));
    private final MountedConsole console = MountedConsole.of(fixture.console()
            .allowChanges(true)
            .access(request -> Optional.of(Viewer.operator("ann")))
            .build());

    @BeforeEach
    void fill() {
        for (String name : List.of("closed", "other")) {
            clerk.calendars().put(name, Map.of("kind", "weekly", "exclude-days", List.of("SUNDAY")));
        }
        clerk.calendars().putDefault("closed");
        clerk.scheduleJob(job("names-it").calendar("closed").build());
        clerk.scheduleJob(job("names-none").build());
    }

    private static JobSpecificationBuilder job(String key) {
        return JobSpecification.builder()
                .jobSpecificationKey(key)
                .jobRequestor("tests")
                .triggerCommand(new ControlledHelper.Payment("ends", "BE12", 1))
                .triggerIdentifier(key)
                .schedulingSpecification("0 0 12 * * ?");
    }

    @AfterEach
    void close() {
        console.close();
        fixture.close();
    }

    @Test
    @DisplayName("console: the page of the default calendar lists who names it, and says that others use it, too")
    void ofTheDefault() {
        assertThat(console.get("/calendars?name=closed").body())
                .contains(DEFAULT, "names-it")
                .doesNotContain("names-none");
        assertThat(console.get("/calendars?name=other").body()).doesNotContain(DEFAULT);
    }

    @Test
    @DisplayName("console: when another calendar becomes the default, or none, its page says so")
    void moved() {
        clerk.calendars().putDefault("other");
        assertThat(console.get("/calendars?name=other").body())
                .contains(DEFAULT)
                .doesNotContain("names-none");
        assertThat(console.get("/calendars?name=closed").body())
                .contains("names-it")
                .doesNotContain(DEFAULT);
    }
}
