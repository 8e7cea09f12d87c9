"""Breadth-first search over the states of a model, and the shortest trace of what it finds.

A model is three things: a first state, a function that names every next state, and a function that says what is wrong
with a step. Each step is judged, also one that leads to a state that was met before. States are tuples, so that equal ones are met once.
"""

from collections import deque


def explore(first, successors, violation, limit):
    """Returns (verdict, number of states, trace). The verdict is 'exhausted', 'bounded' or what is wrong."""
    came_from = {first: None}
    waiting = deque([first])
    while waiting:
        state = waiting.popleft()
        for name, following in successors(state):
            wrong = violation(following, state, name)
            if wrong:
                return wrong, len(came_from), trace_to(state, came_from) + (name,)
            if following not in came_from:
                came_from[following] = (state, name)
                waiting.append(following)
        if len(came_from) > limit:
            return 'bounded', len(came_from), ()
    return 'exhausted', len(came_from), ()


def trace_to(state, came_from):
    steps = []
    while came_from[state]:
        state, name = came_from[state]
        steps.append(name)
    return tuple(reversed(steps))


def report(result):
    """Prints the result, and returns the exit code: 1 for a violation."""
    verdict, states, trace = result
    if verdict in ('exhausted', 'bounded'):
        print(f'{verdict}: {states} states, no violation')
        return 0
    print(f'VIOLATION after {states} states: {verdict}')
    for number, step in enumerate(trace, 1):
        print(f'  {number:3} {step}')
    return 1
