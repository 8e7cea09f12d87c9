package dev.almanac.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.ErrorSummary;
import dev.almanac.model.Explanation;
import dev.almanac.model.JobExecutionStatus;
import dev.almanac.model.JobState;
import dev.almanac.store.StoredJob;
import dev.almanac.testkit.contract.Specimens;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HiddenErrorsTest {
    /** A text of the engine that ends with the message of an exception. */
    private static final Pattern MESSAGE = Pattern.compile(
            "\"([^\"]*)\"\\s*\\+ (?:\\w+\\.getMessage\\(\\)|ErrorSummary\\.of\\(\\w+\\)\\.message\\(\\))");

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName("console: wherever the engine quotes the message of an exception, the console can leave it out")
    void everyHead() throws IOException {
        List<String> heads;
        try (Stream<Path> files = Files.walk(Path.of(System.getProperty("almanac.root"), "core/src/main/java"))) {
            heads = files.filter(file -> file.toString().endsWith(".java"))
                    .flatMap(file -> MESSAGE.matcher(read(file)).results())
                    .map(found -> found.group(1))
                    // ends a start, and is on no page
                    .filter(head -> !head.startsWith("a command class is registered"))
                    .toList();
        }
        assertThat(heads)
                .hasSizeGreaterThan(5)
                .allSatisfy(head ->
                        assertThat(HiddenErrors.blocked(head + "secret")).doesNotContain("secret"));
        assertThat(HiddenErrors.blocked("its calendars leave it no fire: they exclude its moment"))
                .isEqualTo("its calendars leave it no fire: they exclude its moment");
    }

    @Test
    @DisplayName("console: a message that is part of another one leaves nothing of that one")
    void partOfAnother() {
        StoredJob plain = Specimens.minimal("j", Instant.EPOCH).job();
        StoredJob job = plain.with(edit -> edit.lastStatus(plain.lastStatus().toBuilder()
                .error(new ErrorSummary("E", "IBAN", null))
                .build()));
        JobExecutionStatus older = job.lastStatus().toBuilder()
                .error(new ErrorSummary("E", "IBAN secret-4711", null))
                .build();
        String text = "retries: the first failed with IBAN secret-4711, the last with IBAN";
        Explanation whole = new Explanation(
                "j",
                Instant.EPOCH,
                JobState.RETRYING,
                text,
                null,
                List.of(),
                List.of(new Explanation.Reason(Explanation.Kind.FINISHED, text, null, null, null)));
        assertThat(HiddenErrors.of(whole, List.of(job.lastStatus(), older)).headline())
                .isEqualTo("retries: the first failed with (message not shown), the last with (message not shown)");
    }
}
