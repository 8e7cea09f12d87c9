package dev.almanac.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.almanac.model.EncodedCommand;
import dev.almanac.model.FindScope;
import dev.almanac.model.SchedulingCommand;
import dev.almanac.store.NewJob;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.GregorianCalendar;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Issue 15.3: a payload comes back as it went in, or is refused when it is scheduled. */
class JacksonCommandCodecTest extends StoreFixture {
    record Moments(
            OffsetDateTime offset,
            ZonedDateTime zoned,
            Instant instant,
            LocalDate date,
            Duration duration,
            OffsetDateTime utc)
            implements SchedulingCommand {}

    record Words(Set<String> words, Set<Integer> numbers) implements SchedulingCommand {}

    record Tree(Map<String, Object> tree) implements SchedulingCommand {}

    sealed interface Shape {}

    record Circle(int radius) implements Shape {}

    record Drawing(Shape shape) implements SchedulingCommand {}

    sealed interface Sealed extends SchedulingCommand {}

    record One(int x) implements Sealed {}

    record Measured(double one, Float other, List<Double> list, Map<String, Double> map) implements SchedulingCommand {}

    record Forgetful(String kept, @JsonIgnore String lost) implements SchedulingCommand {}

    record Dated(GregorianCalendar when) implements SchedulingCommand {}

    record Plain(byte[] bytes, List<int[]> parts, Optional<String> none, double number, BigDecimal exact, Object any)
            implements SchedulingCommand {}

    record Point(int x) {}

    record Points(Set<Point> points) implements SchedulingCommand {}

    record Picky(String how) implements SchedulingCommand {
        Picky {
            switch (how) {
                case "damaged" -> throw new IllegalArgumentException(how);
                case "absent" -> throw new NullPointerException(how);
                case "state" -> throw new IllegalStateException(how);
                case "missing class" -> throw new NoClassDefFoundError(how);
                default -> {}
            }
        }
    }

    private final JacksonCommandCodec codec = new JacksonCommandCodec();

    private static final Moments MOMENTS = new Moments(
            OffsetDateTime.parse("2026-05-01T00:30:00+02:00"),
            ZonedDateTime.parse("2026-05-01T00:30:00+02:00[Europe/Brussels]"),
            Instant.parse("2026-05-01T00:30:00.123456789Z"),
            LocalDate.parse("2026-05-01"),
            Duration.ofMillis(1_500),
            OffsetDateTime.parse("2026-05-01T00:30:00Z"));

    @Test
    @DisplayName("15.3: OffsetDateTime and ZonedDateTime keep offset and zone; another offset may be another day")
    void moments() {
        assertThat(codec.decode(codec.encode(MOMENTS), Moments.class)).isEqualTo(MOMENTS);
        assertThat(codec.encode(MOMENTS)).containsEntry("offset", "2026-05-01T00:30:00+02:00");
    }

    @ParameterizedTest
    @CsvSource({
        "damaged, java.lang.IllegalArgumentException",
        "absent, java.lang.IllegalArgumentException",
        "state, java.lang.IllegalStateException",
        "missing class, java.lang.NoClassDefFoundError"
    })
    @DisplayName("X6: what a constructor says of its arguments is about the body; an Error or a wrong state passes")
    void constructor(String how, Class<? extends Throwable> thrown) {
        assertThatThrownBy(() -> codec.decode(Map.of("how", how), Picky.class)).isExactlyInstanceOf(thrown);
    }

    @Test
    @DisplayName("15.3, M3: equal sets have equal bodies, whatever their order in this JVM")
    void sets() {
        Words one = new Words(new LinkedHashSet<>(List.of("b", "a", "c")), new LinkedHashSet<>(List.of(3, 1, 2)));
        Words other = new Words(new LinkedHashSet<>(List.of("c", "b", "a")), Set.of(1, 2, 3));
        assertThat(codec.encode(one)).isEqualTo(codec.encode(other)).containsEntry("words", List.of("a", "b", "c"));
        assertThat(codec.decode(codec.encode(one), Words.class)).isEqualTo(other);
        assertThatThrownBy(() -> codec.encode(new Points(Set.of(new Point(1), new Point(2)))))
                .as("no order is known that is the same in each JVM")
                .isInstanceOf(IllegalArgumentException.class);
    }

    private NewJob commanded(String key, EncodedCommand command) {
        NewJob job = Specimens.minimal(key, now);
        return new NewJob(
                job.job()
                        .with(edit -> edit.specification(job.job().specification().toBuilder()
                                .triggerCommand(command)
                                .build())),
                job.row());
    }

    @Test
    @DisplayName("M2: the negative zero comes back from the server as itself, or is refused")
    void negativeZero() {
        Measured given = new Measured(-0.0, -0f, List.of(-0.0, 0.0, -0.5), Map.of("a", -0.0));
        StoredJob job = insert(commanded("k", new EncodedCommand("measured", 1, codec.encode(given))));
        StoredJob stored = store.find(job.key(), FindScope.LIVE).orElseThrow();
        assertThat(codec.decode(stored.command().body(), Measured.class)).isEqualTo(given);
        assertThat(stored.command().body()).isEqualTo(codec.encode(given));
        Measured positive = new Measured(0.0, 0f, List.of(0.0), Map.of("a", 0.0));
        assertThat(codec.decode(codec.encode(positive), Measured.class)).isEqualTo(positive);
        assertThatThrownBy(() -> codec.encode(new Tree(Map.of("any", -0.0))))
                .as("a place without a type of its own")
                .hasMessageContaining("would not come back equal");
    }

    @Test
    @DisplayName("15.3: what would not come back equal is refused, with what to do")
    void refused() {
        assertThatThrownBy(() -> codec.encode(new Drawing(new Circle(3))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not be read again")
                .hasMessageContaining(Shape.class.getName() + " is an interface or an abstract class")
                .hasMessageContaining("@JsonSubTypes")
                .message()
                .doesNotContain("no Creators");
        assertThatThrownBy(() -> codec.decode(Map.of("x", 1), Sealed.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Sealed.class.getName() + " is an interface or an abstract class");
        for (SchedulingCommand lossy : List.of(
                new Forgetful("a", "b"),
                new Dated(GregorianCalendar.from(MOMENTS.zoned())),
                new Tree(Map.of("at", Instant.EPOCH)))) {
            assertThatThrownBy(() -> codec.encode(lossy))
                    .as("%s", lossy)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("would not come back equal");
        }
    }

    @Test
    @DisplayName(
            "15.3: what comes back equal is taken: arrays, optionals, decimals, numbers of any kind in open places")
    void taken() {
        for (Object any : Arrays.asList(1L, 1.5, "x", List.of(1, "a"), Map.of("k", 2L), true, null)) {
            codec.encode(new Plain(
                    new byte[] {1, 2}, List.of(new int[] {3}), Optional.empty(), 0.1, new BigDecimal("1.50"), any));
        }
        codec.encode(new Forgetful("a", null));
    }

    @Test
    @DisplayName("15.3: a map with $ref and $id in a body comes back from the server as a map, also after a change")
    void references() {
        Map<String, Object> reference = Map.of("$ref", "other", "$id", 17, "$db", "elsewhere");
        Tree tree = new Tree(Map.of("nested", reference, "list", List.of(reference)));
        Map<String, Object> body = codec.encode(tree);
        insert(commanded("k", new EncodedCommand("note", 1, body)));
        EncodedCommand stored = (EncodedCommand)
                store.find("k", FindScope.LIVE).orElseThrow().specification().triggerCommand();
        assertThat(stored.body()).isEqualTo(body);
        assertThat(codec.decode(stored.body(), Tree.class)).isEqualTo(tree);
        assertThat(claim(List.of(store.find("k", FindScope.LIVE).orElseThrow()), 3)
                        .get(0)
                        .specification()
                        .triggerCommand())
                .isEqualTo(stored);
    }
}
