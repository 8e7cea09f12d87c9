package dev.almanac.config;

import com.mongodb.ConnectionString;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import dev.almanac.retry.RetryPolicy;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kinds of values. Texts are read as numbers and switches too, since system properties are texts. */
final class Kinds {
    private static final Set<String> ON = Set.of("true", "on", "yes");
    private static final Set<String> OFF = Set.of("false", "off", "no");

    /** Reads the database without the driver, which would ask a name server about some strings; hosts have no slash. */
    private static final Pattern DATABASE =
            Pattern.compile("mongodb(?:\\+srv)?://[^/?]+/([A-Za-z0-9_-]{1,63})(?:\\.[^?]*)?(?:\\?.*)?$");

    private Kinds() {}

    static Kind<Duration> moreThanZero() {
        return duration("more than 0", Duration.ofNanos(1), null);
    }

    static Kind<Duration> interval() {
        return duration("10 ms or more", Duration.ofMillis(10), null);
    }

    static Kind<Duration> zeroOrMore() {
        return duration("0 s or more", Duration.ZERO, null);
    }

    static Kind<Duration> upTo(Duration most, String range) {
        return duration(range, Duration.ZERO, most);
    }

    static Kind<Duration> within(Duration least, Duration most, String range) {
        return duration(range, least, most);
    }

    static Kind<Duration> atLeast(Duration least, String range) {
        return duration(range, least, null);
    }

    private static Kind<Duration> duration(String range, Duration least, @Nullable Duration most) {
        return new Kind<>("duration", range, value -> {
            Duration duration = duration(value);
            boolean longEnough = duration.compareTo(least) >= 0;
            if (duration.compareTo(RetryPolicy.LONGEST) > 0) {
                throw new InvalidValueException("expected at most " + RetryPolicy.LONGEST.toDays() + " days");
            }
            require(longEnough && (most == null || duration.compareTo(most) <= 0));
            return duration;
        });
    }

    static Kind<Integer> whole(int least, int most) {
        return new Kind<>("integer", least + " to " + most, value -> {
            try {
                int number = new BigDecimal(text(value)).intValueExact();
                require(number >= least && number <= most);
                return number;
            } catch (ArithmeticException | NumberFormatException e) {
                throw new InvalidValueException();
            }
        });
    }

    static Kind<Double> fraction() {
        return new Kind<>("number", "0 to 1", value -> {
            try {
                double number = Double.parseDouble(text(value));
                require(number >= 0 && number <= 1);
                return number;
            } catch (NumberFormatException e) {
                throw new InvalidValueException();
            }
        });
    }

    static Kind<Boolean> onOff() {
        return new Kind<>("switch", "on or off", value -> {
            String word = text(value);
            require(ON.contains(word) || OFF.contains(word));
            return ON.contains(word);
        });
    }

    /** @param pattern of the whole text */
    static Kind<String> text(String range, String pattern) {
        return new Kind<>("text", range, value -> {
            String text = text(value);
            require(text.matches(pattern));
            return text;
        });
    }

    static Kind<ZoneId> zone() {
        return new Kind<>("zone", "a region such as Europe/Berlin, UTC, or an offset such as +02:00", value -> {
            try {
                return ZoneId.of(text(value));
            } catch (DateTimeException e) {
                throw new InvalidValueException();
            }
        });
    }

    /** Never shown, since it may hold a password, at an unknown place if it is malformed. */
    static Kind<String> connectionString() {
        String range = "mongodb://[user:password@]host[:port][/…] with user and password percent-encoded, "
                + "or mongodb+srv://…; it is not shown here, since it may hold a password";
        return new Kind<>("text", range, true, value -> {
            String text = text(value);
            require(text.startsWith("mongodb://") || text.matches("mongodb\\+srv://[^\\s]+"));
            try {
                // the driver would ask a name server about the other scheme
                if (text.startsWith("mongodb://")) {
                    new ConnectionString(text);
                }
                return text;
            } catch (IllegalArgumentException e) {
                String option = ConfiguredStore.wrongOption(text);
                throw option == null ? new InvalidValueException() : new InvalidValueException(option);
            }
        });
    }

    /** The database that a connection string names, if its name is one that a store can have. */
    static @Nullable String database(String uri) {
        Matcher matcher = DATABASE.matcher(uri);
        return matcher.lookingAt() ? matcher.group(1) : null;
    }

    private static Duration duration(ConfigValue value) throws InvalidValueException {
        require(value.valueType() == ConfigValueType.STRING);
        String text = text(value);
        try {
            if (text.startsWith("P") || text.startsWith("-P")) {
                return Duration.parse(text);
            }
            require(!Character.isDigit(text.charAt(text.length() - 1)));
            return value.atKey("d").getDuration("d");
        } catch (DateTimeException | ConfigException | ArithmeticException | StringIndexOutOfBoundsException e) {
            throw new InvalidValueException();
        }
    }

    private static String text(ConfigValue value) throws InvalidValueException {
        require(value.valueType() != ConfigValueType.LIST && value.valueType() != ConfigValueType.OBJECT);
        return String.valueOf(written(value)).strip();
    }

    /** See {@link AlmanacConfig#written}. */
    static @Nullable Object written(ConfigValue value) {
        if (value instanceof ConfigList list) {
            return list.stream().map(Kinds::written).toList();
        }
        return value.valueType() == ConfigValueType.NUMBER
                ? value.atKey("number").getString("number")
                : value.unwrapped();
    }

    private static void require(boolean holds) throws InvalidValueException {
        if (!holds) {
            throw new InvalidValueException();
        }
    }
}
