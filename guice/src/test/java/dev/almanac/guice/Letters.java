package dev.almanac.guice;

import com.google.inject.AbstractModule;
import com.google.inject.Inject;
import com.google.inject.Provider;
import com.google.inject.Singleton;
import dev.almanac.event.SchedulerEvent;
import dev.almanac.event.SchedulerListener;
import dev.almanac.helper.Execution;
import dev.almanac.helper.RunInterceptor;
import dev.almanac.helper.SchedulingHelper;
import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.SchedulingCommand;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A service that sends letters. */
final class Letters extends AbstractModule {
    record Letter(String to) implements SchedulingCommand {}

    @Singleton
    static final class Sent {
        final BlockingQueue<String> letters = new LinkedBlockingQueue<>();
        final Queue<String> marks = new ConcurrentLinkedQueue<>();
        volatile CompletionStage<Void> work = CompletableFuture.completedFuture(null);
    }

    static class Postman implements SchedulingHelper {
        private final Sent sent;

        @Inject
        Postman(Sent sent) {
            this.sent = sent;
        }

        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Letter;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            sent.letters.add(((Letter) command).to());
            return sent.work;
        }
    }

    /** Would do the same, but is bound after the other. */
    static final class Substitute implements SchedulingHelper {
        @Override
        public boolean supports(SchedulingCommand command) {
            return command instanceof Letter;
        }

        @Override
        public CompletionStage<Void> execute(String id, SchedulingCommand command) {
            throw new AssertionError("the first helper bound is asked first");
        }
    }

    /** Around each letter, by class and by instance, in this order. */
    static final class Postmark implements RunInterceptor {
        private final Sent sent;

        @Inject
        Postmark(Sent sent) {
            this.sent = sent;
        }

        @Override
        public void around(Execution run, SchedulingCommand letter, Next next) throws Exception {
            sent.marks.add("postmark");
            next.run();
        }
    }

    @Singleton
    static final class Diary implements SchedulerListener {
        final List<SchedulerEvent> events = new CopyOnWriteArrayList<>();

        @Override
        public void on(SchedulerEvent event) {
            events.add(event);
        }

        boolean has(Class<? extends SchedulerEvent> kind) {
            return events.stream().anyMatch(kind::isInstance);
        }
    }

    @Override
    protected void configure() {
        SchedulingHelperBinder parts = SchedulingHelperBinder.of(binder());
        parts.command("letter", 1, Letter.class)
                .helper(Postman.class)
                .helper(Substitute.class)
                .interceptor(Postmark.class)
                .listener(Diary.class);
        Provider<Sent> sent = getProvider(Sent.class);
        parts.interceptor().toInstance((run, letter, next) -> {
            sent.get().marks.add("stamp");
            next.run();
        });
    }

    static JobSpecificationBuilder to(String name) {
        return JobSpecification.builder()
                .jobSpecificationKey("letter-" + name)
                .jobRequestor("tests")
                .triggerCommand(new Letter(name))
                .triggerIdentifier("1");
    }
}
