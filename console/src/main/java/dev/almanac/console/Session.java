package dev.almanac.console;

import dev.almanac.Scheduler;
import dev.almanac.web.json.Fields;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Mixin;

/** Connection and output of a command that needs a database. A mixin; commands check their options before they use it. */
class Session {
    @Mixin
    private ConnectionOptions connection;

    @Mixin
    private Output out;

    final Output out() {
        return out;
    }

    /** @see Output#answer(Fields, String) */
    final void answer(Fields fields, String sentence) {
        out.answer(fields, sentence);
    }

    /** Uses the store; the exit code is 0. */
    final int useStore(Consumer<StoreAccess> work) {
        return store(access -> {
            work.accept(access);
            return 0;
        });
    }

    /** Uses a scheduler that is never started; the exit code is 0. */
    final int use(Consumer<Scheduler> work) {
        return useStore(access -> work.accept(scheduler(access)));
    }

    /** Uses the store; returns the exit code of the work. */
    final int store(ToIntFunction<StoreAccess> work) {
        return opened(ConnectionOptions::open, work);
    }

    /** As {@link #store}, with a connection that is opened in another way. */
    final int opened(Function<ConnectionOptions, StoreAccess> open, ToIntFunction<StoreAccess> work) {
        try (StoreAccess access = open.apply(connection)) {
            access.onComplaint(text -> out.message("almanac: warning: " + text));
            try {
                return work.applyAsInt(access);
            } catch (RuntimeException e) {
                throw access.explained(e);
            }
        }
    }

    /** The scheduler of a session that has been opened. */
    Scheduler scheduler(StoreAccess access) {
        return access.scheduler();
    }
}
