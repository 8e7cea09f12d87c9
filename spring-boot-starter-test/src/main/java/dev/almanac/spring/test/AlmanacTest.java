package dev.almanac.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;

/**
 * A test of a Spring Boot service in virtual time: its jobs are kept in memory, and run when the test advances the bean
 * {@link dev.almanac.testkit.time.VirtualTime}, one at a time, while the test waits. With Spring Data MongoDB {@code @Transactional}
 * works without a server: what {@code TransactionalScheduler} does in a transaction that rolls back is undone. The
 * application's own store, clock, executor and {@code MongoTransactionManager} are not used, also where a {@code
 * SchedulerCustomizer} sets them; transaction managers of other databases are.
 * What stands for it is no {@code MongoTransactionManager}, so beans ask for it as {@code PlatformTransactionManager}.
 * The application's data need a server of their own, or a stand-in. Each test method has an application of its own.
 *
 * <p>The settings are those of the application, with the intervals of {@code VirtualTime.FAST}. The clock begins at 2030-01-07T08:00:00Z, a Monday, unless the property {@code almanac-test.start} says otherwise.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = {
            "almanac.poll-interval=30s",
            "almanac.look-ahead=2m",
            "almanac.lease-length=10m",
            "almanac.heartbeat-interval=5m",
            "almanac.purge-interval=10m",
            "almanac.node-timeout=1h"
        })
@Import(AlmanacTestConfiguration.class)
@DirtiesContext(classMode = DirtiesContext.ClassMode.AFTER_EACH_TEST_METHOD)
public @interface AlmanacTest {}
