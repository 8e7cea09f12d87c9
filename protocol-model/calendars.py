#!/usr/bin/env python3
"""One job planned by a stored calendar, two nodes, an editor who may die (N9).

A plan knows the version of the calendar that it was made from. Who claims with an older plan than it has read plans
again first; with a newer one it reads the calendars first. An edit is followed by a query for waiting documents with
older versions, made by whoever sees it undone.

  calendars.py [--mutant no-check-at-claim | older-node-plans | only-the-editor-asks | plan-without-rev]
"""
import argparse
import sys
from collections import namedtuple
from explore import explore, report

parser = argparse.ArgumentParser()
parser.add_argument('--mutant', default='',
                    choices=['', 'no-check-at-claim', 'older-node-plans', 'only-the-editor-asks', 'plan-without-rev'])
OPTIONS = parser.parse_args()
MUTANT = OPTIONS.mutant
FIRES = (2, 5, 3)        # when the job fires by version 0, 1 and 2 of the calendar
UNTIL = 7
FRESH = 1                # a node that starts a run has read the calendars no longer ago than this

Doc = namedtuple('Doc', 'due rev planned leased over')            # planned: the version its plan was made from
Node = namedtuple('Node', 'read read_at phase rev planned')       # read: the version that the node knows
State = namedtuple('State', 't version edited_at doc nodes owed started plans crashes')
FIRST = State(0, 0, (0,), Doc(FIRES[0], 1, 0, None, False), (Node(0, 0, 'idle', 0, 0),) * 2, None, (), frozenset(), 1)


def put(items, place, item):
    return items[:place] + (item,) + items[place + 1:]


def planned(state, version):
    return state._replace(doc=state.doc._replace(due=FIRES[version], planned=version, rev=state.doc.rev + 1))


def successors(state):
    out = []
    doc = state.doc
    if state.t < UNTIL:
        out.append(('a second passes', state._replace(t=state.t + 1)))
    if state.version < 2 and not doc.over:
        edited = state._replace(version=state.version + 1, edited_at=state.edited_at + (state.t,), owed=state.version + 1)
        out.append((f'the calendar becomes version {state.version + 1}', edited))
    if state.owed is not None and state.crashes:
        out.append(('the editor dies', state._replace(owed=None, crashes=0)))
    # the editor asks for waiting documents with older versions
    if state.owed is not None:
        out.append(('the editor asks', planned(state, state.owed)._replace(owed=None)
                    if doc.leased is None and not doc.over and doc.planned < state.owed else state._replace(owed=None)))
    for i, node in enumerate(state.nodes):
        with_node = lambda changed: state._replace(nodes=put(state.nodes, i, changed))
        if node.read < state.version or node.read_at < state.t:
            out.append((f'node {i} reads the calendars', with_node(node._replace(read=state.version, read_at=state.t))))
        if doc.over:
            continue
        # a node that has seen the edit asks, too; what it sends was decided on the document that it read
        if MUTANT != 'only-the-editor-asks' and doc.leased is None and doc.planned < node.read:
            out.append((f'node {i} plans by version {node.read}', state._replace(plans=state.plans | {(doc.rev, node.read)})))
        if doc.leased is None and doc.due <= state.t:
            claimed = state._replace(doc=doc._replace(leased=i, rev=doc.rev + 1))
            out.append((f'node {i} claims', claimed._replace(nodes=put(state.nodes, i, node._replace(
                phase='held', rev=doc.rev + 1, planned=doc.planned)))))
        if node.phase == 'held':
            out += held(state, i, node)
    for plan in state.plans:
        rev, version = plan
        rest = state._replace(plans=state.plans - {plan})
        matches = doc.rev == rev or (MUTANT == 'plan-without-rev' and doc.leased is None)
        out.append((f'the plan by version {version} arrives', planned(rest, version) if matches and not doc.over else rest))
    return out


def held(state, i, node):
    doc = state.doc
    release = lambda target: target._replace(doc=target.doc._replace(leased=None),
                                             nodes=put(target.nodes, i, target.nodes[i]._replace(phase='idle')))
    if MUTANT != 'no-check-at-claim':
        if node.planned > node.read:
            if MUTANT == 'older-node-plans':
                return [(f'node {i} plans again, by version {node.read}', release(planned(state, node.read)))]
            return []                                     # it reads the calendars first
        if state.t - node.read_at > FRESH:
            return []
        if node.planned < node.read:
            return [(f'node {i} plans again, by version {node.read}', release(planned(state, node.read)))]
    return [(f'node {i} starts', state._replace(started=(state.t, doc.planned), doc=doc._replace(leased=None, over=True),
                                                nodes=put(state.nodes, i, node._replace(phase='idle'))))]


def violation(state, before, step):
    if step.endswith('starts'):
        started, version = state.started
        if any(edited > version and at + FRESH < started for edited, at in enumerate(state.edited_at)):
            return 'a start by a plan that is older than an edit that every node has seen'
    if state.doc.planned < before.doc.planned:
        return 'a plan by a newer version was replaced by an older one'
    waits = not state.doc.over and state.doc.leased is None and state.doc.planned < state.version
    if waits and all(node.read == state.version for node in state.nodes) \
            and not any('plan' in name or 'asks' in name for name, _ in successors(state)):
        return 'every node has seen the edit, and nobody plans the job again'
    return None


if __name__ == '__main__':
    sys.exit(report(explore(FIRST, successors, violation, 600_000)))
