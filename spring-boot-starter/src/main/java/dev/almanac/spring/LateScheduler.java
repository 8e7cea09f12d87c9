package dev.almanac.spring;

import dev.almanac.Scheduler;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;

/**
 * The scheduler as beans see it: made when the application starts, or at its first use. So a bean may be injected with
 * the scheduler and be one of its helpers, or be called by one. Thread-safe.
 */
final class LateScheduler implements InvocationHandler {
    private final Supplier<Scheduler> maker;
    private @Nullable Scheduler made;

    private LateScheduler(Supplier<Scheduler> maker) {
        this.maker = maker;
    }

    /** @param maker makes the scheduler of the application's beans, once */
    static Scheduler of(Supplier<Scheduler> maker) {
        return (Scheduler) Proxy.newProxyInstance(
                Scheduler.class.getClassLoader(), new Class<?>[] {Scheduler.class}, new LateScheduler(maker));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(this);
                default -> "the scheduler of this application";
            };
        }
        if (method.getName().equals("close") && !isMade()) {
            return null;
        }
        try {
            return method.invoke(scheduler(), arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private synchronized boolean isMade() {
        return made != null;
    }

    private synchronized Scheduler scheduler() {
        if (made == null) {
            try {
                made = maker.get();
            } catch (BeansException e) {
                throw e.getMostSpecificCause() instanceof BeanCurrentlyInCreationException early
                        ? tooEarly(early, e)
                        : e;
            }
        }
        return made;
    }

    private static RuntimeException tooEarly(BeanCurrentlyInCreationException early, BeansException cause) {
        return new IllegalStateException(
                "bean '" + early.getBeanName()
                        + "' is part of the scheduler, or a part needs it, and uses it while it is made itself: in a"
                        + " constructor, or in a method of its initialization; use it later, such as for"
                        + " ApplicationReadyEvent",
                cause);
    }
}
