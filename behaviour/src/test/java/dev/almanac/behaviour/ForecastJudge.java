package dev.almanac.behaviour;

import dev.almanac.behaviour.ForecastWorld.Drawn;
import dev.almanac.behaviour.ForecastWorld.Held;
import dev.almanac.behaviour.ForecastWorld.Times;
import dev.almanac.model.FindScope;
import dev.almanac.model.FireAccount;
import dev.almanac.model.JobSpecification;
import dev.almanac.store.StoredJob;
import dev.almanac.time.CalendarPolicy;
import dev.almanac.time.DaylightSavingPolicy;
import dev.almanac.web.read.Forecast;
import dev.almanac.web.read.Forecast.Finding;
import dev.almanac.web.read.Forecast.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares a forecast with what came: each fire that it names came so, and each other one was ordinary. What came is known
 * from the calls of the helper and from the account of the fires; what is ordinary, from the clock of the zone.
 */
final class ForecastJudge {
    private static final Duration AT_ONCE = Duration.ofSeconds(3);

    private final ForecastWorld of;
    private final List<String> complaints = new ArrayList<>();

    private ForecastJudge(ForecastWorld world) {
        this.of = world;
    }

    static List<String> judge(long seed) {
        ForecastJudge judge = new ForecastJudge(new ForecastWorld(seed));
        judge.of.jobs.values().stream().filter(StoredJob::isLive).forEach(judge::judge);
        judge.judgeSlots();
        judge.judgeSum();
        return judge.complaints;
    }

    private void complain(StoredJob job, String what) {
        JobSpecification text = job.specification();
        complaints.add(job.key() + " " + what + "; " + text.schedulingSpecification() + ", " + text.zoneId() + ", "
                + text.daylightSavingPolicy() + ", " + text.calendars() + ", " + text.calendarPolicy() + ", start "
                + text.startAt() + ", end " + text.endAt() + ", spread " + of.spreadOf(job.key()) + ", most "
                + text.maxFires() + ", "
                + text.missedFirePolicy() + ", now " + of.now + ", window " + of.from + " to " + of.until + ", pauses "
                + of.pauses.stream().filter(pause -> pause.of(job)).toList() + ", accounts "
                + of.accounts.get(job.key()).values().stream()
                        .map(account -> account.fireTime() + " to " + account.last() + " " + account.count() + " "
                                + account.kind() + " " + account.nominalFireTime() + " " + account.detail())
                        .toList());
    }

    private Drawn drawn(StoredJob job) {
        return Objects.requireNonNull(of.drawn.get(job.key()));
    }

    private List<Finding> findings(StoredJob job) {
        return Objects.requireNonNull(of.forecasts.get(job.key())).findings();
    }

    /** The accounts of fires in the window; each of several fires by itself, as far as an expression names them. */
    private Map<Instant, FireAccount> accounts(StoredJob job) {
        Map<Instant, FireAccount> all = allAccounts(job);
        all.keySet().removeIf(at -> !isInWindow(at));
        return all;
    }

    private Map<Instant, FireAccount> allAccounts(StoredJob job) {
        Map<Instant, FireAccount> all = new TreeMap<>();
        of.accounts.get(job.key()).forEach((first, account) -> {
            all.put(first, account);
            if (account.count() == 1) {
                return;
            }
            all.put(account.last(), account);
            List<Instant> shown = of.shown(job.key(), first, account.last()).stream()
                    .filter(at -> isOfClock(account) || isLeftOut(account) != isIncluded(job.specification(), at))
                    .toList();
            shown.forEach(at -> all.put(at, account));
            changes(job, account.last()).stream()
                    .map(ZoneOffsetTransition::getInstant)
                    .filter(change -> change.isAfter(first) && shown.size() + 1 < account.count())
                    .forEach(change -> all.put(change, account));
        });
        return all;
    }

    private boolean isInWindow(Instant at) {
        return at.isAfter(of.from) && !at.isAfter(of.until);
    }

    private static boolean isLeftOut(FireAccount account) {
        return account.kind() == FireAccount.Kind.EXCLUDED;
    }

    private static boolean isOfClock(FireAccount account) {
        return isLeftOut(account) && !account.detail().startsWith("by ");
    }

    /** A forecast tells fires of steps to the minute. */
    private Instant told(StoredJob job, Instant at) {
        Times times = drawn(job).times();
        return times == null || times.step() == null ? at : at.truncatedTo(ChronoUnit.MINUTES);
    }

    private @Nullable Held hold(StoredJob job, Instant at) {
        return of.pauses.stream()
                .filter(pause -> pause.holds(job, at))
                .findFirst()
                .orElse(null);
    }

    /** Whether pauses hold it whose beginning or end is known; the others may end at any time. */
    private boolean isHeld(StoredJob job, Instant at, boolean known) {
        return of.pauses.stream().anyMatch(pause -> pause.holds(job, at) && isKnown(pause) == known);
    }

    private boolean isKnown(Held hold) {
        return hold.pause().isPlanned(of.now) || hold.pause().until() != null;
    }

    /** With the fire without the spread. */
    private List<World.Call> calls(StoredJob job) {
        Duration spread = of.spreadOf(job.key());
        return of.world.callsOf(job.key()).stream()
                .map(call -> new World.Call(
                        call.node(),
                        call.job(),
                        call.fire().minus(spread),
                        call.started(),
                        call.over(),
                        call.attempt(),
                        call.fencing()))
                .toList();
    }

    private Optional<Instant> endAt(StoredJob job) {
        return job.specification().endAt().map(end -> end.minus(of.spreadOf(job.key())));
    }

    private Instant lastFire(StoredJob later) {
        return later.lastStatus().fireTime().minus(of.spreadOf(later.key()));
    }

    private boolean begins(StoredJob job, Instant fire) {
        return calls(job).stream()
                .anyMatch(call -> call.attempt() == 1 && call.fire().equals(fire));
    }

    /** How many fires end is not known before if some do not run, since a run takes so long. */
    private boolean isCountedAnew(StoredJob job) {
        return job.specification().maxFires().isPresent()
                && allAccounts(job).entrySet().stream()
                        .anyMatch(entry -> !isLeftOut(entry.getValue())
                                && entry.getValue().kind() != FireAccount.Kind.RAN
                                && isTakenByRun(job, entry.getKey()));
    }

    /** The runs after a pause take so long that they end later, or not all of them come. */
    private boolean isSlow(StoredJob job) {
        Drawn drawn = drawn(job);
        boolean waits = job.specification().exclusiveGroup().isPresent();
        return (waits || drawn.bad() || !drawn.lasts().isZero())
                && of.pauses.stream().anyMatch(pause -> pause.of(job));
    }

    private void judge(StoredJob job) {
        if (isCountedAnew(job)) {
            return;
        }
        Map<Instant, FireAccount> accounts = accounts(job);
        for (World.Call call : calls(job)) {
            if (call.started().isAfter(of.now) && hold(job, call.started()) != null) {
                complain(job, "was started in a pause, at " + call.started());
            }
        }
        boolean regular = drawn(job).times() != null;
        Map<String, Long> expected = regular ? expected(job, accounts) : new TreeMap<>();
        List<Instant> planned = regular
                ? accounts.entrySet().stream()
                        .filter(entry -> !isLeftOut(entry.getValue()))
                        .map(Map.Entry::getKey)
                        .toList()
                : Stream.ofNullable(job.plan().startTime())
                        .filter(this::isInWindow)
                        .toList();
        long held = planned.stream()
                .map(at -> told(job, at))
                .filter(at -> isHeld(job, at, true) && !isHeld(job, at, false))
                .count();
        long both = planned.stream()
                .map(at -> told(job, at))
                .filter(at -> isHeld(job, at, true) && isHeld(job, at, false))
                .count();
        Map<String, Long> named = findings(job).stream()
                .filter(finding -> finding.kind() != Kind.ENDS)
                .collect(Collectors.toMap(ForecastJudge::place, Finding::fires, Long::sum, TreeMap::new));
        long paused = named.getOrDefault("PAUSED", 0L);
        long edge = regular && drawn(job).times().step() != null ? 1 : 0; // they are told to the minute
        long least = Math.min(Math.max(held - edge, paused), held + both + edge);
        if (least > 0) {
            expected.put("PAUSED", least);
        }
        if (regular) {
            excuse(job, accounts, named, expected);
        }
        if (!named.equals(expected)) {
            complain(job, "was forecast as " + named + " and was " + expected);
        }
        if (regular) {
            judgeOrdinary(job, accounts);
            judgeEnd(job, accounts);
        }
    }

    /** Takes out what the account does not tell, or a run decided that took long; what is left must be equal. */
    private void excuse(
            StoredJob job, Map<Instant, FireAccount> accounts, Map<String, Long> named, Map<String, Long> expected) {
        boolean shifts = !job.specification().calendars().isEmpty()
                && job.specification().calendarPolicy() != CalendarPolicy.DROP;
        if (shifts && accounts.values().stream().anyMatch(account -> !isLeftOut(account) && account.count() > 1)) {
            // of fires that did not run no row tells where they were, and where a calendar has shifted them
            List.of(named, expected)
                    .forEach(all ->
                            all.keySet().removeIf(place -> place.startsWith("SHIFTED") || place.startsWith("PAUSED")));
        } else if (accounts.entrySet().stream()
                .anyMatch(entry -> entry.getValue().kind() != FireAccount.Kind.RAN && isMoved(job, entry.getKey()))) {
            List.of(named, expected).forEach(all -> all.keySet().removeIf(place -> place.startsWith("SHIFTED")));
        }
        StoredJob later = later(job);
        Instant endAt = endAt(job).orElse(null);
        if (!later.isLive() && endAt != null) {
            // a job that has ended does not tell what its calendar has left out after its last fire
            Stream<Instant> ends = changes(job, endAt).stream().map(ZoneOffsetTransition::getInstant);
            Map<String, Long> possible = Stream.concat(of.shown(job.key(), of.from, endAt).stream(), ends)
                    .distinct()
                    .filter(at -> isOver(job, at) && !accounts.containsKey(at) && !isIncluded(job.specification(), at))
                    .map(at -> LocalDate.ofInstant(at, job.specification().zoneId()))
                    .collect(Collectors.toMap(day -> place(Kind.EXCLUDED, day), day -> 1L, Long::sum));
            named.replaceAll((place, fires) ->
                    Math.max(expected.getOrDefault(place, 0L), fires - possible.getOrDefault(place, 0L)));
            named.values().removeIf(fires -> fires == 0);
        }
    }

    private StoredJob later(StoredJob job) {
        return of.world.store.find(job.key(), FindScope.INCLUDING_FINISHED).orElseThrow();
    }

    /** Whether the expression does not name the moment of a fire. */
    private boolean isMoved(StoredJob job, Instant at) {
        return of.shown(job.key(), at.minusMillis(1), at).isEmpty()
                && changes(job, of.until).stream()
                        .noneMatch(change -> change.getInstant().equals(at));
    }

    private static String place(Finding finding) {
        return finding.kind() == Kind.PAUSED
                ? "PAUSED"
                : place(finding.kind(), finding.day() == null ? finding.at() : finding.day());
    }

    private static String place(Kind kind, Object where) {
        return kind + " " + where;
    }

    private Map<String, Long> expected(StoredJob job, Map<Instant, FireAccount> accounts) {
        ZoneId zone = job.specification().zoneId();
        Map<String, Long> expected = new TreeMap<>();
        accounts.forEach((at, account) -> {
            Instant nominal = account.nominalFireTime();
            if (isLeftOut(account) && !isOfClock(account)) {
                expected.merge(place(Kind.EXCLUDED, LocalDate.ofInstant(at, zone)), 1L, Long::sum);
            } else if (nominal != null) {
                expected.merge(place(Kind.SHIFTED_BY_CALENDAR, LocalDate.ofInstant(nominal, zone)), 1L, Long::sum);
            }
        });
        for (ZoneOffsetTransition change : changes(job, end(job))) {
            expected.putAll(expected(job, change, accounts));
        }
        return expected;
    }

    private List<ZoneOffsetTransition> changes(StoredJob job, Instant end) {
        List<ZoneOffsetTransition> changes = new ArrayList<>();
        var rules = job.specification().zoneId().getRules();
        ZoneOffsetTransition change = rules.nextTransition(of.from);
        while (drawn(job).times().step() == null
                && change != null
                && !change.getInstant().isAfter(end)) {
            changes.add(change);
            change = rules.nextTransition(change.getInstant());
        }
        return changes;
    }

    /** The last moment of the job within the window. */
    private Instant end(StoredJob job) {
        StoredJob later = later(job);
        Instant bound = endAt(job).orElse(of.until);
        boolean counted = job.specification().maxFires().isPresent();
        return later.isLive() ? of.until : counted ? lastFire(later) : bound;
    }

    private Map<String, Long> expected(StoredJob job, ZoneOffsetTransition change, Map<Instant, FireAccount> accounts) {
        Times times = drawn(job).times();
        Map<String, Long> expected = new TreeMap<>();
        Instant at = change.getInstant();
        Duration length = change.getDuration().abs();
        JobSpecification bounds = job.specification();
        DaylightSavingPolicy policy = bounds.daylightSavingPolicy();
        boolean out = bounds.startAt().filter(at::isBefore).isPresent()
                || endAt(job).filter(at::isAfter).isPresent()
                || !isIncluded(bounds, at);
        if (change.isGap() && out) {
            return expected;
        }
        if (change.isGap()) {
            long wanted = 0;
            for (LocalDateTime shown = change.getDateTimeBefore();
                    shown.isBefore(change.getDateTimeAfter());
                    shown = shown.plusMinutes(1)) {
                wanted += times.wanted(shown) ? 1 : 0;
            }
            if (wanted > 0 && times.fixed() && policy == DaylightSavingPolicy.RUN_ONCE) {
                if (!times.wanted(change.getDateTimeAfter())) {
                    expected.put(place(Kind.MOVED_BY_GAP, at), 1L);
                }
            } else if (wanted > 0
                    && (times.fixed()
                            || isWithout(job, change.getDateTimeBefore().toLocalDate()))) {
                expected.put(place(Kind.LOST_IN_GAP, at), wanted);
            }
            return expected;
        }
        for (Instant second :
                of.shown(job.key(), at.minusMillis(1), at.plus(length).minusMillis(1))) {
            FireAccount account = accounts.get(second);
            FireAccount first = allAccounts(job).get(second.minus(length));
            if (account != null && !isLeftOut(account) && first != null && !isLeftOut(first)) {
                expected.merge(place(Kind.DOUBLED, at), 1L, Long::sum);
            } else if (account != null && isOfClock(account) || account == null && isDropped(job, second)) {
                expected.merge(place(Kind.SECOND_PASS_DROPPED, at), 1L, Long::sum);
            }
        }
        return expected;
    }

    /** After the last fire of a job, within its bounds; it does not tell of that. */
    private boolean isDropped(StoredJob job, Instant second) {
        DaylightSavingPolicy policy = job.specification().daylightSavingPolicy();
        boolean once = policy == DaylightSavingPolicy.WALL_ONCE
                || policy == DaylightSavingPolicy.RUN_ONCE && drawn(job).times().fixed();
        return once && isInWindow(second) && isOver(job, second);
    }

    private boolean isOver(StoredJob job, Instant at) {
        StoredJob later = later(job);
        return !later.isLive() && endAt(job).filter(end -> !at.isAfter(end)).isPresent() && at.isAfter(lastFire(later));
    }

    /** Of a step through the day the others come at their distance. */
    private boolean isWithout(StoredJob job, LocalDate day) {
        ZoneId zone = job.specification().zoneId();
        Instant begin = day.atStartOfDay(zone).toInstant();
        return of.shown(
                        job.key(),
                        begin.minusMillis(1),
                        day.plusDays(1).atStartOfDay(zone).toInstant().minusMillis(1))
                .isEmpty();
    }

    /** What the forecast does not name was wanted by the clock of the zone, and came at once. */
    private void judgeOrdinary(StoredJob job, Map<Instant, FireAccount> accounts) {
        Set<Instant> shown = new HashSet<>(of.shown(job.key(), of.from, of.until));
        Set<Instant> changes = changes(job, of.until).stream()
                .map(ZoneOffsetTransition::getInstant)
                .collect(Collectors.toSet());
        accounts.forEach((at, account) -> {
            if (isLeftOut(account)) {
                return;
            }
            if (!shown.contains(at)
                    && account.nominalFireTime() == null
                    && account.kind() == FireAccount.Kind.RAN
                    && !changes.contains(at)) {
                complain(job, "ran at " + at + ", which its clock did not name");
            }
            boolean justHeld = hold(job, at) != null || hold(job, at.minus(ForecastWorld.LOOK)) != null;
            if (justHeld || isTakenByRun(job, at)) {
                return;
            }
            World.Call call = calls(job).stream()
                    .filter(any -> any.fire().equals(at))
                    .findFirst()
                    .orElse(null);
            if (call == null || call.started().isAfter(at.plus(AT_ONCE))) {
                complain(job, "did not run at once at " + at + ": " + call + ", " + account);
            }
        });
        JobSpecification specification = job.specification();
        Instant end = end(job);
        for (Instant at : shown) {
            boolean bounded = specification.startAt().filter(at::isBefore).isPresent()
                    || endAt(job).filter(at::isAfter).isPresent()
                    || at.isAfter(end)
                    || isOver(job, at);
            if (!bounded && isIncluded(specification, at) && !accounts.containsKey(at)) {
                complain(job, "has no account at " + at);
            }
        }
    }

    private boolean isIncluded(JobSpecification job, Instant at) {
        return job.calendars().stream().allMatch(name -> of.calendars.get(name).isIncluded(at, job.zoneId()));
    }

    /** A run of the job, or of its group, went on then, or failed and was to be tried again. */
    private boolean isTakenByRun(StoredJob job, Instant at) {
        return of.world.calls.stream().anyMatch(call -> {
            StoredJob other = of.jobs.get(call.job());
            if (other == null) {
                return false;
            }
            Drawn kind = drawn(other);
            boolean same = other == job
                    || job.specification().exclusiveGroup().isPresent()
                            && job.specification()
                                    .exclusiveGroup()
                                    .equals(other.specification().exclusiveGroup());
            Duration taken = kind.bad() ? ForecastWorld.RETRY.plus(AT_ONCE) : kind.lasts();
            return same
                    && !call.started().isAfter(at)
                    && !call.started().plus(taken).isBefore(at);
        });
    }

    private void judgeEnd(StoredJob job, Map<Instant, FireAccount> accounts) {
        Finding named = findings(job).stream()
                .filter(finding -> finding.kind() == Kind.ENDS)
                .findFirst()
                .orElse(null);
        StoredJob later = later(job);
        Instant next = later.plan().nextFireTime();
        boolean waits = later.isLive() && next != null && !next.isAfter(of.until);
        if (waits) {
            return; // what becomes of it comes later
        }
        if (later.isLive() != (named == null)) {
            complain(job, "ends, as forecast: " + named + ", as it was: " + later.lastStatus());
            return;
        }
        Instant last = accounts.entrySet().stream()
                .filter(entry -> !isLeftOut(entry.getValue()))
                .map(Map.Entry::getKey)
                .reduce((one, other) -> other)
                .orElse(of.from);
        if (named != null && !named.at().equals(last)) {
            complain(job, "was to end at " + named.at() + " and ended at " + last);
        }
    }

    /** Minutes with more due than slots. */
    private void judgeSlots() {
        Map<Long, Long> due = new TreeMap<>();
        boolean unseen = of.pauses.stream()
                .map(Held::pause)
                .anyMatch(pause -> !pause.hasEnded(of.until.minus(ForecastWorld.LOOK)) && pause.hasEnded(of.until));
        if (unseen || of.jobs.values().stream().anyMatch(job -> isCountedAnew(job) || isSlow(job))) {
            return;
        }
        for (StoredJob job : of.jobs.values()) {
            boolean regular = drawn(job).times() != null;
            allAccounts(job).forEach((at, account) -> {
                if (isLeftOut(account) || !regular && !at.equals(job.plan().nextFireTime())) {
                    return;
                }
                Instant open = opening(job, told(job, at));
                if (open != null && isInWindow(open) && (open.equals(told(job, at)) || begins(job, at))) {
                    due.merge(minute(open), 1L, Long::sum);
                }
            });
        }
        due.values().removeIf(count -> count <= of.slots);
        List<String> expected = new ArrayList<>();
        long first = 0;
        long last = 0;
        long most = 0;
        for (Map.Entry<Long, Long> over : due.entrySet()) {
            if (over.getKey() - last > 60) {
                add(expected, first, most);
                first = over.getKey();
                most = 0;
            }
            last = over.getKey();
            most = Math.max(most, over.getValue());
        }
        add(expected, first, most);
        List<String> named = of.forecast.findings(Kind.OVER_SLOTS).stream()
                .map(finding -> finding.at() + " " + finding.fires())
                .toList();
        if (!named.equals(expected)) {
            complaints.add("more due than slots: forecast " + named + ", came " + expected + ", pauses " + of.pauses);
        }
    }

    private static void add(List<String> expected, long first, long most) {
        if (most > 0) {
            expected.add(Instant.ofEpochSecond(first * 60) + " " + most);
        }
    }

    private static long minute(Instant at) {
        return at.truncatedTo(ChronoUnit.MINUTES).getEpochSecond() / 60;
    }

    private @Nullable Instant opening(StoredJob job, Instant due) {
        Instant at = due;
        Held hold = hold(job, at);
        while (hold != null && at != null) {
            at = hold.pause().until();
            hold = at == null ? null : hold(job, at);
        }
        return at;
    }

    /** All jobs together are the sum of the single ones. */
    private void judgeSum() {
        Map<Kind, Long> sum = new TreeMap<>();
        of.forecasts
                .values()
                .forEach(one -> one.totals().forEach(total -> sum.merge(total.kind(), total.fires(), Long::sum)));
        Map<Kind, Long> all = of.forecast.totals().stream()
                .filter(total -> total.kind() != Kind.OVER_SLOTS)
                .collect(Collectors.toMap(Forecast.Total::kind, Forecast.Total::fires, Long::sum, TreeMap::new));
        if (!all.equals(sum)) {
            complaints.add("all jobs together are forecast as " + all + ", each by itself as " + sum);
        }
    }
}
