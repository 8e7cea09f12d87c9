package dev.almanac.text;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RedactionTest {
    @ParameterizedTest
    @DisplayName("9: users and passwords are taken out, however broken the connection string is")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "mongodb://ann:s3cret@h/x and mongodb+srv://a:s3cret@c | mongodb://*** and mongodb+srv://***",
                "cannot reach MongoDB://ann:s3cret@h1:27017,h2/db?w=1  | cannot reach MongoDB://***",
                "mongodb://ann:s3c/s3cret@host                         | mongodb://***",
                "mongodb://ann:s3c@s3cret@host                         | mongodb://***",
                "mongodb://ann:s3cret/host                             | mongodb://***",
                "mongodb://ann@host                                    | mongodb://***",
                "mongodb://host/?proxyPassword=s3cret                  | mongodb://***",
                "'ann:s3cret@host'                                     | '***'",
                "uri=\"mongodb://h:s3cret\" is wrong                   | uri=\"mongodb://***\" is wrong"
            })
    void hidden(String text, String shown) {
        assertThat(Redaction.withoutCredentials(text)).isEqualTo(shown).doesNotContain("s3c");
    }

    @ParameterizedTest
    @DisplayName("9: what holds no credentials stays as it is")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "mongodb://host:27017/?replicaSet=rs",
                "mongodb://h1:27017,h2:27018/db",
                "at 12:30 ann@example.org was told: no",
                "a: b",
                "mongodb+srv://cluster.example/db?w=majority&tls=true"
            })
    void kept(String text) {
        assertThat(Redaction.withoutCredentials(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @DisplayName("9: of a text with keys, which may look like credentials, only connection strings are hidden")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "no live job 'mail:x@y.z'                    | no live job 'mail:x@y.z'",
                "go on with --after a:b@c; look at them      | go on with --after a:b@c; look at them",
                "a:b@c: mongodb://ann:s3cret@h/x             | a:b@c: mongodb://***",
                "uri=\"mongodb+srv://h/?password=s3cret\"  | uri=\"mongodb+srv://***\"",
                "MongoDB:/ann:s3cret@h is no connection      | *** is no connection"
            })
    void keysStay(String text, String shown) {
        assertThat(Redaction.withoutConnectionStrings(text)).isEqualTo(shown).doesNotContain("s3c");
    }

    @Test
    @DisplayName("9: no text is an empty text")
    void none() {
        assertThat(Redaction.withoutCredentials(null)).isEmpty();
        assertThat(Redaction.withoutConnectionStrings(null)).isEmpty();
    }

    /** Each cost the time of its cube, or of its square, where one character was looked at once per other character. */
    static Stream<String> longTexts() {
        int many = 1_000_000;
        return Stream.of(
                ":".repeat(2_000),
                ":".repeat(many),
                "a:".repeat(many),
                "a ".repeat(many) + ":",
                ":".repeat(many) + "@".repeat(many),
                "@".repeat(many) + ":".repeat(many),
                "://".repeat(many),
                "mongodb://".repeat(many),
                "mongodb://" + "h:1,".repeat(many),
                "mongodb://" + ":".repeat(many),
                "mongodb://h ".repeat(many));
    }

    @ParameterizedTest
    @MethodSource("longTexts")
    @Timeout(value = 300, unit = SECONDS)
    @DisplayName("16.3: the time grows with the length of the text only, and so does the result")
    void linear(String text) {
        assertThat(Redaction.withoutCredentials(text).length()).isLessThanOrEqualTo(text.length() * 3 / 2 + 3);
    }
}
