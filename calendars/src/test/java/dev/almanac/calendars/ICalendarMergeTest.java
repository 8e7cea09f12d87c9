package dev.almanac.calendars;

import static dev.almanac.calendars.ICalendarFiles.event;
import static dev.almanac.calendars.ICalendarFiles.file;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.almanac.calendars.ICalendarMerge.Changed;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ICalendarMergeTest {
    private static final long SEED = 20261121;
    private static final ICalendarLimits TEN_YEARS = new ICalendarLimits(10_000, 100, 10_000, 10);

    private static ICalendarDates on(String date, String... events) {
        return ICalendarImport.read(file(events), LocalDate.parse(date), TEN_YEARS);
    }

    private static List<String> uids(List<ICalendarEvent> events) {
        return events.stream().map(ICalendarEvent::uid).toList();
    }

    @Test
    @DisplayName("C6: the same file again, on the same day, changes nothing")
    void same() {
        ICalendarDates once = on(
                "2026-01-01",
                event("UID:christmas|DTSTART:20001225|RRULE:FREQ=YEARLY|SUMMARY:Christmas"),
                event("UID:gone|DTSTART:20260505|STATUS:CANCELLED"),
                event("UID:walk|DTSTART:20260505T100000Z"));
        ICalendarMerge again = once.merge(once);
        assertThat(again.isEmpty()).isTrue();
        assertThat(again.result()).isEqualTo(once);
        assertThat(uids(again.unchanged())).containsExactly("christmas", "gone");
    }

    @Test
    @DisplayName("C6: added, changed, removed and unchanged events are reported by UID, before anything is applied")
    void told() {
        ICalendarDates before = on(
                "2026-01-01",
                event("UID:stays|DTSTART:20261225|SUMMARY:Christmas"),
                event("UID:moves|DTSTART:20260703|SUMMARY:Fourth"),
                event("UID:named|DTSTART:20260801|SUMMARY:Old"),
                event("UID:cancelled|DTSTART:20260901"),
                event("UID:vanishes|DTSTART:20261001"));
        ICalendarDates newer = on(
                "2026-01-01",
                event("UID:new|DTSTART:20261101"),
                event("UID:stays|DTSTART:20261225|SUMMARY:Christmas"),
                event("UID:moves|DTSTART:20260704|SUMMARY:Fourth"),
                event("UID:named|DTSTART:20260801|SUMMARY:New"),
                event("UID:cancelled|DTSTART:20260901|STATUS:CANCELLED"));
        ICalendarMerge merge = before.merge(newer);
        assertThat(uids(merge.added())).containsExactly("new");
        assertThat(merge.changed())
                .extracting(change -> change.before().uid())
                .containsExactly("cancelled", "moves", "named");
        assertThat(merge.changed())
                .contains(new Changed(
                        new ICalendarEvent("moves", "Fourth", List.of(LocalDate.of(2026, 7, 3))),
                        new ICalendarEvent("moves", "Fourth", List.of(LocalDate.of(2026, 7, 4)))));
        assertThat(uids(merge.removed())).containsExactly("vanishes");
        assertThat(uids(merge.unchanged())).containsExactly("stays");
        assertThat(merge.dates().added()).containsExactly(LocalDate.of(2026, 7, 4), LocalDate.of(2026, 11, 1));
        assertThat(merge.dates().removed())
                .containsExactly(LocalDate.of(2026, 7, 3), LocalDate.of(2026, 9, 1), LocalDate.of(2026, 10, 1));
        assertThat(merge.isEmpty()).isFalse();
        assertThat(merge.result()).isEqualTo(newer);
    }

    @Test
    @DisplayName("C6: a later import keeps the dates before its first one, and a window that moves changes no event")
    void later() {
        String christmas = event("UID:christmas|DTSTART:20001225|RRULE:FREQ=YEARLY");
        ICalendarDates before = on("2026-01-01", christmas, event("UID:once|DTSTART:20260501"));
        ICalendarMerge merge = before.merge(on("2027-01-01", christmas));
        assertThat(uids(merge.unchanged())).containsExactly("christmas", "once");
        assertThat(merge.dates().added()).containsExactly(LocalDate.of(2036, 12, 25));
        assertThat(merge.dates().removed()).isEmpty();
        assertThat(merge.result().from()).isEqualTo(LocalDate.of(2026, 1, 1));
        assertThat(merge.result().through()).isEqualTo(LocalDate.of(2037, 1, 1));
        assertThat(merge.result().dates()).contains(LocalDate.of(2026, 5, 1), LocalDate.of(2026, 12, 25));
        assertThat(merge.result().merge(on("2027-01-01", christmas)).isEmpty()).isTrue();
    }

    @Test
    @DisplayName("C6: an event that is no longer in the file is removed with its dates to come; those before stay")
    void removed() {
        ICalendarDates before =
                on("2026-01-01", event("UID:fair|DTSTART:20260501|RRULE:FREQ=YEARLY;COUNT=3|SUMMARY:Fair"));
        ICalendarDates newer = on("2027-01-01");
        ICalendarMerge merge = before.merge(newer);
        assertThat(merge.removed()).isEqualTo(before.events());
        assertThat(merge.unchanged()).isEmpty();
        assertThat(merge.dates().removed()).containsExactly(LocalDate.of(2027, 5, 1), LocalDate.of(2028, 5, 1));
        assertThat(merge.result().events())
                .containsExactly(new ICalendarEvent("fair", "Fair", List.of(LocalDate.of(2026, 5, 1))));
        assertThat(merge.result().merge(newer).isEmpty()).isTrue();
    }

    @Test
    @DisplayName("C6: earlier dates stay also if the windows do not touch; an earlier import replaces all")
    void apart() {
        ICalendarDates old =
                on("1990-01-01", event("UID:a|DTSTART:19900501"), event("UID:both|DTSTART:19900502|SUMMARY:Day"));
        ICalendarDates now =
                on("2026-01-01", event("UID:b|DTSTART:20260501"), event("UID:both|DTSTART:20260502|SUMMARY:Day"));
        ICalendarMerge merge = old.merge(now);
        assertThat(merge.result().dates())
                .containsExactly(
                        LocalDate.of(1990, 5, 1),
                        LocalDate.of(1990, 5, 2),
                        LocalDate.of(2026, 5, 1),
                        LocalDate.of(2026, 5, 2));
        assertThat(merge.dates().removed()).isEmpty();
        assertThat(merge.removed()).isEmpty();
        assertThat(uids(merge.unchanged())).containsExactly("a", "both");
        assertThat(merge.result().merge(now).isEmpty()).isTrue();
        assertThat(now.merge(old).result()).isEqualTo(old);
        assertThat(uids(now.merge(old).removed())).containsExactly("b");
    }

    @Test
    @DisplayName("C6: an event that loses a date is not called unchanged")
    void lost() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 3_000; i++) {
            ICalendarDates before = random(random);
            ICalendarDates newer = random(random);
            ICalendarMerge merge = before.merge(newer);
            for (ICalendarEvent unchanged : merge.unchanged()) {
                assertThat(before.events())
                        .filteredOn(event -> event.uid().equals(unchanged.uid()))
                        .allSatisfy(event -> assertThat(unchanged.dates())
                                .as("before the end of the newer window: %s and %s", before, newer)
                                .containsAll(event.dates().stream()
                                        .filter(date -> !date.isAfter(newer.through()))
                                        .toList()));
            }
        }
    }

    @Test
    @DisplayName(
            "C6: whatever is merged, twice is once, the newer file rules from its first date, and the lists add up")
    void laws() {
        SplittableRandom random = new SplittableRandom(SEED);
        int changes = 0;
        for (int i = 0; i < 3_000; i++) {
            ICalendarDates before = random(random);
            ICalendarDates newer = random(random);
            ICalendarMerge merge = before.merge(newer);
            ICalendarDates result = merge.result();
            assertThat(result.merge(newer).isEmpty())
                    .as("seed %d: %s and %s", SEED, before, newer)
                    .isTrue();
            assertThat(result.merge(newer).result()).isEqualTo(result);
            assertThat(result.dates().stream().filter(date -> !date.isBefore(newer.from())))
                    .isEqualTo(newer.dates());
            assertThat(before.dates())
                    .containsAll(result.dates().stream()
                            .filter(date -> date.isBefore(newer.from()))
                            .toList());
            List<String> told = new ArrayList<>(uids(merge.added()));
            told.addAll(uids(merge.removed()));
            told.addAll(uids(merge.unchanged()));
            merge.changed().forEach(change -> told.add(change.after().uid()));
            TreeSet<String> all = new TreeSet<>(uids(before.events()));
            all.addAll(uids(newer.events()));
            assertThat(told).containsExactlyInAnyOrderElementsOf(all);
            TreeSet<LocalDate> applied = new TreeSet<>(before.dates());
            applied.removeAll(merge.dates().removed());
            applied.addAll(merge.dates().added());
            assertThat(result.dates()).containsExactlyElementsOf(applied);
            changes += merge.changed().size();
        }
        assertThat(changes).isGreaterThan(500);
    }

    private static ICalendarDates random(SplittableRandom random) {
        LocalDate from = LocalDate.of(2026, 1, 1).plusDays(random.nextInt(20));
        LocalDate through = from.plusDays(random.nextInt(20));
        List<ICalendarEvent> events = new ArrayList<>();
        for (int uid = 0; uid < 4; uid++) {
            if (random.nextInt(3) > 0) {
                List<LocalDate> dates = from.datesUntil(through.plusDays(1))
                        .filter(date -> random.nextInt(4) == 0)
                        .toList();
                events.add(new ICalendarEvent("" + uid, random.nextInt(4) == 0 ? "x" : "", dates));
            }
        }
        return new ICalendarDates(events, List.of(), from, through);
    }

    @Test
    @DisplayName("C6: an import, written as plain data and read again, is the same; what is wrong is told at once")
    void stored() {
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 200; i++) {
            ICalendarDates dates = random(random);
            assertThat(ICalendarDates.of(dates.toMap())).isEqualTo(dates);
        }
        ICalendarDates full = on(
                "2026-01-01",
                event("UID:a $x.y|DTSTART:20260505|DURATION:P2D|SUMMARY:Größe"),
                event("UID:walk|DTSTART:20260505T100000Z"));
        assertThat(ICalendarDates.of(full.toMap())).isEqualTo(full);
        assertThat(full.toMap())
                .containsEntry("from", "2026-01-01")
                .containsEntry(
                        "events",
                        List.of(Map.of(
                                "uid", "a $x.y", "summary", "Größe", "dates", List.of("2026-05-05", "2026-05-06"))));
        InvalidCalendarException e = catchThrowableOfType(
                InvalidCalendarException.class,
                () -> ICalendarDates.of(Map.of(
                        "from",
                        "2026-01-32",
                        "event",
                        1,
                        "events",
                        List.of(Map.of("uid", 1, "dates", List.of("x", 2)), "y"),
                        "left-out",
                        Map.of())));
        assertThat(e.problems())
                .extracting(problem -> problem.field() + " " + problem.advice())
                .contains(
                        "event is not known; perhaps events is meant",
                        "from is no date such as 2026-12-25",
                        "through is no date such as 2026-12-25",
                        "events.uid is no text",
                        "events.summary is no text",
                        "events.dates is no date such as 2026-12-25",
                        "events holds what is no map",
                        "left-out is no list");
        Map<String, Object> outside = new HashMap<>(full.toMap());
        outside.put("from", "2026-05-06");
        assertThatThrownBy(() -> ICalendarDates.of(outside))
                .isInstanceOf(InvalidCalendarException.class)
                .hasMessageContaining("event 'a $x.y' has a date outside 2026-05-06");
    }

    @Test
    @DisplayName("C6: dates outside their window, and a UID twice, are the caller's mistake")
    void broken() {
        LocalDate day = LocalDate.of(2026, 1, 1);
        ICalendarEvent event = new ICalendarEvent("a", "", List.of(day));
        assertThatThrownBy(() -> new ICalendarDates(List.of(event, event), List.of(), day, day))
                .hasMessageContaining("a UID occurs twice");
        assertThatThrownBy(() -> new ICalendarDates(List.of(event), List.of(), day.plusDays(1), day.plusDays(2)))
                .hasMessageContaining("event 'a' has a date outside 2026-01-02 to 2026-01-03");
    }
}
