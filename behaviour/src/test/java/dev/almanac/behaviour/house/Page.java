package dev.almanac.behaviour.house;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One page of the documentation, read as far as its checks need. */
record Page(Path file, List<String> lines) {
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern PROOF =
            Pattern.compile("\\[`?([A-Za-z0-9]+)\\.([A-Za-z0-9_]+)`?\\]\\((\\S+/src/test/\\S+\\.java)\\)");
    private static final Pattern ITEM = Pattern.compile("(\\d+\\.|-) .*");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern SOURCE = Pattern.compile("<!-- from (\\S+\\.java)#([a-z0-9-]+) -->");

    static Page of(Path file) {
        return new Page(file, Sources.lines(file));
    }

    static List<Page> all() {
        return Sources.all().stream()
                .filter(file -> file.toString().endsWith(".md"))
                .map(Page::of)
                .toList();
    }

    /** The anchors that GitHub gives to the headings. */
    Set<String> anchors() {
        Set<String> anchors = new TreeSet<>();
        for (String line : outsideOfFences()) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                anchors.add(heading.group(1)
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'));
            }
        }
        return anchors;
    }

    /** Links to files that are not there, or to headings that they do not have. */
    List<String> deadLinks() {
        List<String> dead = new ArrayList<>();
        for (String line : outsideOfFences()) {
            Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", ""));
            while (link.find()) {
                if (!ELSEWHERE.matcher(link.group(1)).matches() && !leads(link.group(1))) {
                    dead.add(file.getFileName() + ": " + link.group(1));
                }
            }
        }
        return dead;
    }

    /** Links to tests, as {@code Class.method}, whose file has another name or no such method. */
    List<String> deadProofs() {
        List<String> dead = new ArrayList<>();
        for (String line : lines) {
            Matcher proof = PROOF.matcher(line);
            while (proof.find()) {
                Path source = file.resolveSibling(proof.group(3)).normalize();
                boolean there = Files.exists(source)
                        && source.getFileName().toString().equals(proof.group(1) + ".java")
                        && Sources.text(source).contains("void " + proof.group(2) + "(");
                if (!there) {
                    dead.add(file.getFileName() + ": " + proof.group(1) + "." + proof.group(2));
                }
            }
        }
        return dead;
    }

    /** How many tests each item names of the list under a heading. */
    List<Integer> provenItems(String heading) {
        List<Integer> proofs = new ArrayList<>();
        boolean inside = false;
        for (String line : outsideOfFences()) {
            Matcher title = HEADING.matcher(line);
            if (title.matches()) {
                inside = title.group(1).equals(heading);
            } else if (inside && ITEM.matcher(line).matches()) {
                proofs.add(0);
            }
            int last = proofs.size() - 1;
            if (inside && last >= 0) {
                proofs.set(
                        last,
                        proofs.get(last) + (int) PROOF.matcher(line).results().count());
            }
        }
        return proofs;
    }

    private boolean leads(String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? file : file.resolveSibling(path).normalize();
        return Files.exists(target)
                && (hash < 0
                        || (path.isEmpty() ? this : Page.of(target)).anchors().contains(link.substring(hash + 1)));
    }

    private List<String> outsideOfFences() {
        List<String> outside = new ArrayList<>();
        boolean fenced = false;
        for (String line : lines) {
            boolean fence = line.startsWith("```");
            if (!fenced && !fence) {
                outside.add(line);
            }
            fenced = fence != fenced;
        }
        return outside;
    }

    /** Snippets that name their source and are not what stands there; also what names no source that is there. */
    List<String> strayedSnippets() {
        List<String> strayed = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher source = SOURCE.matcher(lines.get(i));
            if (source.matches()) {
                List<String> shown = fence(i + 1);
                List<String> compiled = snippet(Sources.root().resolve(source.group(1)), source.group(2));
                if (shown.isEmpty() || !shown.equals(compiled)) {
                    strayed.add(file.getFileName() + ": " + source.group(1) + "#" + source.group(2));
                }
            }
        }
        return strayed;
    }

    /** How many snippets name their source. */
    long sourcedSnippets() {
        return lines.stream().filter(line -> SOURCE.matcher(line).matches()).count();
    }

    private List<String> fence(int from) {
        if (from >= lines.size() || !lines.get(from).equals("```java")) {
            return List.of();
        }
        int end = from + 1;
        while (end < lines.size() && !lines.get(end).equals("```")) {
            end++;
        }
        return lines.subList(from + 1, end);
    }

    /** What stands between {@code // snippet: name} and {@code // end}, without the indent that all of it has. */
    static List<String> snippet(Path source, String name) {
        if (!Files.exists(source)) {
            return List.of();
        }
        List<String> text = Sources.lines(source);
        List<String> found = new ArrayList<>();
        int indent = -1;
        for (String line : text) {
            if (indent >= 0 && line.strip().equals("// end")) {
                return found;
            } else if (indent >= 0) {
                found.add(line.length() >= indent ? line.substring(indent) : line.strip());
            } else if (line.strip().equals("// snippet: " + name)) {
                indent = line.indexOf('/');
            }
        }
        return List.of();
    }
}
