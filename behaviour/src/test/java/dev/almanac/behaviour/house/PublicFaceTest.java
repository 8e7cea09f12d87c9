package dev.almanac.behaviour.house;

import static org.assertj.core.api.Assertions.assertThat;

import dev.almanac.model.JobSpecification;
import dev.almanac.model.JobSpecificationBuilder;
import dev.almanac.model.StoredFields;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a service sees of a specification is for services. */
class PublicFaceTest {
    private static Set<String> methods(Class<?> type, Predicate<Method> chosen) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(chosen)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> alsoForStores(Class<?> type) {
        Set<String> names = methods(StoredFields.class, any -> true);
        names.retainAll(methods(type, any -> true));
        return names;
    }

    @Test
    @DisplayName("what stores and the engine set in a job, a service can read and not set")
    void stores() {
        assertThat(alsoForStores(JobSpecificationBuilder.class)).containsExactlyInAnyOrder("build", "singleSchedule");
        assertThat(alsoForStores(JobSpecification.class))
                .containsExactlyInAnyOrder(
                        "singleSchedule",
                        "calendarsByDefault",
                        "followUpOf",
                        "once",
                        "traceParent",
                        "latestUpdate",
                        "deleteTime");
        assertThat(Sources.java("dev/almanac/model/JobSpecification"))
                .hasSize(2)
                .allSatisfy(file -> assertThat(Sources.text(file)).doesNotContainIgnoringCase("for stores"));
    }

    @Test
    @DisplayName("a getter of a job answers an Optional where it may have nothing to answer")
    void optional() {
        assertThat(methods(
                        JobSpecification.class,
                        method -> method.getAnnotatedReturnType().isAnnotationPresent(Nullable.class)))
                .isEmpty();
    }
}
