package dev.almanac.behaviour;

import dev.almanac.engine.rules.FirePlanner;
import dev.almanac.model.Outcome;
import dev.almanac.model.Pause;
import dev.almanac.runtime.TimeSource;
import dev.almanac.store.ClaimRequest;
import dev.almanac.store.ClaimResult;
import dev.almanac.store.ExtraRun;
import dev.almanac.store.FirePlan;
import dev.almanac.store.HeldLease;
import dev.almanac.store.JobChange;
import dev.almanac.store.JobChange.By;
import dev.almanac.store.JobStore;
import dev.almanac.store.Lease;
import dev.almanac.store.Phase;
import dev.almanac.store.Renewal;
import dev.almanac.store.RowQuery;
import dev.almanac.store.Sequences;
import dev.almanac.store.StoreException;
import dev.almanac.store.StoredJob;
import dev.almanac.time.PlannedFire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Protocols that leave out one guard each; the simulation must notice every one. Each is a store that does what a
 * store would do if the engine forgot the guard, on the server's side of the network, or on the node's.
 *
 * <p>Guards that 3 000 seeds do not reach, and the tests that hold them: a claim of a job whose group was changed since
 * the look ({@code StoreGroups.changedGroup}); a release that clears {@code startedSeq}
 * ({@code RecoveryTest.startedSeqOfOwnClaim}); a plan that arrives again after a newer one, by {@code fireSeq}
 * ({@code StoreCompletions.olderMoveAgain}); a cancel that meets a verdict
 * ({@code StoreCompletions.takesLeaseAfterVerdict}); a user's change that would hide a row of the holder
 * ({@code StoreCompletions.lastStatusOfUser}); a lease that is kept at the execution timeout
 * ({@code TimeoutTest.goesOn}); a run that is over and not started, a lost lease that a late reply does not open again
 * ({@code HeldJobTest.started}, {@code HeldJobTest.staysLost}).
 */
public enum Mutants {
    /** A claim whose outcome is unknown is taken for granted. */
    START_BEFORE_ACKNOWLEDGEMENT(true, 6) {
        @Override
        Object claim(JobStore seen, JobStore store, ClaimRequest request) {
            try {
                return seen.claim(request);
            } catch (StoreException unknown) {
                List<StoredJob> imagined = store.load(request.ids()).stream()
                        .map(job -> job.with(edit -> edit.lease(request.lease())
                                .sequences(claimed(job.sequences()))
                                .revision(job.revision().raised())))
                        .toList();
                return new ClaimResult(imagined, List.of());
            }
        }
    },
    /** A claim is acknowledged before a majority has it; the server does it, see {@link SimulationServer#failOver}. */
    CLAIM_WITHOUT_MAJORITY(false, 85),
    /** The trust window begins when the reply comes; the node's clock does it, see {@link SimulationClock}. */
    TRUST_FROM_ACKNOWLEDGEMENT(true, 65),
    /** A renewal is applied no matter who holds the lease, or if nobody does. */
    RENEWAL_WITHOUT_TOKEN(false, 4) {
        @Override
        Object renew(JobStore store, Renewal renewal) {
            List<HeldLease> held = new ArrayList<>();
            for (StoredJob job : store.load(renewal.tokens().keySet())) {
                long token = renewal.tokens().get(job.id());
                StoredJob renewed = job.with(edit ->
                        edit.lease(new Lease("any", token, renewal.until())).due(renewal.visibleAgain()));
                store.write(List.of(new JobChange(job, renewed, List.of(), By.REQUEST)));
                held.add(new HeldLease(job.id(), token, job.specification().version(), false));
            }
            return held;
        }
    },
    /** The end of a run is written no matter who holds the lease now, or if nobody does. */
    COMPLETION_WITHOUT_TOKEN(false, 56) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            return endsClaim(change) && !change.removes() && !change.rows().isEmpty()
                    ? withoutGuard(change, stored)
                    : change;
        }
    },
    /** What a run has left is saved although its lease is another's by now. */
    STATE_WITHOUT_TOKEN(false, 48) {
        @Override
        JobChange change(JobChange change, StoredJob stored, JobStore store) {
            boolean taken = stored.lease() == null
                    || change.before().lease() == null
                    || stored.lease().token() != change.before().lease().token();
            if (endsClaim(change)
                    && taken
                    && !change.after().state().equals(change.before().state())) {
                StoredJob left = stored.with(edit -> edit.state(change.after().state()));
                store.write(List.of(new JobChange(stored, left, List.of(), By.REQUEST)));
            }
            return change;
        }
    },
    /** A job that went well is deleted although a user has changed it meanwhile. */
    REMOVAL_WITHOUT_VERSION(false, 92) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            return change.removes() ? withoutGuard(change, stored) : change;
        }
    },
    /** A claim is released no matter who holds the lease now, or if nobody does. */
    RELEASE_WITHOUT_TOKEN(false, 173) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            return endsClaim(change) && !change.removes() && change.rows().isEmpty()
                    ? withoutGuard(change, stored)
                    : change;
        }
    },
    /** A holder's change that goes on with its claim is applied although the job was changed meanwhile. */
    WRITE_WITHOUT_VERSION(false, 56) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            return change.isByHolder() && change.after().lease() != null ? withoutGuard(change, stored) : change;
        }
    },
    /** A pause makes a leased job invisible. */
    PAUSE_UNSETS_DUE(false, 1) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            boolean pausesLeased = change.by() == By.REQUEST
                    && change.before().lease() != null
                    && change.after().requests().pause() != null;
            StoredJob invisible = change.after().with(edit -> edit.due(null));
            return pausesLeased ? onAfter(change, invisible) : change;
        }
    },
    /** A change does not see to it that the rows are stored which it hides, and whose writer may have died. */
    HIDES_ROWS_UNSEEN(false, 6) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            return hidingNothing(change);
        }
    },
    /** The row of an end is inserted before its document is written, which may be refused, or never come. */
    ROW_BEFORE_DOCUMENT(false, 61) {
        @Override
        JobChange change(JobChange change, StoredJob stored, JobStore store) {
            store.writeRows(change.rows());
            return change;
        }
    },
    /** Follow-ups are stored although the verdict of their run is not written. */
    FOLLOW_UP_BEFORE_VERDICT(true, 2) {
        @Override
        JobStore over(JobStore seen, JobStore store, TimeSource time) {
            return SimulationFollowUps.withoutVerdict(seen);
        }
    },
    /** A node that stores a follow-up gives it another id. */
    FOLLOW_UP_WITH_A_NEW_ID(true, 150) {
        @Override
        JobStore over(JobStore seen, JobStore store, TimeSource time) {
            return SimulationFollowUps.withNewIds(seen);
        }
    },
    /** Plans do not name the versions of the calendars that they were made from. */
    PLAN_WITHOUT_VERSIONS(true, 23) {
        @Override
        JobStore over(JobStore seen, JobStore store, TimeSource time) {
            return MutantCalendars.withoutVersions(seen);
        }
    },
    /** The deletion of a calendar looks for jobs before it, and not after it. */
    DELETION_WITHOUT_SECOND_LOOK(true, 1041) {
        @Override
        JobStore over(JobStore seen, JobStore store, TimeSource time) {
            return MutantCalendars.withoutSecondLook(seen);
        }
    },
    /** Deadlines and times are the wall clock's; the node's clock does it, see {@link SimulationClocks}. */
    DEADLINES_BY_THE_WALL_CLOCK(true, 2),
    /** A look that has failed as nobody expected is never over. */
    LOOK_WITHOUT_END(true, 187) {
        @Override
        JobStore over(JobStore seen, JobStore store, TimeSource time) {
            return SimulationSeams.withoutEnd(seen);
        }
    },
    /** A node takes more runs of a type than it may; its builder does it, see {@link SimulationNodes}. */
    TYPE_WITHOUT_LIMIT(true, 97),
    /** Pauses are asked for every five seconds only. */
    PAUSES_SELDOM_READ(true, 80) {
        @Override
        JobStore over(JobStore seen, JobStore store, TimeSource time) {
            return SimulationPauses.seldomRead(seen, time);
        }
    },
    /** What was put off may be claimed at once. */
    POSTPONED_WITHOUT_TIME(false, 1) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            boolean postponed = change.rows().stream().anyMatch(row -> row.outcome() == Outcome.POSTPONED);
            FirePlan plan = change.after().plan();
            StoredJob after = change.after()
                    .with(edit -> edit.plan(plan.postponedTo(now, plan.overThreshold()))
                            .due(now));
            return postponed && change.after().due() != null ? onAfter(change, after) : change;
        }
    },
    /** A batch of renewals that hangs is not split: a document that a transaction has locked costs the other leases. */
    RENEWALS_TOGETHER(true, 39_628) {
        @Override
        JobStore over(JobStore seen, JobStore store, TimeSource time) {
            return SimulationLocks.renewingTogether(seen);
        }
    },
    /** A node takes jobs that need what it does not know; {@link SimulationReleases} does it. */
    NEEDS_NOT_ASKED(true, 5),
    /** An abandoned fire is not marked, so that it is judged with the missed ones. */
    ABANDONED_WITHOUT_MARK(false, 1) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            FirePlan plan = change.after().plan();
            FirePlan.Tries tries = plan.tries();
            FirePlan unmarked = new FirePlan(
                    plan.fire(),
                    new FirePlan.Tries(
                            tries.attempts(),
                            tries.retryTime(),
                            tries.overThreshold(),
                            tries.postponed(),
                            false,
                            tries.failure()),
                    plan.totals());
            return onAfter(change, change.after().with(edit -> edit.plan(unmarked)));
        }
    },
    /** A change of a schedule forgets the fires of the former one that have passed. */
    FORMER_FIRES_DROPPED(false, 39) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            return SimulationSchedules.withoutFormerFires(change);
        }
    },
    /** The end of a run forgets that a user has asked for one more meanwhile. */
    RUN_NOW_FORGOTTEN(false, 9) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            StoredJob after = change.after();
            boolean forgets = endsRun(change) && after.requests().runNowRequested();
            StoredJob forgetful =
                    after.with(edit -> edit.requests(after.requests().withRunNow(null))
                            .due(after.due() == null ? null : after.plan().startTime()));
            return forgets ? onAfter(change, forgetful) : change;
        }
    },
    /** A failed attempt of a recurrence that is to be repeated is passed over. */
    RETRY_FORGOTTEN(false, 1) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            boolean retry = endsRun(change)
                    && change.after().phase() == Phase.RUN
                    && change.after().plan().attempts() > 0;
            return retry ? passedOver(change) : change;
        }
    },
    /** A failure for good of a recurrence is not followed by its failure command. */
    DELIVERY_FORGOTTEN(false, 12) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            boolean owes =
                    change.before().phase() == Phase.RUN && change.after().phase() == Phase.FAILURE;
            return owes ? passedOver(change) : change;
        }
    },
    /** A run that was asked for with contents of its own has those of its job. */
    CONTENTS_FORGOTTEN(false, 9) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            StoredJob after = change.after();
            ExtraRun run = after.requests().extraRun();
            return change.isByHolder() || run == null || run.command() == null
                    ? change
                    : onAfter(
                            change,
                            after.with(edit -> edit.requests(after.requests()
                                    .withExtraRun(
                                            new ExtraRun(run.at(), null, run.trace(), run.after(), run.started())))));
        }
    },
    /** A node knows of no start deadline. */
    START_DEADLINE_FORGOTTEN(true, 93) {
        @Override
        JobStore over(JobStore seen, JobStore store, TimeSource time) {
            return SimulationSchedules.withoutDeadlines(seen);
        }
    },
    /** A pause of a job ends five seconds early. */
    PAUSE_ENDS_EARLY(false, 36) {
        @Override
        JobChange change(JobChange change, StoredJob stored, Instant now) {
            StoredJob after = change.after();
            Pause pause = after.requests().pause();
            boolean asked = pause != null
                    && pause.until() != null
                    && !pause.equals(change.before().requests().pause());
            if (!asked) {
                return change;
            }
            Instant early = pause.until().minusSeconds(5);
            Instant due = after.due() == null || after.due().isBefore(early) ? after.due() : early;
            return onAfter(
                    change,
                    after.with(edit -> edit.requests(after.requests().withPause(pause.until(early)))
                            .due(after.lease() == null ? due : after.due())));
        }
    };

    private final boolean ofNode;
    private final long seed;

    Mutants(boolean ofNode, long seed) {
        this.ofNode = ofNode;
        this.seed = seed;
    }

    /** A seed that has found it; it is tried first, which saves time as long as the simulation stays as it is. */
    long seed() {
        return seed;
    }

    /** Whether the mistake is the node's, on this side of the network; else it is the store's. */
    boolean isOfNode() {
        return ofNode;
    }

    Object claim(JobStore seen, JobStore store, ClaimRequest request) {
        return seen.claim(request);
    }

    Object renew(JobStore store, Renewal renewal) {
        return store.renew(renewal);
    }

    Object rows(JobStore store, RowQuery query) {
        return store.rows(query);
    }

    JobChange change(JobChange change, StoredJob stored, Instant now) {
        return change;
    }

    JobChange change(JobChange change, StoredJob stored, JobStore store) {
        return change;
    }

    /**
     * @param seen what is wrapped
     * @param store the store behind everything
     */
    JobStore over(JobStore seen, JobStore store, TimeSource time) {
        return StoreHook.over(JobStore.class, seen, (method, arguments, call) -> switch (method) {
            case "claim" -> claim(seen, store, (ClaimRequest) arguments[0]);
            case "renew" -> renew(seen, (Renewal) arguments[0]);
            case "rows" -> rows(seen, (RowQuery) arguments[0]);
            case "write" -> seen.write(mutated((List<?>) arguments[0], store, time.wall()));
            default -> call.proceed();
        });
    }

    private List<JobChange> mutated(List<?> written, JobStore store, Instant now) {
        List<JobChange> changes = written.stream().map(JobChange.class::cast).toList();
        Map<String, StoredJob> stored = SimulationServer.byId(
                store, changes.stream().map(change -> change.before().id()).collect(Collectors.toSet()));
        return changes.stream()
                .map(change -> stored.containsKey(change.before().id())
                        ? change(
                                change(change, stored.get(change.before().id()), now),
                                stored.get(change.before().id()),
                                store)
                        : change)
                .toList();
    }

    private static boolean endsClaim(JobChange change) {
        return change.isByHolder() && change.after().lease() == null;
    }

    private static boolean endsRun(JobChange change) {
        return endsClaim(change) && !change.removes() && !change.rows().isEmpty();
    }

    /** The job goes on with the fire after this one, if it is a recurrence. */
    private static JobChange passedOver(JobChange change) {
        StoredJob after = change.after();
        Instant next = !after.specification().isRecurring()
                ? null
                : new FirePlanner(new FirePlanner.Calendars(Map.of()))
                        .next(after.specification(), after.plan().nextFireTime())
                        .map(PlannedFire::fireTime)
                        .orElse(null);
        return next == null
                ? change
                : onAfter(
                        change,
                        after.with(edit -> edit.phase(Phase.RUN)
                                .plan(after.plan().moveTo(next, null, null))
                                .sequences(after.sequences().plusFires(1))
                                .due(after.due() == null ? null : next)));
    }

    private static JobChange withoutGuard(JobChange change, StoredJob stored) {
        return onBefore(change, change.before().with(edit -> edit.revision(stored.revision())));
    }

    private static JobChange onBefore(JobChange change, StoredJob before) {
        return new JobChange(before, change.after(), change.rows(), change.limit(), change.by(), change.removes());
    }

    private static JobChange onAfter(JobChange change, StoredJob after) {
        return new JobChange(change.before(), after, change.rows(), change.limit(), change.by(), change.removes());
    }

    /** The change of a sender that does not see to the rows that it hides. */
    static JobChange hidingNothing(JobChange change) {
        StoredJob before =
                change.before().with(edit -> edit.lastStatus(change.after().lastStatus()));
        return change.removes() ? change : onBefore(change, before);
    }

    private static Sequences claimed(Sequences before) {
        return before.claimed();
    }
}
