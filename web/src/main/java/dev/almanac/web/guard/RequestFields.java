package dev.almanac.web.guard;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an address or a form. Containers read a form at the first question for a parameter, for as long as the
 * client likes; here it is read when the client may send it, and not slower than a minimum rate. Immutable.
 */
public final class RequestFields {
    private static final int TIMEOUT = 408;
    private static final int MOST_FIELDS = 2_000;
    private static final int PART = 8_192;
    /** A form is at most 256 kB: a minute and a half at this rate. */
    private static final long BYTES_PER_SECOND = 3_000;

    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final String UNREADABLE = "The address or the form cannot be read.";

    private final Map<String, List<String>> values;

    private RequestFields(Map<String, List<String>> values) {
        this.values = values;
    }

    /**
     * Those of the address.
     *
     * @throws Refusal if it is not valid UTF-8
     */
    public static RequestFields ofAddress(HttpServletRequest request) {
        return ofQuery(Objects.requireNonNullElse(request.getQueryString(), ""));
    }

    /**
     * Those of the query of an address.
     *
     * @throws Refusal if it is not valid UTF-8
     */
    public static RequestFields ofQuery(String query) {
        return new RequestFields(read(query));
    }

    /** Those of the form, which is read now; a filter of the service may have read it before. */
    static RequestFields ofForm(HttpServletRequest request, LongSupplier nanos) throws IOException {
        String type = request.getContentType();
        if (type == null || !type.startsWith("application/x-www-form-urlencoded")) {
            throw Refusal.badRequest("This is no form of the console.");
        }
        byte[] body = body(request, nanos);
        if (body.length == 0 && request.getContentLengthLong() > 0) {
            Map<String, List<String>> known = new LinkedHashMap<>();
            request.getParameterMap().forEach((name, all) -> known.put(name, Arrays.asList(all)));
            return new RequestFields(known);
        }
        return new RequestFields(read(new String(body, StandardCharsets.US_ASCII)));
    }

    private static byte[] body(HttpServletRequest request, LongSupplier nanos) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[PART];
        ServletInputStream in = request.getInputStream();
        long missing = request.getContentLengthLong();
        long start = nanos.getAsLong();
        while (missing > 0) {
            int count = in.read(part, 0, (int) Math.min(part.length, missing));
            if (count < 0) {
                break;
            }
            all.write(part, 0, count);
            missing -= count;
            long taken = nanos.getAsLong() - start;
            if (missing > 0 && taken > GRACE_NANOS && all.size() < taken / 1e9 * BYTES_PER_SECOND) {
                throw new Refusal(TIMEOUT, "The form was sent too slowly; nothing was done.");
            }
        }
        return all.toByteArray();
    }

    private static Map<String, List<String>> read(String text) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        int count = 0;
        for (String pair : text.split("&")) {
            int equals = pair.indexOf('=');
            if (++count > MOST_FIELDS) {
                throw Refusal.badRequest("There are more than " + MOST_FIELDS + " fields.");
            }
            if (!pair.isEmpty()) {
                values.computeIfAbsent(
                                decoded(equals < 0 ? pair : pair.substring(0, equals)), name -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static String decoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                boolean whole = i + 2 < text.length();
                int high = whole ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = whole ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw Refusal.badRequest(UNREADABLE);
                }
                bytes.write(high * 16 + low);
                i += 2;
            } else if (c > 0x7f) {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            } else {
                bytes.write(c == '+' ? ' ' : c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw Refusal.badRequest(UNREADABLE);
        }
    }

    /** These and, behind them, those of a form. */
    public RequestFields and(RequestFields form) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        values.forEach((name, some) -> all.put(name, new ArrayList<>(some)));
        form.values.forEach((name, some) ->
                all.computeIfAbsent(name, n -> new ArrayList<>()).addAll(some));
        return new RequestFields(all);
    }

    /** The first value of a name; absent if there is none. */
    public @Nullable String first(String name) {
        List<String> all = values.get(name);
        return all == null ? null : all.get(0);
    }

    /** The names that have a value, in order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(values.keySet());
    }

    /** Every value of a name. */
    public List<String> all(String name) {
        return List.copyOf(values.getOrDefault(name, List.of()));
    }
}
