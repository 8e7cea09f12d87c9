package dev.almanac.bench.jmh;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import dev.almanac.time.CronDialect;
import dev.almanac.time.CronExpression;
import dev.almanac.time.DaylightSavingPolicy;
import java.text.ParseException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.Objects;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Reading an expression, and the next fire from each of 1,024 moments of 30 years in a zone with clock changes. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class CronBench {
    private static final int MOMENTS = 1024;
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    /** Often, daily, on workdays, monthly by two rules that the libraries find hard, and once in four years. */
    @Param({"0 0/5 * * * ?", "0 30 2 * * ?", "0 0 9 ? * MON-FRI", "0 0 0 L * ?", "0 0 9 ? * FRI#3", "0 0 0 29 2 ?"})
    public String expression = "";

    private final Instant[] moments = new Instant[MOMENTS];
    private final CronParser parser = new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    private CronExpression almanac = CronExpression.parse("0 0 0 * * ?", CronDialect.QUARTZ);
    private org.quartz.@Nullable CronExpression quartz;
    private @Nullable ExecutionTime cronUtils;
    private int at;

    /** Reads the expression for each library. */
    @Setup
    public void read() throws ParseException {
        for (int i = 0; i < MOMENTS; i++) {
            moments[i] = Instant.parse("2000-01-01T00:00:00Z").plusSeconds(i * 923_521L);
        }
        almanac = CronExpression.parse(expression, CronDialect.QUARTZ);
        org.quartz.CronExpression other = new org.quartz.CronExpression(expression);
        other.setTimeZone(TimeZone.getTimeZone(ZONE));
        quartz = other;
        cronUtils = ExecutionTime.forCron(parser.parse(expression));
    }

    private Instant moment() {
        at = (at + 1) % MOMENTS;
        return moments[at];
    }

    /** Almanac's next. */
    @Benchmark
    public Object nextAlmanac() {
        return almanac.next(moment(), ZONE, DaylightSavingPolicy.RUN_ONCE);
    }

    /** The next of Quartz. */
    @Benchmark
    public Date nextQuartz() {
        return Objects.requireNonNull(quartz).getNextValidTimeAfter(Date.from(moment()));
    }

    /** The next of cron-utils. */
    @Benchmark
    public Object nextCronUtils() {
        return Objects.requireNonNull(cronUtils).nextExecution(moment().atZone(ZONE));
    }

    /** Almanac's parse, with the proof that the expression can fire. */
    @Benchmark
    public Object parseAlmanac() {
        return CronExpression.parse(expression, CronDialect.QUARTZ);
    }

    /** The parse of Quartz. */
    @Benchmark
    public Object parseQuartz() throws ParseException {
        return new org.quartz.CronExpression(expression);
    }

    /** The parse of cron-utils. */
    @Benchmark
    public Cron parseCronUtils() {
        return parser.parse(expression);
    }
}
