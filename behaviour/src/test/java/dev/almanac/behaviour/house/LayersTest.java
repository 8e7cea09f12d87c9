package dev.almanac.behaviour.house;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LayersTest {
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
                .definedBy("dev.almanac.engine..", "dev.almanac.behaviour.house.planted.engine..")
                .layer("seams")
                .definedBy("dev.almanac.store", "dev.almanac.helper", "dev.almanac.event")
                .layer("model")
                .definedBy("dev.almanac.model", "dev.almanac.behaviour.house.planted.model")
                .layer("ground")
                .definedBy("dev.almanac.time", "dev.almanac.retry", "dev.almanac.runtime", "dev.almanac.text")
                .layer("others")
                .definedBy(
                        "dev.almanac.mongo..",
                        "dev.almanac.calendars..",
                        "dev.almanac.config..",
                        "dev.almanac.guice..",
                        "dev.almanac.metrics..",
                        "dev.almanac.testkit..",
                        "dev.almanac.console..",
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

    /** What a decider may know is in its arguments: no clock, no store, no thread. */
    private static ArchRule decidersArePure() {
        return noClasses()
                .that()
                .haveSimpleNameEndingWith("Decider")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.concurrent..", "java.io..", "java.net..", "org.slf4j..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.lang\\.Thread|java\\.time\\.Clock|java\\.util\\.Random"
                        + "|dev\\.almanac\\.runtime\\.(TimeSource|Lanes?|RunExecutors|SystemTimeSource|ThreadLanes)"
                        + "|dev\\.almanac\\.store\\.(JobStore|ClusterStore|StoreInspection|InMemory\\w+)"
                        + "|dev\\.almanac\\.engine\\.(node|run|claim|change|insight)\\.\\w+")
                .orShould()
                .callMethod(Instant.class, "now");
    }

    @Test
    @DisplayName("H2: deciders are pure functions of records: no clock, no store, no thread")
    void decidersHold() {
        decidersArePure().check(PRODUCT);
    }

    @Test
    @DisplayName("H2: a planted decider that looks at a clock is found")
    void plantedDecider() {
        assertThat(decidersArePure().evaluate(planted()).hasViolation()).isTrue();
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
    @DisplayName("H1: core depends on slf4j-api and jspecify, and nothing else")
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
