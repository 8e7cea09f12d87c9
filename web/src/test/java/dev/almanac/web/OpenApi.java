package dev.almanac.web;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/**
 * A description in OpenAPI, and what of it was seen in answers. Validates what the file uses of JSON Schema, and is
 * stricter: no object has a property that is not described, unless it is free.
 */
final class OpenApi {
    private static final String SCHEMAS = "#/components/schemas/";

    private final JsonNode file;
    private final Set<String> seen = new TreeSet<>();

    OpenApi(JsonNode file) {
        this.file = file;
    }

    /** A described property, by the name of the schema that describes it. */
    private record Property(String name, JsonNode schema) {}

    /** The paths, each with its only operation. */
    Map<String, JsonNode> paths() {
        Map<String, JsonNode> paths = new TreeMap<>();
        file.path("paths").properties().forEach(path -> paths.put(path.getKey(), path.getValue()));
        return paths;
    }

    /** The schema of the answer of a path with that status. */
    JsonNode answer(String path, int status) {
        JsonNode answers = file.path("paths").path(path).path("get").path("responses");
        JsonNode answer = answers.path(answers.has("" + status) ? "" + status : "default");
        String reference = answer.path("$ref").asString("");
        JsonNode resolved = reference.isEmpty() ? answer : file.at(reference.substring(1));
        return resolved.path("content").path("application/json").path("schema");
    }

    JsonNode schema(String name) {
        return file.path("components").path("schemas").path(name);
    }

    /** Every property that the file describes. */
    Set<String> described() {
        Set<String> described = new TreeSet<>();
        file.path("components").path("schemas").properties().forEach(schema -> {
            described(schema.getKey(), schema.getValue(), described);
            schema.getValue().path("allOf").forEach(part -> described(schema.getKey(), part, described));
        });
        return described;
    }

    private static void described(String name, JsonNode schema, Set<String> into) {
        schema.path("properties").propertyNames().forEach(property -> into.add(name + "." + property));
    }

    /** Those that were seen in an answer. */
    Set<String> seen() {
        return seen;
    }

    /** What is wrong with a value; empty if it is as described. */
    List<String> problems(JsonNode value, JsonNode schema) {
        List<String> problems = new ArrayList<>();
        check(value, schema, "$", problems);
        return problems;
    }

    private void check(JsonNode value, JsonNode schema, String where, List<String> problems) {
        String reference = schema.path("$ref").asString("");
        if (schema.isMissingNode() || schema.isEmpty()) {
            problems.add(where + " has no schema");
        } else if (!reference.isEmpty()) {
            check(value, schema(reference.substring(SCHEMAS.length())), where, problems);
        } else if (schema.has("allOf") || schema.path("type").asString("").equals("object")) {
            object(value, schema, where, problems);
        } else {
            plain(value, schema, where, problems);
        }
    }

    private void plain(JsonNode value, JsonNode schema, String where, List<String> problems) {
        boolean right = switch (schema.path("type").asString("")) {
            case "string" -> value.isString() && isFormatted(value.asString(), schema);
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            default -> false;
        };
        if (!right) {
            problems.add(where + " is " + value + " and not as " + schema);
        } else if (value.isArray()) {
            value.forEach(item -> check(item, schema.path("items"), where + "[]", problems));
        } else if (schema.has("enum") && !contains(schema.path("enum"), value)) {
            problems.add(where + " is " + value + ", which is none of " + schema.path("enum"));
        }
    }

    private static boolean contains(JsonNode list, JsonNode value) {
        for (JsonNode item : list) {
            if (item.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isFormatted(String text, JsonNode schema) {
        try {
            switch (schema.path("format").asString("")) {
                case "date-time" -> Instant.parse(text);
                case "duration" -> Duration.parse(text);
                default -> {}
            }
            return true;
        } catch (RuntimeException other) {
            return false;
        }
    }

    private void object(JsonNode value, JsonNode schema, String where, List<String> problems) {
        if (!value.isObject()) {
            problems.add(where + " is no object");
            return;
        }
        if (schema.path("additionalProperties").asBoolean(false)) {
            return;
        }
        Map<String, Property> properties = new LinkedHashMap<>();
        Set<String> required = new TreeSet<>();
        collect(schema, properties, required);
        required.stream()
                .filter(name -> !value.has(name))
                .forEach(name -> problems.add(where + "." + name + " is missing"));
        value.properties().forEach(field -> {
            Property property = properties.get(field.getKey());
            if (property == null) {
                problems.add(where + "." + field.getKey() + " is not described");
            } else {
                seen.add(property.name());
                check(field.getValue(), property.schema(), where + "." + field.getKey(), problems);
            }
        });
    }

    private void collect(JsonNode schema, Map<String, Property> properties, Set<String> required) {
        String reference = schema.path("$ref").asString("");
        JsonNode own = reference.isEmpty() ? schema : schema(reference.substring(SCHEMAS.length()));
        own.path("allOf").forEach(part -> collect(part, properties, required));
        own.path("required").forEach(name -> required.add(name.asString()));
        String name = name(own);
        own.path("properties")
                .properties()
                .forEach(field ->
                        properties.put(field.getKey(), new Property(name + "." + field.getKey(), field.getValue())));
    }

    /** Of the schema that this is, or is a part of. */
    private String name(JsonNode schema) {
        for (Map.Entry<String, JsonNode> named :
                file.path("components").path("schemas").properties()) {
            if (named.getValue() == schema) {
                return named.getKey();
            }
            for (JsonNode part : named.getValue().path("allOf")) {
                if (part == schema) {
                    return named.getKey();
                }
            }
        }
        throw new IllegalStateException("an object without a name: " + schema);
    }
}
