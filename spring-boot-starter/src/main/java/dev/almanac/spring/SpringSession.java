package dev.almanac.spring;

import com.mongodb.client.ClientSession;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ReflectionUtils;

/**
 * The session of the MongoDB transaction that Spring has bound to the present thread. Spring Data keeps it in a holder
 * without public access, so it is read by reflection; if that holder changes, there is an exception.
 */
final class SpringSession implements Supplier<@Nullable ClientSession> {
    private final MongoDatabaseFactory factory;

    SpringSession(MongoDatabaseFactory factory) {
        this.factory = factory;
    }

    @Override
    public @Nullable ClientSession get() {
        Object holder = TransactionSynchronizationManager.isActualTransactionActive()
                ? TransactionSynchronizationManager.getResource(factory)
                : null;
        if (holder == null) {
            return null;
        }
        Method getter = ReflectionUtils.findMethod(holder.getClass(), "getSession");
        if (getter == null) {
            throw new IllegalStateException("this release of Spring Data MongoDB keeps its session in "
                    + holder.getClass().getName()
                    + ", which is not known here; use Scheduler.in(store.inSession(...))");
        }
        ReflectionUtils.makeAccessible(getter);
        ClientSession session = (ClientSession) ReflectionUtils.invokeMethod(getter, holder);
        return session != null && session.hasActiveTransaction() ? session : null;
    }
}
