package dev.parley.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.LauncherSandbox.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./parley audit} reads the output of Maven and npm. */
class AuditTest {
    private static final String MAVEN = """
            [ "${FAKE_MAVEN_STATUS:-0}" = 0 ] || exit "$FAKE_MAVEN_STATUS"
            echo "[INFO] The following dependencies in Dependency Management have newer versions:"
            echo "[INFO]   io.vertx:vertx-core ............................... 5.1.6 -> 5.1.9"
            echo "[INFO]   io.vertx:vertx-core ............................... 5.1.6 -> 5.1.9"
            echo "[INFO]   org.slf4j:slf4j-api ........................ 2.0.1 -> 2.0.2 <-- 3.0.0"
            echo "[INFO] No dependencies in Dependencies have newer versions."
            """;

    private static final String NPM = """
            case "$1" in
                outdated)
                    echo ":react@19.3.1:MISSING:react@19.4.0:parley"
                    echo ":@types/node@26.1.0:MISSING:@types/node@26.1.0:parley"
                    exit 1 ;;
                audit) echo "${FAKE_AUDIT:-found 0 vulnerabilities}"; exit "${FAKE_AUDIT_STATUS:-0}" ;;
            esac
            """;

    @TempDir
    private Path folder;

    private LauncherSandbox sandbox;

    @BeforeEach
    void lay() throws IOException {
        sandbox = new LauncherSandbox(folder.resolve("a folder"));
        sandbox.jdk("b", "25.0.3");
        sandbox.nodeOnPath("24.0.0");
        LauncherSandbox.executable(sandbox.pinnedMaven().resolve("bin/mvn"), MAVEN);
        LauncherSandbox.executable(folder.resolve("a folder/bin/npm"), NPM);
        for (String packages : List.of("console", "clients/typescript")) {
            Files.createDirectories(sandbox.root().resolve(packages));
        }
    }

    private static List<String> rows(Outcome outcome) {
        return Arrays.stream(outcome.out().split("\n"))
                .map(line -> line.replaceAll(" +", " "))
                .toList();
    }

    @Test
    void newerVersions_areListedOnce() throws Exception {
        Outcome outcome = sandbox.run("audit");

        assertThat(outcome.status()).as(outcome.err()).isZero();
        assertThat(rows(outcome))
                .startsWith(
                        "component pinned newest",
                        "io.vertx:vertx-core 5.1.6 5.1.9",
                        "org.slf4j:slf4j-api 2.0.1 2.0.2",
                        "react 19.3.1 19.4.0",
                        "react 19.3.1 19.4.0")
                .contains("console: none known", "clients/typescript: none known")
                .noneMatch(row -> row.contains("@types/node"));
    }

    @Test
    void knownWeaknessOfNpm_failsTheAudit() throws Exception {
        Outcome outcome = sandbox.with("FAKE_AUDIT", "braces <3.0.3 is vulnerable")
                .with("FAKE_AUDIT_STATUS", "1")
                .run("audit");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out()).contains("console:\nbraces <3.0.3 is vulnerable");
    }

    @Test
    void registryWithoutAdvisories_isReported() throws Exception {
        Outcome outcome = sandbox.with("FAKE_AUDIT", "npm error audit endpoint returned an error")
                .with("FAKE_AUDIT_STATUS", "1")
                .run("audit");

        assertThat(outcome.status()).isZero();
        assertThat(outcome.out()).contains("console: the registry tells none", "osv-scanner is not on the PATH");
    }

    @Test
    void mavenThatFails_endsTheAudit() throws Exception {
        Outcome outcome = sandbox.with("FAKE_MAVEN_STATUS", "1").run("audit");

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.err()).contains("Maven could not be asked");
    }
}
