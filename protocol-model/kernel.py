#!/usr/bin/env python3
"""One job, two nodes, one user: one document, one guard, history that follows (N1 to N8, N14).

Every message may be lost, late, or after the lease; a process may die; a kernel may be restarted in a living process; a
read may be older than what was acknowledged. The job is a one-off, or has two fires. `--help` lists what can be added.
"""
import argparse
import sys
from collections import namedtuple
from explore import explore, report

parser = argparse.ArgumentParser()
for name, text in {
        'recurring': 'two fires', 'fail': 'crashPolicy FAIL: at most once', 'trouble': 'a good end deletes the document',
        'retry': 'the first attempt fails', 'follow': 'a good run stores a follow-up',
        'unplan': 'the end of the first claim cannot be planned here',
        'transaction': 'the request of the user is made in a transaction of the caller'}.items():
    parser.add_argument('--' + name, action='store_true', help=text)
parser.add_argument('--request', default='', choices=['', 'cancel', 'update', 'pause', 'run', 'force'])
parser.add_argument('--losses', type=int, default=1, help='calls and answers that may be lost, fills without an answer')
parser.add_argument('--crashes', type=int, default=1, help='processes that may die')
parser.add_argument('--restarts', type=int, default=0, help='kernels that may be restarted')
parser.add_argument('--stale', type=int, default=0, help='reads that may be one write old')
parser.add_argument('--copies', type=int, default=0, help='writes that may be applied a second time, later')
parser.add_argument('--claims', type=int, default=2)
parser.add_argument('--until', type=int, default=13)
parser.add_argument('--limit', type=int, default=1_000_000)
MUTANTS = {
    'no-rev': 'a holder\'s change is guarded by its token only',
    'claim-keeps-rev': 'a claim does not raise rev',
    'no-fill': 'a change hides rows without a look whether they are stored',
    'done-seq-proves': 'doneSeq that has reached the claim counts as applied',
    'user-decides-again': 'a request to run whose outcome is unknown is decided again',
    'release-undecided': 'a claim whose end cannot be decided is released',
    'unplanned-is-claimed': 'an end that cannot be planned is left to a claimer',
    'follow-by-current-rev': 'ids of follow-ups come from the revision of the document, not from the verdict\'s',
    'crash-forgets': 'an ABANDONED change leaves doneSeq, so that the next claim counts the crash again',
    'no-mark': 'crashPolicy FAIL without the mark before the start',
    'no-window': 'a holder acts also when its window is over',
    'accept-stale': 'a read that is older than what was acknowledged counts',
    'restart-forgets-cells': 'a restarted kernel makes a second cell for a token',
    'restart-forgets-changes': 'a restarted kernel draws a new change for a decision in the ledger',
    'row-outside-transaction': 'the row of a change in a transaction is inserted outside it',
    'transaction-no-fill': 'a change in a transaction hides rows without a look whether they are stored'}
parser.add_argument('--mutant', default='', choices=[''] + list(MUTANTS))
O = parser.parse_args()
MUTANT = O.mutant

LEASE, LEAD, SKEW = 4, 1, 1
MARGIN = 2 * SKEW + LEAD                   # a successor waits this long after the end of a lease
TRUST = 1                                  # the holder stops this long before it
FIRES = (1, 9) if O.recurring else (1,)

# lease: (node, incarnation, token, until); change, end, user: the newest change, the newest end, the newest request
Doc = namedtuple('Doc', 'due lease rev change end user claims done fire started cancel paused over gone crashes last '
                        'phase verdict attempt unplanned asked')
# claim: how often the job had been claimed when the row was written
Row = namedtuple('Row', 'rev change kind claim')
# what: what was decided; rev: of the document that it was decided on; id: its `change`
Change = namedtuple('Change', 'what rev id')
# phase: idle, claiming, held, running, writing, resolving. began: the cell of the token has left "waiting"
Node = namedtuple('Node', 'phase inc token sent doc change began owed drawn known')
User = namedtuple('User', 'phase doc change tries')
State = namedtuple('State', 't doc before rows nodes user messages starts truth follow tokens losses crashes restarts '
                            'stale copies acknowledged skipped open')

NEW = Row(1, 'created', 'new', 0)
CREATED = Doc(FIRES[0], None, 1, 'created', None, 'created', 0, 0, 0, 0, False, False, False, False, 0, NEW, 'run', 0, 0,
              False, 0)


def idle(inc, node=None):
    return Node('idle', inc, 0, 0, None, None, False, node.owed if node else frozenset(), node.drawn if node else 0,
                node.known if node else 0)


FIRST = State(0, CREATED, None, frozenset([NEW]), (idle(0), idle(10)), User('idle', None, None, 0), frozenset(), (),
              frozenset([NEW]), frozenset(), 1, O.losses, O.crashes, O.restarts, O.stale, O.copies, False, frozenset(), None)


# ---- what a change makes of a document: pure

def shown(doc):
    return frozenset([doc.last]) if doc and doc.last else frozenset()


def is_end(what):
    return what in ('ok', 'failed', 'unplannable', 'cancelled', 'crashed')


def applied(doc, change, t):
    """The document after the change. Each raises rev; those with a row show it."""
    what = change.what
    doc = doc._replace(rev=doc.rev + 1)
    plain = doc._replace(change=change.id)
    row = plain._replace(last=Row(doc.rev, change.id, what, doc.claims))
    last = doc.fire + 1 >= len(FIRES)
    if is_end(what):
        row = row._replace(end=change.id)
    if what == 'mark':
        return plain._replace(started=doc.claims)
    if what == 'verdict':
        return plain._replace(phase='storing', verdict=doc.rev)
    if what == 'abandoned':
        done = doc.done if MUTANT == 'crash-forgets' else doc.claims - 1
        return row._replace(done=done, crashes=doc.crashes + 1)
    if what == 'release':
        done = doc.claims if doc.claims - doc.done == 1 else doc.done
        return plain._replace(lease=None, done=done, due=None if doc.paused else FIRES[doc.fire],
                              started=0 if doc.started == doc.claims else doc.started)
    if what == 'failed':
        return row._replace(lease=None, done=doc.claims, due=None if doc.paused else t, attempt=doc.attempt + 1, crashes=0)
    if what == 'unplannable':
        return row._replace(lease=None, done=doc.claims, due=None if doc.paused else t, unplanned=True, crashes=0)
    if what == 'plan':
        if last:
            return row._replace(due=None, over=True, unplanned=False, fire=doc.fire + 1)
        return plain._replace(due=None if doc.paused else FIRES[doc.fire + 1], unplanned=False, fire=doc.fire + 1)
    if what == 'ok' and last and O.trouble and not doc.cancel:
        return row._replace(lease=None, done=doc.claims, due=None, over=True, gone=True, last=None, fire=doc.fire + 1)
    if what == 'cancelled' or doc.cancel and not last:
        return row._replace(lease=None, done=doc.claims, due=None, over=True)
    if what in ('ok', 'crashed'):
        return row._replace(lease=None, done=doc.claims, fire=doc.fire + 1, over=last, crashes=0, phase='run',
                            due=None if last or doc.paused else FIRES[doc.fire + 1])
    row = row._replace(user=change.id)
    if what == 'user:cancelled':
        return row._replace(due=None, over=True, lease=None)
    if what == 'user:cancel':
        return row._replace(cancel=True)
    if what == 'user:pause':
        return row._replace(paused=True, due=doc.due if doc.lease else None)
    if what == 'user:resume':
        return row._replace(paused=False, due=doc.due if doc.lease or doc.due is not None else
                            t if doc.unplanned else FIRES[doc.fire])
    if what == 'user:force':
        return row._replace(lease=None, due=t)
    return row._replace(asked=doc.asked + (what == 'user:run'))     # update, run


def hides(what):
    """Whether the change replaces the rows that the document shows, or deletes them."""
    return what not in ('mark', 'release', 'verdict')


# ---- the server

def store(state, change):
    doc = applied(state.doc, change, state.t)
    truth = state.truth | shown(doc) if doc.last != state.doc.last else state.truth
    if doc.gone:
        truth = truth - {None}
    return state._replace(doc=doc, before=state.doc if O.stale else None, truth=truth)


def insert(state, rows):
    there = {(row.rev, row.change) for row in state.rows}
    return state._replace(rows=state.rows | {row for row in rows if (row.rev, row.change) not in there})


def send(state, *message):
    return state._replace(messages=state.messages | {message})


def arrive(state, message):
    """A claim or a change reaches the server; its answer starts on its way back."""
    kind, who, body = message
    doc = state.doc
    if kind == 'claim':
        node, inc, token, horizon, until = body
        claimable = not doc.over and doc.due is not None and doc.due <= horizon \
            and (not doc.unplanned or MUTANT == 'unplanned-is-claimed')
        if not claimable:
            return send(state, 'answer', who, (token, None))
        rev = doc.rev if MUTANT == 'claim-keeps-rev' else doc.rev + 1
        doc = doc._replace(lease=(node, inc, token, until), due=until + MARGIN, claims=doc.claims + 1, rev=rev)
        state = state._replace(before=state.doc if O.stale else None, doc=doc)
        return send(state, 'answer', who, (token, doc))
    if kind == 'confirm':
        token = body
        mine = doc.lease is not None and doc.lease[2] == token and not doc.gone
        return send(state, 'answer', who, (token, doc if mine else None))
    if kind == 'read':
        return send(state, 'shows', who, (body, doc))
    change = body[1]
    matches = not doc.gone and doc.rev == change.rev
    if MUTANT == 'no-rev' and who != 'user':
        matches = not doc.gone and doc.lease is not None and doc.lease[2] == body[0]
    if matches:
        state = store(state, change)
    return send(state, 'answer', who, (body, matches))


# ---- every next state

def successors(state):
    out = []
    if state.t < O.until:
        out.append(('a second passes', state._replace(t=state.t + 1)))
    for i, node in enumerate(state.nodes):
        out += node_steps(state, i, node)
    if O.request:
        out += user_steps(state)
    for message in state.messages:
        out += message_steps(state, message)
    for row in shown(state.doc):
        if row not in state.rows and state.open is None:
            out.append((f'the pass inserts the row of revision {row.rev}', insert(state, [row])))
    return out


def message_steps(state, message):
    kind, who, body = message
    rest = state._replace(messages=state.messages - {message})
    out = []
    if kind in ('answer', 'shows'):
        if who == 'user':
            out.append((f'{kind} to the user', user_hears(rest, kind, body)))
        else:
            i, inc = who
            node = state.nodes[i]
            heard = node_hears(rest, i, node, kind, body) if node.inc == inc else rest
            out.append((f'{kind} to node {i}', heard))
        if state.losses and kind == 'answer':
            out.append((f'the answer to {who} is lost', rest._replace(losses=state.losses - 1)))
        return out
    if state.open is not None and kind != 'read':
        return out                                    # it waits for the transaction of the caller
    name = f'{kind} {body[1].what}' if kind == 'change' else kind
    out.append((f'{name} of {who} arrives', arrive(rest, message)))
    if kind == 'read' and state.stale and state.before is not None:
        out.append((f'read of {who} sees the document before its last write',
                    send(rest, 'shows', who, (body, state.before))._replace(stale=state.stale - 1)))
    if state.losses and kind != 'read':
        out.append((f'{name} of {who} is lost', rest._replace(losses=state.losses - 1)))
    if state.copies and kind == 'change':
        out.append((f'a copy of {name} of {who} arrives', arrive(state._replace(copies=state.copies - 1), message)))
    return out


def put(state, i, node):
    return state._replace(nodes=state.nodes[:i] + (node,) + state.nodes[i + 1:])


def in_window(state, node):
    return state.t < node.sent + LEASE - TRUST


def node_steps(state, i, node):
    out = []
    doc = state.doc
    who = (i, node.inc)
    if state.crashes and (node.phase != 'idle' or node.owed):
        out.append((f'process {i} dies', put(state, i, idle(node.inc + 1))._replace(crashes=state.crashes - 1)))
    for row in node.owed:
        out.append((f'node {i} inserts the row of revision {row.rev}',
                    insert(put(state, i, node._replace(owed=node.owed - {row})), [row])))
    if node.phase == 'idle':
        if doc.unplanned and MUTANT != 'unplanned-is-claimed' and not doc.over and not doc.paused and doc.lease is None \
                and i == 1 and state.open is None:
            fill = [row for row in shown(doc) if row not in state.rows and doc.fire + 1 >= len(FIRES)]
            if fill and MUTANT != 'no-fill':
                out.append(('node 1 stores what the plan would hide', insert(state, fill)))
            else:
                out.append(('node 1 plans the job', store(state, Change('plan', doc.rev, ('plan', doc.rev)))))
        # a look may be stale: the claim is sent for what was due, its guard is checked where it arrives
        if state.tokens <= O.claims and not doc.over and doc.due is not None and doc.due <= state.t + LEAD \
                and (not doc.unplanned or MUTANT == 'unplanned-is-claimed'):
            claiming = node._replace(phase='claiming', token=state.tokens, sent=state.t)
            body = (i, node.inc, state.tokens, state.t + LEAD, state.t + LEASE)
            out.append((f'node {i} sends a claim',
                        send(put(state, i, claiming), 'claim', who, body)._replace(tokens=state.tokens + 1)))
        return out
    if state.restarts and node.phase != 'resolving':
        began = node.began and MUTANT != 'restart-forgets-cells'
        change = None if MUTANT == 'restart-forgets-changes' else node.change
        fresh = node._replace(phase='resolving', doc=None, began=began, change=change)
        out.append((f'kernel {i} is restarted', put(state, i, fresh)._replace(restarts=state.restarts - 1)))
    if not in_window(state, node):
        out.append((f'node {i} finds its window over', put(state, i, idle(node.inc, node))))
        if MUTANT != 'no-window':
            return out
    waits = any(message[1] == who and message[0] in ('confirm', 'read', 'shows') for message in state.messages)
    if node.phase == 'claiming' and not any(message[1] == who for message in state.messages):
        out.append((f'node {i} asks whether the claim is its own', send(state, 'confirm', who, node.token)))
    if node.phase == 'resolving' and node.change is None and not any(message[1] == who for message in state.messages):
        out.append((f'node {i} asks what it holds', send(state, 'confirm', who, node.token)))
    if node.phase == 'resolving' and node.change is not None and not waits:
        out.append((f'node {i} reads', send(state, 'read', who, (node.token, node.change))))
    if node.phase == 'writing' and not waits:
        out.append((f'node {i} reads', send(state, 'read', who, (node.token, node.change))))
    if node.phase == 'held':
        out += held_steps(state, i, node)
    if node.phase == 'running':
        if O.follow and node.doc.phase != 'storing':
            out += decide(state, i, node, 'verdict')
        elif MUTANT == 'release-undecided' and node.doc.phase != 'storing':
            out += decide(state, i, node, 'release')
        elif O.retry and node.doc.attempt == 0:
            out += decide(state, i, node, 'failed')
        elif O.unplan and node.doc.claims == 1:
            out += decide(state, i, node, 'unplannable')
        else:
            out += decide(state, i, node, 'ok')
    return out


def held_steps(state, i, node):
    """What the holder of a claim does next. It decides on its copy of the document."""
    doc = node.doc
    if doc.phase == 'storing':
        key = (doc.fire, doc.rev if MUTANT == 'follow-by-current-rev' else doc.verdict)
        if key not in state.follow:
            return [(f'node {i} stores the follow-up', state._replace(follow=state.follow | {key}))]
        return decide(state, i, node, 'ok')
    if doc.claims - doc.done > 1:
        if doc.cancel:
            return decide(state, i, node, 'cancelled')
        if O.fail and doc.done < doc.started < doc.claims:
            return decide(state, i, node, 'crashed')
        return decide(state, i, node, 'abandoned')
    if doc.cancel:
        return decide(state, i, node, 'cancelled')
    if doc.paused:
        return decide(state, i, node, 'release')
    if doc.fire < len(FIRES) and state.t >= FIRES[doc.fire]:
        if O.fail and doc.started != doc.claims and MUTANT != 'no-mark':
            return decide(state, i, node, 'mark')
        started = put(state, i, node._replace(phase='running', began=True))
        return [(f'node {i} starts fire {doc.fire}', started._replace(starts=state.starts + ((doc.fire, node.token),)))]
    return []


def decide(state, i, node, what):
    """First what the change would hide (N3), then the change."""
    out = []
    skipped = state.skipped
    missing = frozenset(row for row in shown(node.doc) if row not in state.rows) if hides(what) else frozenset()
    if missing and MUTANT != 'no-fill' and not missing <= node.owed:
        out.append((f'node {i} stores what the change would hide', insert(state, missing)))
        if state.losses:
            out.append((f'node {i} gets no answer when it asks for rows, and owes them',
                        put(state, i, node._replace(owed=node.owed | missing))._replace(
                            losses=state.losses - 1, skipped=skipped | missing)))
        return out
    change = Change(what, node.doc.rev, (i, node.inc, node.drawn))
    writing = node._replace(phase='writing', change=change, drawn=node.drawn + 1)
    out.append((f'node {i} sends {what}', send(put(state, i, writing), 'change', (i, node.inc), (node.token, change))))
    return out


def node_hears(state, i, node, kind, body):
    if kind == 'answer' and not isinstance(body[1], bool):              # of a claim, or of the question whose it is
        token, doc = body
        if node.token != token or node.phase not in ('claiming', 'resolving') or node.change is not None:
            return state
        if doc is None or not in_window(state, node):
            return put(state, i, idle(node.inc, node))
        return put(state, i, node._replace(phase='running' if node.began else 'held', doc=doc, known=doc.rev))
    change = body[0][1]
    if node.phase not in ('writing', 'resolving') or node.change != change:
        return state
    if not in_window(state, node) and MUTANT != 'no-window':
        return put(state, i, idle(node.inc, node))
    if kind == 'answer':
        return acknowledged(state, i, node, None) if body[1] else state
    return resolved(state, i, node, body[1])


def acknowledged(state, i, node, doc):
    """The change is applied. Its row is owed from now on; a slot is free if the lease is gone."""
    change = node.change
    row = next((row for row in state.truth if row.change == change.id), None)
    owed = node.owed | {row} if row is not None else node.owed
    if is_end(change.what) or change.what == 'release':
        return put(state, i, idle(node.inc, node)._replace(owed=owed))
    # not an end: the lease is kept, and so is the copy: what was sent, applied to what was known
    held = doc if doc is not None else applied(node.doc, change, state.t) if node.doc else None
    if held is None:                                                    # restarted: ask what is held
        return put(state, i, node._replace(phase='resolving', change=None, owed=owed))
    phase = 'running' if node.began and change.what != 'verdict' else 'held'
    return put(state, i, node._replace(phase=phase, doc=held, change=None, owed=owed, known=held.rev))


def resolved(state, i, node, doc):
    """A reply was lost: what the document says (N7)."""
    change = node.change
    if doc.rev < max(node.known, change.rev) and not doc.gone and MUTANT != 'accept-stale':
        return state                                                    # older than what is known: read again
    if doc.gone:
        return acknowledged(state, i, node, None) if change.what == 'ok' and O.trouble else put(state, i, idle(node.inc, node))
    mine = doc.lease is not None and doc.lease[2] == node.token
    if MUTANT == 'done-seq-proves':
        proof = not mine and doc.lease is None and node.doc is not None and doc.done >= node.doc.claims
    else:
        proof = doc.change == change.id or is_end(change.what) and doc.end == change.id
    if proof:
        if MUTANT == 'done-seq-proves':
            state = state._replace(rows=state.rows | {Row(change.rev + 1, change.id, change.what, 0)}
                                   if hides(change.what) and not O.trouble else state.rows)
        return acknowledged(state, i, node, doc)
    if doc.rev == change.rev:
        return send(state, 'change', (i, node.inc), (node.token, change))
    if not mine:
        return put(state, i, idle(node.inc, node))                      # unknown: nothing is owed
    began = node.began or change.what in ('ok', 'failed', 'unplannable', 'verdict')
    return put(state, i, node._replace(phase='running' if began and doc.phase != 'storing' else 'held', doc=doc, change=None,
                                       known=doc.rev))


# ---- the user: reads, decides, sends, and resolves a lost answer

def user_steps(state):
    user = state.user
    out = []
    doc = state.doc
    with_user = lambda changed: state._replace(user=changed)
    if user.phase == 'idle' and not doc.over:
        out.append(('the user reads', with_user(User('decides', doc, None, user.tries))))
    if user.phase == 'decides':
        out += user_decides(state, user)
    if user.phase == 'sent' and not any(message[1] == 'user' for message in state.messages):
        out.append(('the user reads what became of it', send(state, 'read', 'user', (0, user.change))))
    if user.phase in ('decides', 'sent', 'wrote') and state.crashes:
        out.append(('the user\'s process dies', with_user(User('gone', None, None, 9))._replace(
            crashes=state.crashes - 1, open=None)))
    if user.phase == 'wrote':
        change = user.change
        committed = store(state, change)
        out.append(('the caller commits', insert(committed, shown(committed.doc))._replace(
            open=None, user=User('done', None, None, 9), acknowledged=change.what == 'user:cancelled' or state.acknowledged)))
        out.append(('the caller aborts', with_user(User('done', None, None, 9))._replace(open=None)))
    # another user's request, so that the newest request is not always this user's
    if O.request == 'run' and user.phase == 'sent' and not doc.over and state.open is None and doc.user != 'other':
        hidden = insert(state, shown(doc)) if MUTANT != 'no-fill' else state
        changed = store(hidden, Change('user:update', doc.rev, 'other'))
        out.append(('another user updates the job', insert(changed, shown(changed.doc))))
    if user.phase == 'done' and doc.paused and not doc.over and state.open is None:
        hidden = insert(state, shown(doc)) if MUTANT != 'no-fill' else state
        resumed = store(hidden, Change('user:resume', doc.rev, ('user', 'resume')))
        out.append(('the job is resumed', insert(resumed, shown(resumed.doc))))
    return out


def user_decides(state, user):
    seen = user.doc
    over = seen.lease is not None and state.t >= seen.lease[3] + MARGIN
    what = 'user:' + O.request
    if O.request == 'cancel' and (seen.lease is None or over) and seen.phase != 'storing':
        what = 'user:cancelled'
    if O.request == 'force' and seen.lease is None:
        return [('nothing to force', state._replace(user=User('done', None, None, 9)))]
    missing = [row for row in shown(seen) if row not in state.rows]
    no_fill = MUTANT == 'no-fill' or O.transaction and MUTANT == 'transaction-no-fill'
    if missing and not no_fill:
        return [('the user\'s process stores what the request would hide', insert(state, missing))]
    change = Change(what, seen.rev, ('user', user.tries))
    if not O.transaction:
        return [(f'the user sends {what}', send(state._replace(user=User('sent', seen, change, user.tries + 1)),
                                                'change', 'user', (0, change)))]
    if state.doc.rev != seen.rev:
        return [('the transaction meets a write conflict', state._replace(user=User('idle', None, None, user.tries)))]
    wrote = state._replace(user=User('wrote', seen, change, user.tries + 1), open=change)
    if MUTANT == 'row-outside-transaction':
        wrote = insert(wrote, shown(applied(seen, change, state.t)))
    return [(f'the caller writes {what} in a transaction', wrote)]


def user_hears(state, kind, body):
    user = state.user
    if user.phase != 'sent' or body[0][1] != user.change:
        return state
    change = user.change
    if kind == 'shows':
        doc = body[1]
        if not (doc.user == change.id and not doc.gone):
            if doc.rev == change.rev and not doc.gone:
                return send(state, 'change', 'user', (0, change))
            if O.request == 'run' and MUTANT != 'user-decides-again':
                return state._replace(user=User('done', None, None, 9))          # outcome unknown, never again
            done = user.tries > 1 or doc.over or doc.gone
            return state._replace(user=User('done' if done else 'idle', None, None, user.tries))
    elif not body[1]:                                                            # refused: read, decide again
        return send(state, 'read', 'user', (0, change))
    # applied: the row is tried once before the request returns, and inserted only from what is known to be stored
    row = next((row for row in state.truth if row.change == change.id), None)
    done = insert(state, [row] if row else [])
    return done._replace(user=User('done', None, None, 9),
                         acknowledged=state.acknowledged or change.what == 'user:cancelled')


# ---- what must not happen

def violation(state, before, step):
    doc = state.doc
    running = [node for node in state.nodes if node.phase == 'running' and in_window(state, node)]
    if len(running) > 1 and O.request != 'force':
        return 'two runs in their windows'
    if len(state.starts) > len(before.starts):
        fire, token = state.starts[-1]
        earlier = state.starts[:-1]
        if (fire, token) in earlier:
            return 'a fire is started twice under one claim'
        if before.acknowledged:
            return 'a start after CANCELED'
        if not any(node.token == token and in_window(state, node) for node in state.nodes):
            return 'a start after the end of its window'
        if O.fail and any(other == fire for other, _ in earlier):
            return 'at most once was started twice'
        if fire < doc.fire or before.doc.unplanned and any(row.kind == 'unplannable' for row in state.truth):
            return 'a fire that has ended is started again'
        if before.doc.phase == 'storing':
            return 'a run is started after its verdict'
        harmless = before.losses == O.losses and before.crashes == O.crashes and O.request != 'force'
        if MUTANT == 'release-undecided' and harmless and any(other == fire for other, _ in earlier):
            return 'a fire is run twice, and nothing had failed'
    for i, (node, was) in enumerate(zip(state.nodes, before.nodes)):
        if step == f'shows to node {i}' and node.phase == 'idle' and in_window(state, was) \
                and doc.lease is not None and doc.lease[2] == was.token and not doc.gone:
            return 'a node gives up a claim that it holds'
    for row in state.rows:
        if row not in state.truth and row.kind != 'plan' and not (O.trouble and row.kind == 'ok'):
            return f'a row of no change: {row.kind}'
    if len({row.rev for row in state.truth}) < len(state.truth):
        return 'two changes of one revision'
    if not doc.over and not doc.paused and doc.due is None:
        return 'a live job that can never be claimed'
    if len({fire for fire, _ in state.follow}) < len(state.follow):
        return 'a follow-up is stored twice'
    if doc.asked > 1:
        return 'one request gives two runs'
    abandoned = [row.claim for row in state.truth if row.kind == 'abandoned']
    if len(set(abandoned)) < len(abandoned):
        return 'one abandoned claim is counted twice'
    safe = state.rows | shown(doc) | frozenset(row for node in state.nodes for row in node.owed)
    lost = state.truth - safe
    if lost and not (lost <= state.skipped and state.crashes < O.crashes):
        return f'a row is lost for good: {", ".join(sorted(row.kind for row in lost))}'
    return None


if __name__ == '__main__':
    sys.exit(report(explore(FIRST, successors, violation, O.limit)))
