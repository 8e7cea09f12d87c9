package dev.almanac.time;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.Period;

/** One time of day, on the dates that are so many months or days from a first one. */
final class DateSteps implements LocalTimes {
    private final LocalDate first;
    private final int time;
    private final long months;
    private final long days;

    DateSteps(LocalDateTime anchor, Period step) {
        this.first = anchor.toLocalDate();
        this.time = anchor.toLocalTime().toSecondOfDay();
        this.months = step.toTotalMonths();
        this.days = step.getDays();
    }

    @Override
    public long next(long from) {
        long day = Math.floorDiv(from, (long) Civil.DAY);
        return local(dayFrom(Math.floorMod(from, Civil.DAY) <= time ? day : day + 1));
    }

    @Override
    public long previous(long from) {
        long day = Math.floorDiv(from, (long) Civil.DAY);
        return local(dayUpTo(Math.floorMod(from, Civil.DAY) >= time ? day : day - 1));
    }

    private long local(long day) {
        return day == NONE ? NONE : day * Civil.DAY + time;
    }

    @Override
    public TimesOfDay timesOfDay() {
        return new TimesOfDay(1L << time % 60, 1L << time / 60 % 60, 1L << time / 3600);
    }

    @Override
    public long nextDay(int from, int wanted, int last) {
        long day = wanted == time ? dayFrom(from) : NONE;
        return day <= last ? day : NONE;
    }

    @Override
    public long previousDay(int from, int wanted, int first) {
        long day = wanted == time ? dayUpTo(from) : NONE;
        return day >= first ? day : NONE;
    }

    private long dayFrom(long day) {
        long bounded = Math.min(Math.max(day, 0), Civil.END_DAY);
        long index = Math.max(0, near(bounded) - 1);
        while (day(index) < bounded) {
            index++;
        }
        return day(index) < Civil.END_DAY ? day(index) : NONE;
    }

    private long dayUpTo(long day) {
        long bounded = Math.min(day, Civil.END_DAY - 1L);
        long index = near(bounded) + 1;
        while (index >= 0 && day(index) > bounded) {
            index--;
        }
        return index < 0 || day(index) < 0 ? NONE : day(index);
    }

    /** A step that is at most one away from the day. */
    private long near(long day) {
        long ofMonths = months == 0
                ? 0
                : Math.floorDiv(
                        LocalDate.ofEpochDay(day).getYear() * 12L
                                + LocalDate.ofEpochDay(day).getMonthValue()
                                - first.getYear() * 12L
                                - first.getMonthValue(),
                        months);
        return months == 0 ? Math.floorDiv(day - first.toEpochDay(), days) : ofMonths;
    }

    private long day(long index) {
        return first.plusMonths(months * index).plusDays(days * index).toEpochDay();
    }
}
