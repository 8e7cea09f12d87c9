package dev.almanac.console.time;

import tools.jackson.databind.json.JsonMapper;

/** Answers as JSON, one object on one line. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    static String text(Object answer) {
        return MAPPER.writeValueAsString(answer);
    }
}
