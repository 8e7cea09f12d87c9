package dev.almanac.web;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A browser without scripts: it keeps cookies, sends forms as they are on the page, and follows redirections. */
final class Visitor {
    private static final Pattern FORM = Pattern.compile("<form\\b([^>]*)>(.*?)</form>", Pattern.DOTALL);
    private static final Pattern FIELD = Pattern.compile(
            "<input\\b([^>]*)>|<textarea\\b([^>]*)>(.*?)</textarea>|<select\\b([^>]*)>(.*?)</select>", Pattern.DOTALL);
    private static final Pattern CHOSEN = Pattern.compile("<option\\b([^>]*\\bselected\\b[^>]*)>");
    private static final Pattern ZONES = Pattern.compile("<datalist.*?</datalist>", Pattern.DOTALL);
    private static final Pattern ATTRIBUTE = Pattern.compile("([a-z-]+)=\"([^\"]*)\"");

    private final MountedConsole console;
    private final String[] headers;
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private HttpResponse<String> page;

    /** @param headers sent with each request, names and values in turn */
    Visitor(MountedConsole console, String... headers) {
        this.console = console;
        this.headers = headers;
    }

    /** A form with the values that a browser would send; boxes that are not checked are left out. */
    static final class Form {
        private final String action;
        private final List<Map.Entry<String, String>> fields = new ArrayList<>();

        private Form(String action) {
            this.action = action;
        }

        /** With this value in place of what the form has. */
        Form with(String name, String value) {
            fields.removeIf(field -> field.getKey().equals(name));
            fields.add(Map.entry(name, value));
            return this;
        }

        Form without(String name) {
            fields.removeIf(field -> field.getKey().equals(name));
            return this;
        }

        /** With this value, beside those of that name. */
        Form and(String name, String value) {
            fields.add(Map.entry(name, value));
            return this;
        }

        /** The first value of that name. */
        String value(String name) {
            return fields.stream()
                    .filter(field -> field.getKey().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .getValue();
        }

        String sent() {
            return fields.stream()
                    .map(field -> encoded(field.getKey()) + "=" + encoded(field.getValue()))
                    .collect(Collectors.joining("&"));
        }
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    Visitor open(String path) {
        return shows(console.get(path, withCookies()));
    }

    /** The form of the page that contains this text. */
    Form form(String text) {
        Matcher form = FORM.matcher(body());
        while (form.find()) {
            if (form.group().contains(text)) {
                Form found = new Form(attributes(form.group(1)).get("action"));
                Matcher field = FIELD.matcher(form.group(2));
                while (field.find()) {
                    add(found, field);
                }
                return found;
            }
        }
        throw new AssertionError("no form with " + text + " in " + body());
    }

    private static void add(Form form, Matcher field) {
        if (field.group(1) != null) {
            Map<String, String> input = attributes(field.group(1));
            boolean box = "checkbox".equals(input.get("type"));
            if (input.containsKey("name") && (!box || field.group(1).contains(" checked"))) {
                form.fields.add(Map.entry(input.get("name"), input.getOrDefault("value", "")));
            }
        } else if (field.group(2) != null) {
            form.fields.add(Map.entry(attributes(field.group(2)).get("name"), unescaped(field.group(3))));
        } else {
            Matcher chosen = CHOSEN.matcher(field.group(5));
            String value = chosen.find() ? attributes(chosen.group(1)).getOrDefault("value", "") : "";
            form.fields.add(Map.entry(attributes(field.group(4)).get("name"), value));
        }
    }

    private static Map<String, String> attributes(String text) {
        Map<String, String> attributes = new LinkedHashMap<>();
        Matcher attribute = ATTRIBUTE.matcher(text);
        while (attribute.find()) {
            attributes.put(attribute.group(1), unescaped(attribute.group(2)));
        }
        return attributes;
    }

    static String unescaped(String text) {
        return text.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#34;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }

    /** Sends the form; the answer is shown, or the page that it leads to. */
    Visitor send(Form form) {
        shows(answer(form));
        if (page.statusCode() == 303) {
            open(inside(page.headers().firstValue("Location").orElseThrow()));
        }
        return this;
    }

    /** Sends the form and follows nothing. */
    HttpResponse<String> answer(Form form) {
        HttpResponse<String> answer = console.post(inside(form.action), form.sent(), withCookies());
        keep(answer);
        return answer;
    }

    private static String inside(String address) {
        return address.substring(MountedConsole.PATH.length());
    }

    /** An action on the job of a page, up to its preview. */
    Visitor previews(String key, String action) {
        return open("/job?key=" + encoded(key))
                .send(form("value=\"PAUSE\"", "value=\"RESUME\"", "value=\"RERUN\"")
                        .with("do", action));
    }

    private Form form(String... texts) {
        for (String text : texts) {
            if (body().contains(text)) {
                return form(text);
            }
        }
        throw new AssertionError("no action in " + body());
    }

    /** The form that confirms what is previewed, with a reason. */
    Form confirmation(String reason) {
        return form("name=\"confirmed\"").with("confirmed", "yes").with("reason", reason);
    }

    /** An action on the job of a page, with its preview and confirmation. */
    Visitor acts(String key, String action, String reason) {
        return previews(key, action).send(confirmation(reason));
    }

    private Visitor shows(HttpResponse<String> answer) {
        keep(answer);
        page = answer;
        return this;
    }

    private void keep(HttpResponse<String> answer) {
        for (String cookie : answer.headers().allValues("Set-Cookie")) {
            String pair = cookie.substring(0, cookie.indexOf(';'));
            cookies.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
    }

    private String[] withCookies() {
        List<String> all = new ArrayList<>(List.of(headers));
        if (!cookies.isEmpty()) {
            all.add("Cookie");
            all.add(cookies());
        }
        return all.toArray(String[]::new);
    }

    /** As they are sent. */
    String cookies() {
        return cookies.entrySet().stream()
                .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                .collect(Collectors.joining("; "));
    }

    int status() {
        return page.statusCode();
    }

    /** The page without the list of zones, which is long. */
    String body() {
        return ZONES.matcher(page.body()).replaceFirst("");
    }
}
