package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.examples.PaymentKinds.Card;
import dev.almanac.examples.PaymentKinds.Collect;
import dev.almanac.examples.PaymentKinds.Transfer;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.helper.CommandType;
import dev.almanac.model.EncodedCommand;
import dev.almanac.mongo.JacksonCommandCodec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PaymentKindsTest {
    private final CommandRegistry registry =
            new CommandRegistry(List.of(CommandType.of("collect", 1, Collect.class)), new JacksonCommandCodec());

    @Test
    @DisplayName("a part of several kinds comes back as the kind that it was; the body names no class")
    void kinds() {
        EncodedCommand body = registry.encode(new Collect("1", new Card("t")));
        assertThat(body.body()).isEqualTo(Map.of("invoice", "1", "payment", Map.of("kind", "card", "token", "t")));
        for (Collect command : List.of(new Collect("1", new Card("t")), new Collect("2", new Transfer("DE1")))) {
            assertThat(registry.decode(registry.encode(command))).isEqualTo(command);
        }
    }
}
