package dev.almanac.behaviour.explore;

import dev.almanac.behaviour.ExploredWorld;
import dev.almanac.behaviour.ExploredWorld.Call;
import dev.almanac.behaviour.ExploredWorld.Point;
import dev.almanac.model.CancelMode;
import dev.almanac.model.Pause;
import dev.almanac.model.PauseScope;
import dev.almanac.testkit.faults.Fault;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What goes wrong, or comes in between, at one point. */
enum Disturbance {
    /** The request never arrives. */
    LOST(Where.CALL) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            return network(world, point, Fault.LOSE_REQUEST, call);
        }
    },
    /** The request is applied, and its reply is lost. */
    REPLY_LOST(Where.CHANGE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            return network(world, point, Fault.LOSE_REPLY, call);
        }
    },
    /** Only the first half of the request is applied, and its reply is lost. */
    TORN(Where.WRITE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            return network(world, point, Fault.TORN, call);
        }
    },
    /** The request is applied at once, and answered after the time that a call may take. */
    ANSWERED_LATE(Where.CALL) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            return network(world, point, Fault.slow(Duration.ZERO, Duration.ofSeconds(6)), call);
        }
    },
    /** The request is applied at once, and answered after the lease. */
    ANSWERED_AFTER_LEASE(Where.CALL) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            return network(world, point, Fault.slow(Duration.ZERO, AFTER_LEASE), call);
        }
    },
    /** The request is under way for longer than a lease, and then applied and answered. */
    APPLIED_AFTER_LEASE(Where.CHANGE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            return network(world, point, Fault.slow(AFTER_LEASE, Duration.ZERO), call);
        }
    },
    /** The call is reported lost, and applied a moment later. */
    COPY_SOON(Where.CHANGE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            return network(world, point, Fault.late(Duration.ofMillis(1)), call);
        }
    },
    /** The call is reported lost, and applied after the lease. */
    COPY_AFTER_LEASE(Where.CHANGE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            return network(world, point, Fault.late(AFTER_LEASE), call);
        }
    },
    /** The process is killed before the call. */
    KILLED_BEFORE(Where.NODE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.kill(point.node());
            return null;
        }
    },
    /** The process is killed once the call was applied. */
    KILLED_AFTER(Where.CHANGE_OF_NODE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            call.proceed();
            world.kill(point.node());
            return null;
        }
    },
    /** The process stands still before the call for longer than a lease. */
    STOPPED_BEFORE(Where.NODE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.standStill(point.node());
            return call.proceed();
        }
    },
    /** The process stands still once the call was applied. */
    STOPPED_AFTER(Where.CHANGE_OF_NODE) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            Object answer = call.proceed();
            world.standStill(point.node());
            return answer;
        }
    },
    /** The wall clock of the process is set forward by an hour. */
    CLOCK_FORWARD(Where.CALL) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.setClock(point.node(), Duration.ofHours(1));
            return call.proceed();
        }
    },
    /** The wall clock of the process is set back by an hour. */
    CLOCK_BACK(Where.CALL) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.setClock(point.node(), Duration.ofHours(-1));
            return call.proceed();
        }
    },
    /** A user cancels the job. */
    CANCEL(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.cancelNow(world.first().jobSpecificationKey(), CancelMode.LET_RUN);
            return call.proceed();
        }
    },
    /** A user cancels the job and has its run interrupted. */
    INTERRUPT(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.cancelNow(world.first().jobSpecificationKey(), CancelMode.INTERRUPT);
            return call.proceed();
        }
    },
    /** A user changes the contents of the job. */
    UPDATE(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            String key = world.first().jobSpecificationKey();
            world.askNow(user -> user.findJobById(key)
                    .ifPresent(job -> user.updateJob(
                            job.specification().toBuilder().priority(6).build())));
            return call.proceed();
        }
    },
    /** A user pauses the job, and resumes it ten seconds later. */
    PAUSE(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            PauseScope scope = PauseScope.job(world.first().jobSpecificationKey());
            world.askNow(user -> user.pause(scope, new Pause("explored", "exploration", null)));
            world.later(Duration.ofSeconds(10), () -> world.askNow(user -> user.resume(scope)));
            return call.proceed();
        }
    },
    /** A user has the job run at once. */
    RUN_NOW(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.askNow(user -> user.runNow(world.first().jobSpecificationKey()));
            return call.proceed();
        }
    },
    /** A user has the job run at once, with contents of this run alone. */
    RUN_NOW_OTHERWISE(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.askNow(user -> user.runNow(world.first().jobSpecificationKey(), ExploredWorld.note(500, 0)));
            return call.proceed();
        }
    },
    /** A user gives the job another schedule, or another moment. */
    RESCHEDULE(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.askNow(user -> world.reschedule(user, world.first().jobSpecificationKey()));
            return call.proceed();
        }
    },
    /** A user pauses the job for ten seconds. */
    PAUSE_UNTIL(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            Pause pause = new Pause("explored", "exploration", world.now().plusSeconds(10));
            world.askNow(user -> user.pause(PauseScope.job(world.first().jobSpecificationKey()), pause));
            return call.proceed();
        }
    },
    /** A user states that the code of the present claim has ended, and takes the claim away. */
    RELEASE(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.releaseNow(world.first().jobSpecificationKey());
            return call.proceed();
        }
    },
    /** A user schedules the job again, as it was. */
    SCHEDULE_AGAIN(Where.ANY) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.askNow(user -> user.scheduleJob(world.first()));
            return call.proceed();
        }
    },
    /** The code of users throws. */
    THROWS(Where.CODE_OF_USERS) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            throw new IllegalStateException("a planned fault of the " + point.call());
        }
    },
    /** The code of users throws an Error. */
    THROWS_ERROR(Where.CODE_OF_USERS) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            throw new AssertionError("a planned fault of the " + point.call());
        }
    },
    /** The code of users takes longer than a lease. */
    HANGS(Where.CODE_OF_USERS) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.takeTime(point, AFTER_LEASE.plus(AFTER_LEASE));
            return call.proceed();
        }
    },
    /** The kernel fails in the middle of a step, as by a bug or for want of memory (rule N14). */
    KERNEL_FAILS(Where.KERNEL) {
        @Override
        @Nullable
        Object at(ExploredWorld world, Point point, Call call) throws Throwable {
            world.fail();
            return null;
        }
    };

    /** Longer than a lease and its margin. */
    private static final Duration AFTER_LEASE = Duration.ofSeconds(25);

    private final Where where;

    Disturbance(Where where) {
        this.where = where;
    }

    /** What happens there, and the answer to the call. */
    abstract @Nullable Object at(ExploredWorld world, Point point, Call call) throws Throwable;

    /** Whether it can happen there, and differs there from every other disturbance. */
    boolean isOf(Point point) {
        return where.has(point);
    }

    private static @Nullable Object network(ExploredWorld world, Point point, Fault fault, Call call) throws Throwable {
        world.network(point, fault);
        return call.proceed();
    }

    /** Points at which users' code is called. */
    static final Set<String> CODE = Set.of("helper", "calendar", "listener");

    /** The points at which a disturbance makes sense. */
    private enum Where {
        /** Listeners hear of what is decided, aside; the calls before and after are points, too. */
        ANY {
            @Override
            boolean has(Point point) {
                return !point.call().equals("listener") && !KERNEL.has(point);
            }
        },
        CALL {
            @Override
            boolean has(Point point) {
                return !CODE.contains(point.call()) && !KERNEL.has(point);
            }
        },
        CHANGE {
            @Override
            boolean has(Point point) {
                return Exploration.CHANGES.contains(point.call());
            }
        },
        WRITE {
            @Override
            boolean has(Point point) {
                return Set.of("write", "insert").contains(point.call());
            }
        },
        NODE {
            @Override
            boolean has(Point point) {
                return ANY.has(point) && point.node() != ExploredWorld.CLIENT;
            }
        },
        CHANGE_OF_NODE {
            @Override
            boolean has(Point point) {
                return CHANGE.has(point) && NODE.has(point);
            }
        },
        CODE_OF_USERS {
            @Override
            boolean has(Point point) {
                return CODE.contains(point.call()) && point.node() != ExploredWorld.CLIENT;
            }
        },
        KERNEL {
            @Override
            boolean has(Point point) {
                return point.call().equals(ExploredWorld.KERNEL) && point.node() != ExploredWorld.CLIENT;
            }
        };

        abstract boolean has(Point point);
    }
}
