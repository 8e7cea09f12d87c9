package dev.almanac.behaviour;

import dev.almanac.store.JobStore;
import dev.almanac.store.StoreInspection;
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
        return (JobStore) proxy(interfaces(store), store, hook);
    }

    /** A way to one of the parts of a store on which the hook sits. */
    static <T> T over(Class<T> type, T part, StoreHook hook) {
        return type.cast(proxy(new Class<?>[] {type}, part, hook));
    }

    private static Object proxy(Class<?>[] types, Object part, StoreHook hook) {
        return Proxy.newProxyInstance(
                types[0].getClassLoader(),
                types,
                (proxy, method, arguments) -> hook.on(method.getName(), arguments, () -> {
                    try {
                        return method.invoke(part, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** It offers what the store offers. */
    private static Class<?>[] interfaces(JobStore store) {
        return store instanceof StoreInspection
                ? new Class<?>[] {JobStore.class, StoreInspection.class}
                : new Class<?>[] {JobStore.class};
    }
}
