#!/usr/bin/env bash
# Every variant of the models must hold, and every mutant must be found. Prints one line for each; ends with 1 otherwise.
#   run-all.sh [variants|mutants]
# LIMIT: states for each run (default 1 000 000). With pypy3 the whole takes minutes; with python3, ten times as long.
set -uo pipefail
cd "$(dirname "$0")"
python=$(command -v pypy3 || command -v python3)
limit=${LIMIT:-1000000}
failed=0

holds() {
  local answer
  answer=$("$python" "$@" | tail -n 1)
  printf '%-78s %s\n' "$*" "$answer"
  case $answer in exhausted*|bounded*) ;; *) failed=1; "$python" "$@" ;; esac
}

found() {
  local answer
  answer=$("$python" "$@")
  case $answer in
    VIOLATION*) printf '%-78s found: %s (%s steps)\n' "$*" "$(head -n 1 <<<"$answer" | sed 's/.*states: //')" "$(($(wc -l <<<"$answer") - 1))" ;;
    *) printf '%-78s NOT FOUND: %s\n' "$*" "$(tail -n 1 <<<"$answer")"; failed=1 ;;
  esac
}

variants() {
  for job in '' --recurring --fail --trouble '--trouble --retry' --follow --unplan '--unplan --recurring'; do
    for request in '' cancel update pause run force; do
      # shellcheck disable=SC2086
      holds kernel.py $job ${request:+--request $request} --limit "$limit"
    done
  done
  for more in '--restarts 1' '--restarts 1 --fail' '--restarts 1 --follow' '--restarts 1 --trouble --retry' \
    '--stale 1' '--stale 1 --request update' '--copies 1' '--copies 1 --retry' \
    '--transaction --request update' '--transaction --request cancel' '--transaction --request pause --recurring'; do
    # shellcheck disable=SC2086
    holds kernel.py $more --limit "$limit"
  done
  holds inserts.py
  holds groups.py
  holds calendars.py
  holds rows.py
}

mutants() {

  while IFS='|' read -r mutant options; do
    # shellcheck disable=SC2086
    found kernel.py --mutant $mutant $options --limit "$limit"
  done <<'MUTANTS'
no-rev|
claim-keeps-rev|--request cancel --losses 0 --crashes 0 --until 4
no-fill|--retry --losses 0
done-seq-proves|--request force --losses 1 --crashes 0
user-decides-again|--request run --crashes 0 --claims 1 --until 2
release-undecided|--losses 0 --crashes 0
unplanned-is-claimed|--unplan --losses 0 --crashes 0
follow-by-current-rev|--follow --losses 0
crash-forgets|--losses 0
no-mark|--fail --losses 0
no-window|--losses 0
accept-stale|--stale 1 --crashes 0 --until 4
restart-forgets-cells|--restarts 1 --losses 0 --crashes 0
row-outside-transaction|--transaction --request update --losses 0 --crashes 0
transaction-no-fill|--transaction --request update --retry --losses 0
MUTANTS
  for mutant in random-id; do found inserts.py --mutant $mutant; done
  for mutant in take-without-rev take-in-lease claim-without-slot; do found groups.py --mutant $mutant; done
  for mutant in no-check-at-claim older-node-plans only-the-editor-asks plan-without-rev; do found calendars.py --mutant $mutant; done
  for mutant in no-fill no-pass pass-inserts-expired no-max; do found rows.py --mutant $mutant; done
}

case "${1:-all}" in
  variants) variants ;;
  mutants) mutants ;;
  *) variants; mutants ;;
esac
exit $failed
