package dev.almanac.examples.before;

import static org.assertj.core.api.Assertions.assertThat;
import static org.quartz.JobBuilder.newJob;
import static org.quartz.TriggerBuilder.newTrigger;

import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.impl.StdSchedulerFactory;

/** The same reminder with Quartz, so that docs/coming-from-quartz.md shows what compiles and runs. */
class QuartzReminderTest {
    private static final CompletableFuture<String> MAILED = new CompletableFuture<>();

    /** Made by Quartz. */
    public static final class Remind implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            MAILED.complete(context.getMergedJobDataMap().getString("address"));
        }
    }

    private static void schedule(Scheduler scheduler, String invoice, String address, Instant due)
            throws SchedulerException {
        // snippet: quartz
        scheduler.scheduleJob(
                newJob(Remind.class)
                        .withIdentity("reminder-" + invoice)
                        .usingJobData("address", address)
                        .requestRecovery()
                        .build(),
                newTrigger()
                        .withIdentity("reminder-" + invoice)
                        .startAt(Date.from(due))
                        .build());
        // end
    }

    @Test
    @DisplayName("the reminder of the page runs with Quartz")
    void runs() throws Exception {
        Properties settings = new Properties();
        settings.setProperty("org.quartz.scheduler.instanceName", "before");
        settings.setProperty("org.quartz.threadPool.threadCount", "1");
        settings.setProperty("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
        Scheduler scheduler = new StdSchedulerFactory(settings).getScheduler();
        try {
            scheduler.start();
            schedule(scheduler, "4711", "ann@example.org", Instant.now());
            assertThat(MAILED.get(3, TimeUnit.MINUTES)).isEqualTo("ann@example.org");
        } finally {
            scheduler.shutdown(true);
        }
    }
}
