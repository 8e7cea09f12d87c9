package dev.almanac.behaviour;

import dev.almanac.store.JobStore;
import dev.almanac.testkit.time.ManualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A real store whose server's clock alone is the world's. */
final class VirtualServerTime {
    private VirtualServerTime() {}

    static JobStore of(JobStore store, ManualTime time) {
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), store.getClass().getInterfaces(), (proxy, method, arguments) -> {
                    if (method.getName().equals("serverTime")) {
                        return time.wall();
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
