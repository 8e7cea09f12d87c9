package dev.almanac.behaviour;

import dev.almanac.store.JobStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** What happens at chosen calls of a store, before, after or in place of them. */
@FunctionalInterface
interface StoreHook {
    /** The call as it is. */
    @FunctionalInterface
    interface Call {
        Object proceed() throws Throwable;
    }

    Object on(String method, Object[] arguments, Call call) throws Throwable;

    /** A way to the store on which the hook sits. */
    static JobStore over(JobStore store, StoreHook hook) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(),
                new Class<?>[] {JobStore.class},
                (proxy, method, arguments) -> hook.on(method.getName(), arguments, () -> {
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
