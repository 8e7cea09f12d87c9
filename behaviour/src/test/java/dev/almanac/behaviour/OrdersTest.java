package dev.almanac.behaviour;

import static dev.almanac.behaviour.World.START;
import static dev.almanac.behaviour.World.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.Scheduler;
import dev.almanac.model.JobSpecification;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Previews and backfills at the edges of what may be asked: the same over memory and a real server. */
class OrdersTest extends OverStores {
    private static final JobSpecification RECURRING =
            job("r").schedulingSpecification("0 * * * * ?").build();
    private static final JobSpecification ONE_OFF =
            job("o").singleSchedule(START.plusSeconds(60)).build();

    @Test
    @DisplayName("preview: no row is given where none is asked for, one-off or not")
    void noRows() {
        Scheduler scheduler = world.node("a").scheduler();
        for (JobSpecification job : new JobSpecification[] {RECURRING, ONE_OFF}) {
            scheduler.scheduleJob(job);
            assertThat(scheduler.previewFireTimes(job, 0)).isEmpty();
            assertThat(scheduler.previewFireTimes(job.jobSpecificationKey(), START, 0))
                    .isEmpty();
            assertThat(scheduler.previewFireTimes(job, 1)).hasSize(1);
            assertThat(scheduler.previewFireTimes(job.jobSpecificationKey(), START, 1))
                    .hasSize(1);
        }
    }

    @Test
    @DisplayName("preview: fewer than no rows, or more than 10 000, are refused alike, one-off or not")
    void wrongRows() {
        Scheduler scheduler = world.node("a").scheduler();
        for (JobSpecification job : new JobSpecification[] {RECURRING, ONE_OFF}) {
            scheduler.scheduleJob(job);
            for (int rows : new int[] {-1, 10_001}) {
                assertThatThrownBy(() -> scheduler.previewFireTimes(job, rows))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("rows must be 0 to 10000, not " + rows);
                assertThatThrownBy(() -> scheduler.previewFireTimes(job.jobSpecificationKey(), START, rows))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("rows must be 0 to 10000, not " + rows);
            }
        }
    }
}
