package dev.almanac.mongo;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.Document;

/**
 * The part of the Mongo shell's language that the documentation uses:
 * {@code db.name.find|aggregate|updateOne|createRole|...(documents).sort(document).limit(number);}.
 */
record ShellText(String text) {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^##+ ([^\\n]+)$|^```js\\n(.*?)^```$");
    private static final Pattern NAME = Pattern.compile("\\.?([A-Za-z_][A-Za-z_0-9]*)");

    /** One call of a chain: its name, and its arguments as the driver's values. */
    record Call(String name, List<?> arguments) {
        Document document(int place) {
            return place < arguments.size() ? (Document) arguments.get(place) : new Document();
        }

        @SuppressWarnings("unchecked")
        List<Document> list(int place) {
            return (List<Document>) arguments.get(place);
        }
    }

    /** The blocks of a page by the heading that they stand under, numbered from the second on. */
    static Map<String, ShellText> ofPage(String name) throws IOException {
        String page =
                Files.readString(Path.of(System.getProperty("almanac.root")).resolve(name));
        Map<String, ShellText> blocks = new LinkedHashMap<>();
        String heading = "";
        Matcher block = BLOCK.matcher(page);
        while (block.find()) {
            if (block.group(1) != null) {
                heading = block.group(1);
                continue;
            }
            String key = heading;
            for (int number = 2; blocks.containsKey(key); number++) {
                key = heading + " " + number;
            }
            blocks.put(key, new ShellText(block.group(2).strip()));
        }
        return blocks;
    }

    /** The statements of a script: each begins a line with {@code db.}; lines that begin with two slashes are comments. */
    static List<ShellText> ofScript(String name) {
        try (Stream<String> lines =
                Files.lines(Path.of(System.getProperty("almanac.root")).resolve(name))) {
            String statements = lines.filter(line -> !line.startsWith("//")).collect(Collectors.joining("\n"));
            return Pattern.compile("(?m)^(?=db\\.)")
                    .splitAsStream(statements)
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .map(ShellText::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The names after {@code db}, in order; those without parentheses have no arguments. */
    List<Call> calls() {
        if (!text.startsWith("db.") || !text.endsWith(");")) {
            throw new IllegalArgumentException("neither begins with db. nor ends with a semicolon: " + text);
        }
        List<Call> calls = new ArrayList<>();
        int at = 2;
        while (text.charAt(at) != ';') {
            Matcher name = NAME.matcher(text);
            if (!name.find(at) || name.start() != at) {
                throw new IllegalArgumentException("no name at " + at + ": " + text.substring(at));
            }
            at = name.end();
            String arguments = "";
            if (text.charAt(at) == '(') {
                int end = closing(at);
                arguments = text.substring(at + 1, end);
                at = end + 1;
            }
            calls.add(new Call(
                    name.group(1), Document.parse("{all: [" + arguments + "]}").getList("all", Object.class)));
        }
        return calls;
    }

    private int closing(int open) {
        int depth = 0;
        boolean quoted = false;
        for (int at = open; at < text.length(); at++) {
            char c = text.charAt(at);
            quoted = c == '"' ? !quoted : quoted;
            depth += quoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                return at;
            }
        }
        throw new IllegalArgumentException("a parenthesis is left open: " + text);
    }

    /** What the statement answers. */
    List<Document> run(MongoDatabase database) {
        List<Call> calls = calls();
        if (calls.get(0).name().equals("createView")) {
            List<?> view = calls.get(0).arguments();
            database.createView(
                    (String) view.get(0), (String) view.get(1), calls.get(0).list(2));
            return List.of();
        }
        MongoCollection<Document> collection =
                database.getCollection(calls.get(0).name());
        Call first = calls.get(1);
        switch (first.name()) {
            case "find" -> {
                FindIterable<Document> found =
                        collection.find(first.document(0)).projection(first.document(1));
                calls.subList(2, calls.size()).forEach(call -> refine(found, call));
                return found.into(new ArrayList<>());
            }
            case "aggregate" -> {
                return collection.aggregate(first.list(0)).into(new ArrayList<>());
            }
            case "updateOne" -> {
                long changed =
                        collection.updateOne(first.document(0), first.list(1)).getModifiedCount();
                return List.of(new Document("modifiedCount", changed));
            }
            default -> throw new IllegalArgumentException("not understood: " + first.name());
        }
    }

    private static void refine(FindIterable<Document> found, Call call) {
        switch (call.name()) {
            case "sort" -> found.sort(call.document(0));
            case "limit" -> found.limit((Integer) call.arguments().get(0));
            default -> throw new IllegalArgumentException("not understood: " + call.name());
        }
    }
}
