#!/usr/bin/env python3
"""Makes the cases of src/test/resources/rrule/dateutil.tsv: rules by chance, their times by python-dateutil 2.9.

    python3 calendars/src/test/oracle/rrule.py [cases] [seed] > calendars/src/test/resources/rrule/dateutil.tsv

dateutil says which local times a rule names; the sentence of docs/time.md, written out here with zoneinfo, says at which
instants they fire (RUN_ONCE). Left out are rules that dateutil computes otherwise than RFC 5545 says; ExpansionTest has
those: BYDAY with and without numbers in one list, BYSETPOS in the first week of a weekly rule, and weeks 52 and 53,
which dateutil miscounts where they reach into January.
"""
import datetime
import itertools
import random
import signal
import sys
import zoneinfo

from dateutil import rrule

UTC = datetime.timezone.utc
ZONES = ["UTC", "Europe/Brussels", "Europe/London", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe",
         "Pacific/Auckland", "Asia/Kathmandu", "Africa/Casablanca", "America/St_Johns", "Pacific/Chatham", "Africa/Cairo"]
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
LONG_GAP = datetime.timedelta(hours=3)
HORIZON = datetime.datetime(2060, 1, 1)
datetime.MAXYEAR = 2060  # where dateutil gives up a rule that names nothing


def some(chance, values, most):
    return sorted({chance.choice(values) for _ in range(chance.randint(1, most))})


def text(values):
    return ",".join(str(value) for value in values)


def days(chance, freq):
    """The parts that name days, as the frequency allows them."""
    parts = {}
    if chance.random() < 0.35:
        parts["BYMONTH"] = text(some(chance, range(1, 13), 3))
    signed = [day for day in range(-31, 32) if day]
    kind = chance.random()
    if freq == "YEARLY" and kind < 0.2:
        parts["BYWEEKNO"] = text(some(chance, [week for week in range(-50, 52) if week not in (-1, 0)], 3))
        parts["BYDAY"] = text(some(chance, DAYS, 3))
    elif freq in ("YEARLY", "HOURLY", "MINUTELY", "SECONDLY") and kind < 0.35:
        parts["BYYEARDAY"] = text(some(chance, [day for day in range(-366, 367) if day], 4))
    elif freq in ("YEARLY", "MONTHLY") and kind < 0.6:
        places = range(-5, 6) if freq == "MONTHLY" or "BYMONTH" in parts else range(-53, 54)
        parts["BYDAY"] = text([str(chance.choice([place for place in places if place])) + day
                               for day in some(chance, DAYS, 2)])
    elif kind < 0.8:
        parts["BYDAY"] = text(some(chance, DAYS, 4))
    if freq != "WEEKLY" and "BYYEARDAY" not in parts and chance.random() < 0.3:
        parts["BYMONTHDAY"] = text(some(chance, signed, 4))
    return parts


def times(chance, freq):
    parts = {}
    if chance.random() < 0.3:
        parts["BYHOUR"] = text(some(chance, range(24), 3))
    if chance.random() < 0.3:
        parts["BYMINUTE"] = text(some(chance, range(60), 3))
    if chance.random() < 0.15:
        parts["BYSECOND"] = text(some(chance, range(60), 3))
    return parts


def rule(chance):
    freq = chance.choices(["YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY"],
                          [30, 30, 15, 10, 8, 4, 3])[0]
    parts = {"FREQ": freq}
    if chance.random() < 0.4:
        parts["INTERVAL"] = str(chance.choice([1, 2, 2, 3, 4, 5, 7, 10, 13, 40]))
    parts.update(days(chance, freq))
    parts.update(times(chance, freq))
    chosen = len(parts) > 1 and any(name.startswith("BY") for name in parts)
    if chosen and freq != "WEEKLY" and chance.random() < 0.25:
        parts["BYSETPOS"] = text(some(chance, [place for place in range(-6, 7) if place], 3))
    if chance.random() < 0.25:
        parts["WKST"] = chance.choice(DAYS)
    small = freq in ("HOURLY", "MINUTELY", "SECONDLY")
    year = chance.randint(2024, 2025) if small else chance.randint(2015, 2027)
    start = datetime.datetime(year, chance.randint(1, 12), chance.randint(1, 28), chance.choice([0, 1, 2, 2, 3, 9, 17, 23]),
                              chance.choice([0, 0, 15, 30, 45, 59]), chance.choice([0, 0, 0, 0, 30]))
    end = chance.random()
    if end < 0.15:
        parts["COUNT"] = str(chance.randint(1, 40))
    elif end < 0.3:
        parts["UNTIL"] = (start + datetime.timedelta(days=chance.randint(0, 3000),
                                                     seconds=chance.randint(0, 86400))).strftime("%Y%m%dT%H%M%S")
    return start, parts


def instants(local, zone, fixed):
    """Where a local time fires: the rule of docs/time.md under RUN_ONCE."""
    first = local.replace(tzinfo=zone, fold=0)
    second = local.replace(tzinfo=zone, fold=1)
    before, after = first.utcoffset(), second.utcoffset()
    if before == after:
        return [first.astimezone(UTC)]
    if before > after:
        passes = [first.astimezone(UTC), second.astimezone(UTC)]
        return passes[:1] if fixed else passes
    if not fixed or after - before >= LONG_GAP:
        return []
    low, high = local - datetime.timedelta(days=1), local + datetime.timedelta(days=1)
    low, high = low.replace(tzinfo=zone).astimezone(UTC), high.replace(tzinfo=zone).astimezone(UTC)
    while high - low > datetime.timedelta(seconds=1):
        middle = low + datetime.timedelta(seconds=int((high - low).total_seconds()) // 2)
        low, high = (low, middle) if middle.astimezone(zone).utcoffset() == after else (middle, high)
    return [high]


def case(chance):
    start, parts = rule(chance)
    zone = zoneinfo.ZoneInfo(chance.choice(ZONES))
    written = ";".join(f"{name}={value}" for name, value in parts.items())
    small = parts["FREQ"] in ("HOURLY", "MINUTELY", "SECONDLY")
    span = 20 if parts["FREQ"] == "SECONDLY" else 40 if small else 4000
    origin = start + datetime.timedelta(days=chance.randint(-20 if small else -800, span // 20 if small else span),
                                        hours=chance.randint(0, 23))
    since = origin.replace(tzinfo=zone).astimezone(UTC).replace(minute=0, second=0)
    count = chance.randint(2, 6)
    limit = HORIZON if not small else start + datetime.timedelta(days=span)
    fixed = not small
    # a local time may fire later than it is shown, never earlier than a day before
    floor = since.astimezone(zone).replace(tzinfo=None) - datetime.timedelta(days=2)
    found, seen = [], 0
    try:
        named = rrule.rrulestr("RRULE:" + written, dtstart=start)
    except ValueError:
        return None  # dateutil refuses some rules that never fire
    for local in itertools.takewhile(lambda at: at < limit, named):
        seen += 1
        if local >= floor:
            found += [at for at in instants(local, zone, fixed) if at > since and at not in found]
        if len(found) > count + 130:
            break
    answers = [at.strftime("%Y-%m-%dT%H:%M:%SZ") for at in sorted(found)[:count]]
    if len(answers) == count:
        return row(start, written, zone, since, count, answers)
    over = seen == int(parts.get("COUNT", "-1")) or parts.get("UNTIL", "9") < limit.strftime("%Y%m%dT%H%M%S")
    return row(start, written, zone, since, count, answers + ["none"]) if over else None


def row(start, written, zone, since, count, answers):
    return "\t".join(["rrule", f"DTSTART:{start.strftime('%Y%m%dT%H%M%S')} RRULE:{written}", zone.key,
                      since.strftime("%Y-%m-%dT%H:%M:%SZ"), str(count), ",".join(answers)])


class Slow(Exception):
    pass


def slow(signal_number, frame):
    raise Slow()


def bounded(chance):
    """Leaves out rules that dateutil walks for more than a second, such as seconds that hardly ever match."""
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        return case(chance)
    except Slow:
        return None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def main():
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 5545)
    print("dialect\texpression\tzone\tfrom\tcount\tnext")
    made = 0
    signal.signal(signal.SIGALRM, slow)
    while made < wanted:
        line = bounded(chance)
        if line is not None:
            print(line)
            made += 1


main()
