#!/usr/bin/env python3
"""One key, one caller, inserts that arrive late: one id per life of a key (N6).

The caller schedules a job. Its answer may be lost; then the caller asks again, once. The job runs, or is cancelled,
and finishes. An insert that nobody acknowledged may arrive at any time, also after that.

  inserts.py [--trouble] [--mutant random-id]
"""
import argparse
import sys
from collections import namedtuple
from explore import explore, report

parser = argparse.ArgumentParser()
parser.add_argument('--trouble', action='store_true', help='the end of the job deletes its document')
parser.add_argument('--mutant', default='', choices=['', 'random-id'])
OPTIONS = parser.parse_args()

# docs: {(id, state)}, state LIVE or OVER; flying: inserts on the way; asked: calls made; answered: the caller knows
State = namedtuple('State', 'docs flying asked answered lives ran cancelled')
FIRST = State(frozenset(), frozenset(), 0, False, (), 0, False)


def life_of(state):
    """0, or one more than that of the newest finished document."""
    over = [number for number, kind in state.docs if kind == 'OVER']
    return max(over) + 1 if over else 0


def live(state):
    return [doc for doc in state.docs if doc[1] == 'LIVE']


def successors(state):
    out = []
    if state.asked < 2 and not state.answered and not live(state) and not (state.asked and 'OVER' in dict(state.docs).values()):
        name = state.asked if OPTIONS.mutant == 'random-id' else life_of(state)
        out.append((f'the caller sends insert {name}',
                    state._replace(asked=state.asked + 1, flying=state.flying | {(name, state.asked)})))
    for insert in state.flying:
        name = insert[0]
        landed = state._replace(flying=state.flying - {insert})
        if any(doc[0] == name for doc in state.docs) or live(state):
            out.append((f'insert {name} meets a duplicate key', landed._replace(answered=True)))
        else:
            born = landed._replace(docs=state.docs | {(name, 'LIVE')}, lives=state.lives + (name,))
            out.append((f'insert {name} is applied and acknowledged', born._replace(answered=True)))
            out.append((f'insert {name} is applied, its answer is lost', born))
    for doc in live(state):
        rest = state.docs - {doc}
        over = rest if OPTIONS.trouble else rest | {(doc[0], 'OVER')}
        out.append(('the job runs and ends', state._replace(docs=over, ran=state.ran + 1)))
        out.append(('the job is cancelled', state._replace(docs=rest | {(doc[0], 'OVER')}, cancelled=True)))
    return out


def violation(state, before, step):
    if len(state.lives) > 1:
        return 'one request gave the job two lives'
    if state.ran > before.ran and before.cancelled:
        return 'a run after CANCELED'
    return None


if __name__ == '__main__':
    sys.exit(report(explore(FIRST, successors, violation, 100_000)))
