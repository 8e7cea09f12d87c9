package dev.almanac.mongo;

import dev.almanac.store.ClusterStore;
import dev.almanac.store.JobStore;
import dev.almanac.testkit.contract.ClusterStoreContract;
import dev.almanac.testkit.contract.JobStoreContract;
import dev.almanac.testkit.contract.JobWatchContract;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("database")
@DisplayName("Section 9: the whole contract under the role almanac_runtime")
class LeastRightsContractTest extends JobStoreContract {
    private static SecuredDatabase secured;

    @BeforeAll
    static void start() throws IOException {
        secured = new SecuredDatabase();
    }

    @AfterAll
    static void stop() {
        secured.close();
    }

    @Nested
    @DisplayName("and what nodes share beside the jobs")
    class Cluster extends ClusterStoreContract {
        @Override
        protected JobStore emptyStore() {
            return LeastRightsContractTest.this.emptyStore();
        }
    }

    @Nested
    @DisplayName("and hints at new jobs")
    class Watch extends JobWatchContract {
        @Override
        protected JobStore emptyStore() {
            return LeastRightsContractTest.this.emptyStore();
        }
    }

    @Override
    protected JobStore emptyStore() {
        secured.database().drop();
        MongoJobStore.create(secured.bootstrap).open();
        JobStore runtime = MongoJobStore.create(secured.runtime, MongoStoreSettings.defaults());
        JobStore administrators = MongoJobStore.create(secured.administrator);
        return (JobStore) Proxy.newProxyInstance(
                JobStore.class.getClassLoader(), new Class<?>[] {JobStore.class}, (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("cluster")
                                ? purgedBy(administrators.cluster(), runtime.cluster())
                                : method.invoke(runtime, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** A server that expires documents by itself is never purged, so the role has no right to remove. */
    private static ClusterStore purgedBy(ClusterStore administrators, ClusterStore runtime) {
        return (ClusterStore) Proxy.newProxyInstance(
                ClusterStore.class.getClassLoader(),
                new Class<?>[] {ClusterStore.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(method.getName().equals("purge") ? administrators : runtime, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
