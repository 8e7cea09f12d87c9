package dev.almanac.calendars;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;

/**
 * The closing days of T2 (formerly TARGET2), the euro's settlement system: weekends, 1 January, Good Friday, Easter
 * Monday, 1 May, 25 and 26 December. Source: European Central Bank, long-term calendar in force since 2002.
 */
public final class Target2 {
    private static final ZoneId FRANKFURT = ZoneId.of("Europe/Berlin");

    private Target2() {}

    /** The calendar, in the zone of Frankfurt. */
    public static DayCalendar calendar() {
        return new DayCalendar(Target2::isOpen, FRANKFURT, "TARGET2");
    }

    private static boolean isOpen(LocalDate date) {
        DayOfWeek day = date.getDayOfWeek();
        return day != DayOfWeek.SATURDAY && day != DayOfWeek.SUNDAY && !isFixedHoliday(date) && !isEaster(date);
    }

    private static boolean isFixedHoliday(LocalDate date) {
        int day = date.getDayOfMonth();
        return switch (date.getMonthValue()) {
            case 1, 5 -> day == 1;
            case 12 -> day == 25 || day == 26;
            default -> false;
        };
    }

    private static boolean isEaster(LocalDate date) {
        if (date.getMonthValue() != 3 && date.getMonthValue() != 4) {
            return false;
        }
        LocalDate sunday = easterSunday(date.getYear());
        return date.equals(sunday.minusDays(2)) || date.equals(sunday.plusDays(1));
    }

    /** Easter Sunday of the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher. */
    static LocalDate easterSunday(int year) {
        int a = year % 19;
        int b = year / 100;
        int c = year % 100;
        int d = b / 4;
        int e = b % 4;
        int f = (b + 8) / 25;
        int g = (b - f + 1) / 3;
        int h = (19 * a + b - d - g + 15) % 30;
        int i = c / 4;
        int k = c % 4;
        int l = (32 + 2 * e + 2 * i - h - k) % 7;
        int m = (a + 11 * h + 22 * l) / 451;
        int month = (h + l - 7 * m + 114) / 31;
        int day = (h + l - 7 * m + 114) % 31 + 1;
        return LocalDate.of(year, month, day);
    }
}
