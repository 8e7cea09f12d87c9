#!/usr/bin/env python3
"""Two jobs of one group of size 1, two nodes: slots (N6).

A claim takes the slot in the write that takes the lease; a unique index allows one holder. A member whose lease is over
loses its slot to who needs it: one update that is guarded by the `rev` that was read, and raises it.

  groups.py [--mutant take-without-rev | take-in-lease | claim-without-slot | take-keeps-rev]
"""
import argparse
import sys
from collections import namedtuple
from explore import explore, report

parser = argparse.ArgumentParser()
parser.add_argument('--mutant', default='',
                    choices=['', 'take-without-rev', 'take-in-lease', 'claim-without-slot', 'take-keeps-rev'])
parser.add_argument('--until', type=int, default=7)
OPTIONS = parser.parse_args()
MUTANT = OPTIONS.mutant
LEASE, TRUST_MARGIN, MARGIN = 3, 1, 1

Doc = namedtuple('Doc', 'due lease rev slot claims over')     # lease: (node, token, until)
Node = namedtuple('Node', 'phase job token sent seen')        # seen: the dead member as it was read
State = namedtuple('State', 't docs nodes messages tokens losses')
IDLE = Node('idle', None, 0, 0, None)
# node 0 died while it held job 0, and the write of its end is still on the way: nothing has been renewed since
FIRST = State(0, (Doc(MARGIN, (0, 9, 0), 2, True, 1, False), Doc(0, None, 1, False, 0, False)), (IDLE,) * 2,
              frozenset([('end', 0, 0, 2, 0)]), 0, 1)


def put(items, place, item):
    return items[:place] + (item,) + items[place + 1:]


def in_window(state, node):
    return state.t < node.sent + LEASE - TRUST_MARGIN


def successors(state):
    out = []
    if state.t < OPTIONS.until:
        out.append(('a second passes', state._replace(t=state.t + 1)))
    for i, node in enumerate(state.nodes):
        out += of_node(state, i, node)
    for message in state.messages:
        out += delivered(state._replace(messages=state.messages - {message}), message)
    return out


def of_node(state, i, node):
    out = []
    with_node = lambda changed: state._replace(nodes=put(state.nodes, i, changed))
    send = lambda target, *message: target._replace(messages=target.messages | {message})
    if node.phase == 'idle' and state.tokens < 3:
        for job, doc in enumerate(state.docs):
            if not doc.over and doc.due <= state.t:
                claiming = with_node(Node('claiming', job, state.tokens + 1, state.t, None))
                out.append((f'node {i} sends a claim of job {job}',
                            send(claiming, 'claim', i, job, state.tokens + 1, state.t + LEASE)._replace(tokens=state.tokens + 1)))
            # the other job holds the slot, and its lease looks over: read it, then take the slot away
            other = state.docs[1 - job]
            over = other.lease is not None and state.t >= other.lease[2] + MARGIN
            if doc.due <= state.t and other.slot and (over or MUTANT == 'take-in-lease'):
                out.append((f'node {i} reads job {1 - job}, whose lease is over',
                            with_node(Node('taking', 1 - job, 0, state.t, other.rev))))
    if node.phase == 'taking':
        out.append((f'node {i} sends: take the slot of job {node.job}',
                    send(with_node(IDLE), 'take', i, node.job, node.seen, 0)))
    if node.phase == 'claiming' and state.losses:
        out.append((f'node {i} gets no answer', with_node(IDLE)._replace(losses=state.losses - 1)))
    if node.phase == 'held' and in_window(state, node):
        out.append((f'node {i} starts job {node.job}', with_node(node._replace(phase='running'))))
    if node.phase in ('held', 'running') and not in_window(state, node):
        out.append((f'node {i} finds its window closed', with_node(IDLE)))
    if node.phase == 'running' and in_window(state, node):
        rev = node.seen
        out.append((f'node {i} sends the end of job {node.job}',
                    send(with_node(IDLE), 'end', i, node.job, rev, 0)))
    return out


def delivered(state, message):
    kind, i, job, key, until = message
    doc = state.docs[job]
    put_doc = lambda changed: state._replace(docs=put(state.docs, job, changed))
    if kind == 'claim':
        taken = state.docs[1 - job].slot and MUTANT != 'claim-without-slot'
        node = state.nodes[i]
        if doc.over or doc.due > state.t or taken:
            missed = state if node.token != key else state._replace(nodes=put(state.nodes, i, IDLE))
            return [(f'the claim of job {job} matches nothing', missed)]
        claimed = put_doc(doc._replace(lease=(i, key, until), due=until + MARGIN, rev=doc.rev + 1, slot=True, claims=doc.claims + 1))
        if node.phase == 'claiming' and node.token == key:
            held = node._replace(phase='held', seen=doc.rev + 1)
            claimed = claimed._replace(nodes=put(claimed.nodes, i, held))
        return [(f'job {job} is claimed by node {i}', claimed)]
    if kind == 'take':
        guard = doc.rev == key or MUTANT == 'take-without-rev'
        if not guard or not doc.slot:
            return [(f'the taking from job {job} matches nothing', state)]
        rev = doc.rev if MUTANT == 'take-keeps-rev' else doc.rev + 1
        return [(f'job {job} loses its slot', put_doc(doc._replace(slot=False, rev=rev)))]
    if doc.rev != key:
        return [(f'the end of job {job} matches nothing', state)]
    return [(f'job {job} ends', put_doc(doc._replace(lease=None, slot=False, rev=doc.rev + 1, over=True)))]


def violation(state, before, step):
    running = [node.job for node in state.nodes if node.phase == 'running' and in_window(state, node)]
    if len(running) > 1:
        return 'two runs of one group in their windows'
    for doc in state.docs:
        if not doc.over and doc.due is None:
            return 'a live job that can never be claimed'
    return None


if __name__ == '__main__':
    sys.exit(report(explore(FIRST, successors, violation, 600_000)))
