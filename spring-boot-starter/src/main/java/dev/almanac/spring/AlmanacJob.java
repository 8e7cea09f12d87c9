package dev.almanac.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;

/**
 * Declares a recurring job whose work is this method of a bean. The method takes nothing or an
 * {@link dev.almanac.helper.Execution}; an exception fails the attempt; a {@code CompletionStage} that it returns ends the run when
 * it ends. A method whose end cannot be seen is refused at the start: {@code @Async} without {@code CompletableFuture}, a plain {@code Future}, a reactive type; so is
 * a bean whose class is known only after the scheduler was made. What Spring's {@code @Scheduled} has, too,
 * has its name, its default and its meaning here; the job is stored, fires once in the whole cluster, and is reconciled at each start of the service.
 *
 * <p>Exactly one of cron, fixed rate and fixed delay is needed. All texts may contain placeholders such as
 * {@code ${closing.cron}}; a text that is empty or blank once they are replaced is not given.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface AlmanacJob {
    /** As {@code @Scheduled}: a cron that declares no job. */
    String CRON_DISABLED = "-";

    /** The key of the job: 1 to 256 characters, unique among live jobs. Another key is another job. */
    String key();

    /** A cron expression of the dialect SPRING, such as {@code 0 0 2 * * *}; {@code -} declares no job. */
    String cron() default "";

    /** The zone of {@link #cron}: a region, UTC or an offset; by default that of the scheduler. */
    String zone() default "";

    /** The time from one planned fire to the next, in {@link #timeUnit}; 1 s or more. */
    long fixedRate() default -1;

    /** As {@link #fixedRate}, as a number, or a duration such as {@code 10m} or {@code PT10M}. */
    String fixedRateString() default "";

    /** The time from the end of a run to the next one, in {@link #timeUnit}; 1 s or more. */
    long fixedDelay() default -1;

    /** As {@link #fixedDelay}, as a number, or a duration such as {@code 10m} or {@code PT10M}. */
    String fixedDelayString() default "";

    /**
     * How long after the start of the service that creates the job a rate or a delay fires for the first time, in
     * {@link #timeUnit}; by default at once. Later starts do not move the job.
     */
    long initialDelay() default -1;

    /** As {@link #initialDelay}, as a number, or a duration such as {@code 10m} or {@code PT10M}. */
    String initialDelayString() default "";

    /** The unit of the numbers. */
    TimeUnit timeUnit() default TimeUnit.MILLISECONDS;

    /** Names of exclusion calendars, which must all include a fire. */
    String[] calendars() default {};

    /** What happens to fires that passed while the job could not run: SKIP, RUN_LATEST, RUN_ALL or RUN_ALL(n). */
    String missedFires() default "RUN_LATEST";

    /** When a failed run is tried again, such as {@code R3/PT5M}; by default never, or as its type says. */
    String retry() default "";
}
