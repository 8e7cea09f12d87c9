package dev.almanac.examples.web;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.almanac.calendars.CalendarDefinition;
import dev.almanac.store.JobStore;
import dev.almanac.web.ConsoleServlet;

/** The console as a servlet of a service that Guice wires. */
public final class ConsoleModule extends AbstractModule {
    // snippet: console-module
    @Provides
    @Singleton
    ConsoleServlet console(JobStore store) {
        return ConsoleServlet.builder()
                .store(store)
                .calendarReader(definition -> CalendarDefinition.of(definition).calendar())
                .access(new StaffAccess())
                .host("jobs.example.org")
                .title("Orders")
                .allowChanges(true)
                .build();
    }
    // end
}
