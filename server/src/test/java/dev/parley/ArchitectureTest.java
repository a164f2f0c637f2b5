package dev.parley;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The package tree shows the architecture; this test keeps the packages in their order. */
class ArchitectureTest {
    /**
     * From top to bottom: a package may use the packages below it, never those above or beside it. A package with inner
     * packages below it is their front door.
     */
    static final List<List<String>> ORDER = List.of(
            List.of("app"),
            List.of(
                    "face.agent",
                    "face.agui",
                    "face.chat",
                    "face.console",
                    "face.docs",
                    "face.identity",
                    "face.ingest",
                    "face.integrations",
                    "face.objects",
                    "face.owner",
                    "face.operator",
                    "face.sessions"),
            List.of("archive"),
            List.of("erasure"),
            List.of("platforms"),
            List.of("ingest"),
            List.of("sessions"),
            List.of("delivery"),
            List.of("engagement"),
            List.of("streaming"),
            List.of("history"),
            List.of("runs"),
            List.of("runs.external"),
            List.of("runs.execution"),
            List.of("runs.input"),
            List.of("runs.guard"),
            List.of("runs.lifecycle"),
            List.of("contexts"),
            List.of("agents"),
            List.of("assembly"),
            List.of("attachments"),
            List.of("threads"),
            List.of("log"),
            List.of("auth"),
            List.of("outbound"),
            List.of("wakeups"),
            List.of("nodes"),
            List.of("http"),
            List.of("storage"),
            List.of("limits"),
            List.of("basics"));

    static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            // The SDK and the testkit are on the tests' class path, but are not part of the server.
            .withImportOption(location -> !location.contains("/sdk/") && !location.contains("/testkit/"))
            .importPackages("dev.parley");

    @Test
    void packagesUseOnlyPackagesBelowThem() {
        for (int level = 0; level < ORDER.size(); level++) {
            List<String> above =
                    ORDER.subList(0, level).stream().flatMap(List::stream).toList();
            for (String name : ORDER.get(level)) {
                List<String> forbidden = new ArrayList<>(above);
                ORDER.get(level).stream().filter(beside -> !beside.equals(name)).forEach(forbidden::add);
                if (!forbidden.isEmpty()) {
                    noClasses()
                            .that()
                            .resideInAPackage(pattern(name))
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(forbidden.stream()
                                    .map(ArchitectureTest::pattern)
                                    .toArray(String[]::new))
                            .check(SERVER);
                }
            }
        }
    }

    private static String pattern(String name) {
        boolean hasRooms = ORDER.stream().flatMap(List::stream).anyMatch(other -> other.startsWith(name + "."));
        return "dev.parley." + name + (hasRooms ? "" : "..");
    }

    /** The guard judges an agent's events without the database, the network or the clock. */
    @Test
    void theGuardOfRunsIsPure() {
        noClasses()
                .that()
                .resideInAPackage("dev.parley.runs.guard..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.parley.storage..",
                        "dev.parley.http..",
                        "java.sql..",
                        "java.net..",
                        "java.nio..",
                        "java.time..")
                .check(SERVER);
    }

    /** It reads untrusted files, so no other part of the server is within its reach. */
    @Test
    void imageRecognitionUsesNoOtherPackage() {
        classes()
                .that()
                .resideInAPackage("dev.parley.attachments.images..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.parley.attachments.images..",
                        "dev.parley.protocol..",
                        "dev.parley.limits..",
                        "java..",
                        "org.jspecify..")
                .check(SERVER);
    }

    @Test
    void everyPackageIsInTheOrder() {
        classes()
                .that()
                .resideOutsideOfPackages("dev.parley.protocol..", "dev.parley.postgres..")
                .should()
                .resideInAnyPackage(ORDER.stream()
                        .flatMap(List::stream)
                        .map(name -> "dev.parley." + name + "..")
                        .toArray(String[]::new))
                .check(SERVER);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.parley.(**)").should().beFreeOfCycles().check(SERVER);
    }

    @Test
    void foundationsUseNoFeature() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.parley.protocol..", "dev.parley.postgres..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ORDER.stream()
                        .flatMap(List::stream)
                        .map(name -> "dev.parley." + name + "..")
                        .toArray(String[]::new))
                .check(SERVER);
    }

    @Test
    void jsonIsJackson3Alone() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "com.fasterxml.jackson.core..", "com.fasterxml.jackson.databind..", "io.vertx.core.json..")
                .check(SERVER);
    }

    /** PinnedClient calls an address that was checked before; the JDK's client would resolve the name again. */
    @Test
    void vertxStaysInTheEdgeAndThePinnedClient() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.parley.http..")
                .and()
                .haveNameNotMatching("dev\\.parley\\.outbound\\.PinnedClient(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.vertx..", "io.netty..")
                .check(SERVER);
    }

    @Test
    void classNamesFollowTheRules() {
        Pattern vague = Pattern.compile(".*(Manager|Helper|Util|Utils|Impl|Base|Info|Data|Processor)$");
        classes()
                .should(new ArchCondition<>("not end in a word that says nothing") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        boolean fine = !vague.matcher(type.getSimpleName()).matches();
                        events.add(new SimpleConditionEvent(type, fine, type.getName()));
                    }
                })
                .check(SERVER);
    }

    @Test
    void productionClassesDoNotInheritFromEachOther() {
        classes()
                .that(DescribedPredicate.describe(
                        "extend something of ours",
                        type -> type.getRawSuperclass()
                                .map(parent -> parent.getPackageName().startsWith("dev.parley"))
                                .orElse(false)))
                .should(new ArchCondition<>("not exist, enum constants apart") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        boolean fine =
                                type.getRawSuperclass().map(JavaClass::isEnum).orElse(false);
                        events.add(
                                new SimpleConditionEvent(type, fine, type.getName() + " extends one of our classes"));
                    }
                })
                .allowEmptyShould(true)
                .check(SERVER);
    }
}
