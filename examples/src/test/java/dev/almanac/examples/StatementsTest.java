package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StatementsTest {
    private final ExampleFixture cluster = new ExampleFixture("2030-03-29T16:00:00Z");
    private final List<String> mailed = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private int refusals;

    private void mail(String customer) {
        if (customer.equals("c7") || customer.equals("c8") && refusals++ == 0) {
            throw new IllegalStateException("no address of " + customer);
        }
        mailed.add(customer);
    }

    @Test
    @DisplayName("200 statements on the last business day; a failed one is retried, then a clerk is told")
    void month() {
        List<String> customers =
                IntStream.range(0, 200).mapToObj(number -> "c" + number).toList();
        ExampleFixture.Node node =
                cluster.service(builder -> new Statements(builder, customers, this::mail, told::add).scheduler);
        cluster.until("2030-03-29T16:59:59Z");
        assertThat(mailed).as("31 March is a Sunday").isEmpty();
        cluster.pass(Duration.ofMinutes(1));
        assertThat(mailed).hasSize(198).doesNotContain("c7", "c8");
        cluster.pass(Duration.ofMinutes(30));
        assertThat(mailed).hasSize(199).contains("c8");
        assertThat(told).containsExactly("c7");
        node.scheduler().runNow("month");
        cluster.pass(Duration.ofMinutes(30));
        assertThat(mailed).as("a repeated run schedules none again").hasSize(199);
    }
}
