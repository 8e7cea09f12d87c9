package dev.almanac.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.almanac.examples.Upcasting.SendReminder;
import dev.almanac.helper.CommandRegistry;
import dev.almanac.model.EncodedCommand;
import dev.almanac.mongo.JacksonCommandCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UpcastingTest {
    private final CommandRegistry registry =
            new CommandRegistry(List.of(Upcasting.sendReminder()), new JacksonCommandCodec());

    @Test
    @DisplayName("a body of version 1 is read as version 2; one of version 2 is left as it is; version 3 is refused")
    void versions() {
        assertThat(registry.decode(new EncodedCommand("send-reminder", 1, Map.of("client", "Ann"))))
                .isEqualTo(new SendReminder("Ann"));
        assertThat(registry.decode(registry.encode(new SendReminder("Bob")))).isEqualTo(new SendReminder("Bob"));
        EncodedCommand newer = new EncodedCommand("send-reminder", 3, Map.of("customer", "Cid"));
        assertThat(registry.knows(newer)).isFalse();
        assertThatThrownBy(() -> registry.decode(newer)).hasMessageContaining("version 3");
    }

    @Test
    @DisplayName("docs/upgrading.md shows the compiled upcaster, line by line")
    void page() throws IOException {
        Path root = Path.of(System.getProperty("almanac.root"));
        List<String> source =
                Files.readAllLines(root.resolve("examples/src/main/java/dev/almanac/examples/Upcasting.java"));
        int begin = source.indexOf("        // snippet: upcaster");
        int end = source.indexOf("        // end");
        String snippet = String.join(
                "\n",
                source.subList(begin + 1, end).stream()
                        .map(line -> line.substring(8))
                        .toList());
        assertThat(Files.readString(root.resolve("docs/upgrading.md"))).contains(snippet.replaceFirst("^return ", ""));
    }
}
