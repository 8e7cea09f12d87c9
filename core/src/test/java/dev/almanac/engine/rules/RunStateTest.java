package dev.almanac.engine.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a run may leave for the next one. */
class RunStateTest {
    private static void assertRefused(Object value, String reason) {
        assertThatThrownBy(() -> RunState.copyOf(Map.of("a", value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    @DisplayName("state: the types of JSON are taken as they are; numbers become those that a store gives back")
    void taken() {
        Map<String, Object> given = new HashMap<>();
        given.put("text", "é");
        given.put("int", (short) 7);
        given.put("long", 1L << 40);
        given.put("whole", BigInteger.TEN);
        given.put("double", 0.5f);
        given.put("exact", new BigDecimal("12.50"));
        given.put("flag", true);
        given.put("none", null);
        given.put("list", Arrays.asList(1, null, Map.of("deep", List.of())));
        Map<String, Object> expected = new HashMap<>(given);
        expected.put("int", 7);
        expected.put("whole", 10L);
        expected.put("double", 0.5);
        assertThat(RunState.copyOf(given)).isEqualTo(expected);
        assertThat(RunState.copyOf(Map.of())).isEmpty();
    }

    @Test
    @DisplayName(
            "state: it is copied, so that what the helper changes afterwards is not saved; the copy cannot be changed")
    void copied() {
        List<Object> list = new ArrayList<>(List.of(1));
        Map<String, Object> copy = RunState.copyOf(Map.of("list", list));
        list.add(2);
        assertThat(copy).isEqualTo(Map.of("list", List.of(1)));
        assertThatThrownBy(() -> copy.put("b", 1)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    @DisplayName("state: another type is refused with the place where it stands, its class and what is taken instead")
    void otherTypes() {
        assertRefused(
                Map.of("b", List.of(1, Instant.EPOCH)),
                "'state.a.b[1]' is the java.time.Instant 1970-01-01T00:00:00Z; a state is made of text, numbers,");
        assertRefused(Set.of(1), "'state.a' is the java.util.");
        assertRefused(new byte[1], "'state.a' is the [B");
        assertRefused(Double.NaN, "java.lang.Double NaN");
        assertRefused(Float.POSITIVE_INFINITY, "java.lang.Float Infinity");
        assertRefused(BigInteger.TWO.pow(64), "java.math.BigInteger");
        assertRefused(new BigDecimal("0.12345678901234567890123456789012345"), "java.math.BigDecimal");
        assertRefused(new BigDecimal("1E-6177"), "java.math.BigDecimal");
        assertRefused("half \ud83d", "'state.a' contains half of a surrogate pair");
        assertRefused(Map.of(1, 1), "a key of 'state.a' is 1, not a text");
        assertRefused(Map.of("$x", 1), "the key '$x' of 'state.a'");
        assertRefused(Map.of("x.y", 1), "the key 'x.y' of 'state.a'");
        assertRefused(Map.of("", 1), "the key '' of 'state.a'");
        Map<String, Object> endless = new HashMap<>();
        endless.put("self", endless);
        assertRefused(endless, "lies deeper than 20 levels");
    }

    @Test
    @DisplayName("state: at most 16 kB as they are stored; one byte more is refused with both numbers")
    void size() {
        String most = "x".repeat(16 * 1024 - 13);
        assertThat(RunState.copyOf(Map.of("t", most))).containsEntry("t", most);
        assertThatThrownBy(() -> RunState.copyOf(Map.of("t", most + "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the state takes 16385 bytes, more than 16384; ");
    }
}
