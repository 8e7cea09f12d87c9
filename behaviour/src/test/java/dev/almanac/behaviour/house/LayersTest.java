package dev.almanac.behaviour.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.almanac.behaviour.house.planted.engine.rules.PlantedChance;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LayersTest {
    private static final String PLANTED = "dev.almanac.behaviour.house.planted.";
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.almanac");

    /** Facade / engine / store, helper, event / model / time, retry, runtime: each may use only those below. */
    private static ArchRule layers() {
        return layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.almanac..")
                .withOptionalLayers(true)
                .layer("facade")
                .definedBy("dev.almanac")
                .layer("engine")
                .definedBy("dev.almanac.engine..", PLANTED + "engine..")
                .layer("seams")
                .definedBy("dev.almanac.store", "dev.almanac.helper", "dev.almanac.event")
                .layer("model")
                .definedBy("dev.almanac.model", PLANTED + "model")
                .layer("ground")
                .definedBy("dev.almanac.time", "dev.almanac.retry", "dev.almanac.runtime", "dev.almanac.text")
                .layer("others")
                .definedBy(
                        "dev.almanac.mongo..",
                        "dev.almanac.calendars..",
                        "dev.almanac.config..",
                        "dev.almanac.guice..",
                        "dev.almanac.metrics..",
                        "dev.almanac.opentelemetry..",
                        "dev.almanac.testkit..",
                        "dev.almanac.console..",
                        "dev.almanac.web..",
                        "dev.almanac.bench..",
                        "dev.almanac.faults..",
                        "dev.almanac.examples..",
                        "dev.almanac.behaviour")
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("facade")
                .whereLayer("seams")
                .mayOnlyBeAccessedByLayers("engine", "facade", "others")
                .whereLayer("model")
                .mayOnlyBeAccessedByLayers("seams", "engine", "facade", "others")
                .whereLayer("facade")
                .mayOnlyBeAccessedByLayers("others");
    }

    private static ArchRule coreNeedsLittle() {
        return noClasses()
                .that()
                .resideInAnyPackage(
                        "dev.almanac",
                        "dev.almanac.engine..",
                        "dev.almanac.store",
                        "dev.almanac.helper",
                        "dev.almanac.event",
                        "dev.almanac.model",
                        "dev.almanac.time",
                        "dev.almanac.retry",
                        "dev.almanac.runtime",
                        "dev.almanac.text",
                        "dev.almanac.behaviour.house.planted..")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("dev.almanac..", "java..", "org.slf4j..", "org.jspecify..");
    }

    /** What computes fire times can be used without the scheduler. */
    private static ArchRule timeStandsAlone() {
        return noClasses()
                .that()
                .resideInAnyPackage("dev.almanac.time", "dev.almanac.text", PLANTED + "time")
                .should()
                .dependOnClassesThat()
                .resideOutsideOfPackages("dev.almanac.time", "dev.almanac.text", "java..", "org.jspecify..");
    }

    /** The rooms of the engine: each may use only those below it; nothing outside core may use any. */
    private static ArchRule rooms() {
        return layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("dev.almanac..")
                .withOptionalLayers(true)
                .layer("facade")
                .definedBy("dev.almanac")
                .layer("engine")
                .definedBy("dev.almanac.engine", PLANTED + "engine")
                .layer("insight")
                .definedBy("dev.almanac.engine.insight", PLANTED + "engine.insight")
                .layer("request")
                .definedBy("dev.almanac.engine.request", PLANTED + "engine.request")
                .layer("upkeep")
                .definedBy("dev.almanac.engine.upkeep", PLANTED + "engine.upkeep")
                .layer("kernel")
                .definedBy("dev.almanac.engine.kernel", PLANTED + "engine.kernel")
                .layer("port")
                .definedBy("dev.almanac.engine.port", PLANTED + "engine.port")
                .layer("rules")
                .definedBy("dev.almanac.engine.rules", PLANTED + "engine.rules")
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("facade")
                .whereLayer("insight")
                .mayOnlyBeAccessedByLayers("engine", "facade")
                .whereLayer("request")
                .mayOnlyBeAccessedByLayers("insight", "engine", "facade")
                .whereLayer("upkeep")
                .mayOnlyBeAccessedByLayers("request", "insight", "engine")
                .whereLayer("kernel")
                .mayOnlyBeAccessedByLayers("upkeep", "request", "insight", "engine")
                .whereLayer("port")
                .mayOnlyBeAccessedByLayers("kernel", "upkeep", "request", "insight", "engine", "facade")
                .whereLayer("rules")
                .mayOnlyBeAccessedByLayers("port", "kernel", "upkeep", "request", "insight", "engine", "facade");
    }

    private static final Pattern IMPURE = Pattern.compile(
            "java\\.lang\\.Thread|java\\.time\\.Clock|java\\.util\\.(Random|SplittableRandom|Timer|UUID)"
                    + "|java\\.util\\.random\\..*|java\\.security\\.SecureRandom|java\\.util\\.concurrent\\.ThreadLocalRandom"
                    + "|java\\.(io|net)\\.(?!UncheckedIOException|Serializable|StringWriter|PrintWriter).*|java\\.util\\.concurrent\\.\\w*(Executor|Lock|Latch|Queue)\\w*"
                    + "|dev\\.almanac\\.runtime\\.(TimeSource|Lanes?|RunExecutors|SystemTimeSource|ThreadLanes)"
                    + "|dev\\.almanac\\.store\\.(JobStore|JobRegister|ClusterStore|StoreInspection|StoreOverview|JobWatch)"
                    + "|dev\\.almanac\\.engine\\.(port|kernel|upkeep|request|insight)\\..*");

    /** What a rule may know is in its arguments: by all that it reaches within core, no clock, no store, no thread. */
    private static ArchRule rulesArePure() {
        return classes()
                .that()
                .resideInAnyPackage("dev.almanac.engine.rules", PLANTED + "engine.rules")
                .should(new ArchCondition<>("reach no clock, no store and no thread") {
                    @Override
                    public void check(JavaClass rule, ConditionEvents events) {
                        for (String way : impureWays(rule)) {
                            events.add(SimpleConditionEvent.violated(rule, way));
                        }
                    }
                })
                .andShould(new ArchCondition<>("not ask for the time") {
                    @Override
                    public void check(JavaClass rule, ConditionEvents events) {
                        rule.getMethodCallsFromSelf().stream()
                                .filter(call -> call.getTargetOwner().isEquivalentTo(Instant.class)
                                        && call.getName().equals("now"))
                                .forEach(
                                        call -> events.add(SimpleConditionEvent.violated(rule, call.getDescription())));
                    }
                });
    }

    private static ArchRule rulesRememberNothing() {
        return noClasses()
                .that()
                .resideInAnyPackage("dev.almanac.engine.rules", PLANTED + "engine.rules")
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.util\\.concurrent\\.(Concurrent|atomic|locks).*");
    }

    /** Rules are given values: no class of another room implements an interface of theirs, except the cache of searches. */
    private static ArchRule rulesAreGivenValues() {
        return noClasses()
                .that()
                .resideOutsideOfPackages("dev.almanac.engine.rules", PLANTED + "engine.rules")
                .and()
                .doNotHaveSimpleName("FireCache")
                .should()
                .implement(
                        JavaClass.Predicates.resideInAnyPackage("dev.almanac.engine.rules", PLANTED + "engine.rules"));
    }

    private static List<String> impureWays(JavaClass rule) {
        Map<JavaClass, String> ways = new HashMap<>(Map.of(rule, rule.getSimpleName()));
        Deque<JavaClass> open = new ArrayDeque<>(List.of(rule));
        List<String> impure = new ArrayList<>();
        while (!open.isEmpty()) {
            JavaClass at = open.poll();
            for (Dependency dependency : at.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                String way = ways.get(at) + " -> " + target.getSimpleName();
                if (IMPURE.matcher(target.getName()).matches()) {
                    impure.add(way);
                } else if (target.getPackageName().startsWith("dev.almanac") && ways.putIfAbsent(target, way) == null) {
                    open.add(target);
                }
            }
        }
        return impure;
    }

    @Test
    @DisplayName("H2: rules are pure functions of records: what they reach has no clock, no store, no thread")
    void rulesHold() {
        rulesArePure().check(PRODUCT);
    }

    @Test
    @DisplayName("H2: a planted rule that reaches a clock through another class is found")
    void plantedRule() {
        assertThat(rulesArePure().evaluate(planted()).getFailureReport().toString())
                .contains("PlantedRule");
    }

    @Test
    @DisplayName(
            "H2: a planted use of each source of chance, of a timer and of the stores that few rules would need is found")
    void plantedChance() {
        assertThat(rulesArePure().evaluate(planted()).getFailureReport().toString())
                .contains(Stream.of(PlantedChance.class.getDeclaredFields())
                        .map(field -> "PlantedChance -> " + field.getType().getSimpleName())
                        .toList())
                .contains("PlantedChance -> UUID", "PlantedChance -> JobWatch", "PlantedChance -> Timer");
    }

    @Test
    @DisplayName("H2: rules remember nothing; a planted one that does is found")
    void rulesHaveNoCache() {
        rulesRememberNothing().check(PRODUCT);
        assertThat(rulesRememberNothing().evaluate(planted()).getFailureReport().toString())
                .contains("PlantedReading");
    }

    @Test
    @DisplayName("H2: rules are given values, not live views of another room; a planted view is found")
    void rulesHaveNoLiveViews() {
        rulesAreGivenValues().check(PRODUCT);
        assertThat(rulesAreGivenValues().evaluate(planted()).getFailureReport().toString())
                .contains("PlantedKernel");
    }

    @Test
    @DisplayName("H1: each room of the engine uses only those below it, and nothing but core uses any")
    void roomsHold() {
        rooms().check(PRODUCT);
    }

    @Test
    @DisplayName("H1: a planted use of a room from below, and one from outside, are found")
    void plantedRoom() {
        assertThat(rooms().evaluate(planted()).getFailureReport().toString())
                .contains("PlantedPort", "PlantedKernel", "PlantedUpkeep", "PlantedRequest", "PlantedInsight")
                .contains("PlantedModel");
    }

    @Test
    @DisplayName("H1: each layer of core uses only those below it")
    void layersHold() {
        layers().check(PRODUCT);
    }

    @Test
    @DisplayName("H1: a planted violation of the layers is found")
    void plantedLayer() {
        assertThat(layers().evaluate(planted()).hasViolation()).isTrue();
    }

    @Test
    @DisplayName("H1: the module time depends on jspecify, and nothing else; a planted use of the model is found")
    void timeDependencies() {
        timeStandsAlone().check(PRODUCT);
        assertThat(timeStandsAlone().evaluate(planted()).getFailureReport().toString())
                .contains("PlantedSchedule", "PlantedModel");
    }

    @Test
    @DisplayName("H1: core and time depend on slf4j-api and jspecify, and nothing else")
    void coreDependencies() {
        coreNeedsLittle().check(PRODUCT);
    }

    @Test
    @DisplayName("H1: a planted dependency of core on a driver is found")
    void plantedDependency() {
        assertThat(coreNeedsLittle().evaluate(planted()).hasViolation()).isTrue();
    }

    private static JavaClasses planted() {
        return new ClassFileImporter().importPackages("dev.almanac.behaviour.house.planted", "dev.almanac.model");
    }
}
