#!/usr/bin/env python3
"""Rows of one recurring job: when they are written, and when they go (N2, N4, N5).

The document shows its newest row. A process inserts the row after its change was acknowledged, or dies before that. The
next change first stores what the document shows (N3). The server removes rows whose `deleteTime` has passed. The pass
inserts what documents show and gives the newest row of a live job four days when fewer than two are left.

  rows.py [--mutant no-fill | no-pass | pass-inserts-expired | no-max]
"""
import argparse
import sys
from collections import namedtuple
from explore import explore, report

parser = argparse.ArgumentParser()
parser.add_argument('--mutant', default='', choices=['', 'no-fill', 'no-pass', 'pass-inserts-expired', 'no-max'])
OPTIONS = parser.parse_args()
MUTANT = OPTIONS.mutant
UNTIL, KEEP, EVERY, LOW, GIVEN = 12, 2, 2, 1, 2      # days

Row = namedtuple('Row', 'rev goes')                 # goes: its deleteTime, as it was born
State = namedtuple('State', 't rev shown live owed stored expired crashes changes pulled')
BORN = Row(1, EVERY + KEEP)
FIRST = State(0, 1, BORN, True, None, frozenset([BORN]), frozenset(), 1, 0, False)


def with_row(rows, row):
    return rows if any(one.rev == row.rev for one in rows) else rows | {row}


def fill(state):
    if MUTANT == 'no-fill':
        return state
    return state._replace(stored=with_row(state.stored, state.shown))


def successors(state):
    out = []
    if state.t < UNTIL:
        out.append(('a day passes', state._replace(t=state.t + 1)))
    if state.live and state.changes < 3 and state.owed is None:
        row = Row(state.rev + 1, state.t + EVERY + KEEP)
        out.append((f'change {row.rev}', fill(state)._replace(rev=row.rev, shown=row, owed=row, changes=state.changes + 1)))
        last = Row(state.rev + 1, state.t + KEEP)
        out.append((f'change {last.rev} ends the job', fill(state)._replace(
            rev=last.rev, shown=last, owed=last, live=False, changes=state.changes + 1)))
    if state.owed is not None:
        out.append((f'row {state.owed.rev} is inserted', state._replace(stored=with_row(state.stored, state.owed), owed=None)))
        if state.crashes:
            out.append(('the process dies', state._replace(owed=None, crashes=0)))
    for row in state.stored:
        if row.goes <= state.t:
            out.append((f'the server removes row {row.rev}', state._replace(
                stored=state.stored - {row}, expired=state.expired | {row.rev})))
    if MUTANT != 'no-pass':
        out += the_pass(state)
    return out


def the_pass(state):
    out = []
    shown = state.shown
    stored = next((row for row in state.stored if row.rev == shown.rev), None)
    if stored is None and state.owed is None and (shown.goes > state.t or state.live or MUTANT == 'pass-inserts-expired'):
        goes = state.t + GIVEN if state.live and shown.goes - state.t < LOW and MUTANT != 'no-max' else shown.goes
        if goes > state.t or MUTANT == 'pass-inserts-expired':
            out.append((f'the pass inserts row {shown.rev}', state._replace(stored=state.stored | {Row(shown.rev, goes)})))
    if stored is not None and state.live and stored.goes - state.t < LOW and MUTANT != 'no-max':
        out.append((f'the pass gives row {shown.rev} more days', state._replace(
            stored=state.stored - {stored} | {Row(shown.rev, state.t + GIVEN)})))
    return out


def violation(state, before, step):
    if step == 'a day passes':
        # every day has a whole pass: what it would do is done before the next one begins
        if any(name.startswith('the pass') for name, _ in the_named(before)):
            return None
        if before.live and before.owed is None and not any(row.rev == before.shown.rev for row in before.stored):
            return 'the newest row of a live job is not in the collection, and the pass does not see it'
        missing = set(range(1, before.rev + 1)) - {row.rev for row in before.stored} - before.expired - {before.shown.rev}
        if missing and before.owed is None:
            return f'row {min(missing)} is lost for good'
    if step.startswith('the pass inserts') and state.shown.rev in before.expired and not before.live:
        return 'the pass brings back a row whose time was over'
    return None


def the_named(state):
    return the_pass(state) if MUTANT != 'no-pass' else []


if __name__ == '__main__':
    sys.exit(report(explore(FIRST, successors, violation, 600_000)))
