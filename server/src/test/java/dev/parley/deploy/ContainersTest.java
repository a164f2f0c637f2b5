package dev.parley.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.app.config.Config;
import dev.parley.testing.NodeProject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The image and the compose file, read without a container. */
class ContainersTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** An image with a tag that names a version. */
    private static final Pattern VERSIONED = Pattern.compile("[a-z0-9./-]+:(\\$\\{\\w+:-)?\\d[\\w.-]*}?");

    private static final Pattern NAME = Pattern.compile("PARLEY_[A-Z_]+");

    @TempDir
    private Path folder;

    @Test
    void theDockerfileParserReportsNoError() throws Exception {
        assertThat(lint(Deployed.FOLDER.resolve("docker/Dockerfile"))).isEmpty();

        Path wrong = Files.writeString(folder.resolve("Dockerfile"), "FROM a:1\nRUNN b\nWORKDIR c\nMAINTAINER d\n");
        assertThat(lint(wrong)).hasSize(3);
    }

    private static List<String> lint(Path dockerfile) {
        NodeProject.Output output = NodeProject.linters()
                .run(
                        "dockerfile.mjs",
                        LIMIT,
                        Map.of("DOCKERFILE", dockerfile.toAbsolutePath().toString()));
        assertThat(output.exit()).as(output.text()).isZero();
        return output.lines();
    }

    @Test
    void theImageRunsAsAnOrdinaryUserAndIsStoppedInOrder() {
        List<String> lines = instructions(Deployed.text("docker/Dockerfile"));

        assertThat(only(lines, "FROM")).matches(VERSIONED).contains("25-jre").doesNotContain("alpine");
        assertThat(only(lines, "USER")).isEqualTo("parley");
        assertThat(lines.indexOf("USER parley")).isLessThan(lines.indexOf("ENTRYPOINT " + only(lines, "ENTRYPOINT")));
        assertThat(only(lines, "ENTRYPOINT")).isEqualTo("[\"/opt/parley/bin/parley\"]");
        assertThat(only(lines, "CMD")).isEqualTo("[\"serve\"]");
        assertThat(only(lines, "STOPSIGNAL")).isEqualTo("SIGTERM");
        assertThat(only(lines, "HEALTHCHECK")).endsWith("CMD [\"/opt/parley/bin/parley\", \"ready\"]");
        assertThat(only(lines, "ADD")).doesNotContain("://");
        assertThat(lines).noneMatch(line -> line.matches("(?i)(ARG|ENV) .*(secret|password|token).*"));
        assertThat(unknown(NAME.matcher(Deployed.text("docker/Dockerfile"))
                        .results()
                        .map(name -> name.group())))
                .isEmpty();
    }

    /** Instructions with their continued lines joined. */
    private static List<String> instructions(String dockerfile) {
        return dockerfile
                .replaceAll("(?m)^#.*\\n", "")
                .replaceAll("\\\\\\n\\s*", "")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static String only(List<String> lines, String instruction) {
        List<String> found = lines.stream()
                .filter(line -> line.startsWith(instruction + " "))
                .map(line -> line.substring(instruction.length() + 1))
                .toList();
        assertThat(found).as(instruction).hasSize(1);
        return found.getFirst();
    }

    @Test
    void composeHasOneNodeOrThreeWithSharedServices() {
        assertThat(profile("one")).containsExactly("parley");
        assertThat(profile("cluster"))
                .containsExactlyInAnyOrder("node-1", "node-2", "node-3", "postgres", "valkey", "proxy");
        assertThat(services()).hasSize(7);
    }

    private static List<String> profile(String profile) {
        return services().entrySet().stream()
                .filter(service ->
                        Deployed.list(service.getValue().get("profiles")).contains(profile))
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void everyServiceHasAVersionAndIsLookedAfter() {
        services().forEach((name, service) -> {
            assertThat(Deployed.word(service, "image")).as(name).matches(VERSIONED);
            assertThat(Deployed.list(Deployed.map(service.get("healthcheck")).get("test")))
                    .as(name)
                    .hasSizeGreaterThan(1);
            assertThat(service).as(name).containsEntry("restart", "unless-stopped");
            assertThat(service).as(name).doesNotContainKeys("privileged", "network_mode");
        });
    }

    @Test
    void portsArePublishedOnThisMachineOnly() {
        services().forEach((name, service) -> {
            for (Object port : Deployed.list(service.getOrDefault("ports", List.of()))) {
                assertThat((String) port).as(name).startsWith("127.0.0.1:");
            }
        });
    }

    @Test
    void nodesHaveTimeToStopAndNoRightsTheyDoNotNeed() {
        for (String name : List.of("parley", "node-1", "node-2", "node-3")) {
            Map<String, Object> node = service(name);
            Duration grace = Duration.parse(
                    "PT" + Deployed.word(node, "stop_grace_period").toUpperCase(Locale.ROOT));
            assertThat(grace).isGreaterThan(Duration.ofSeconds(30));
            assertThat(node).containsEntry("init", true).containsEntry("read_only", true);
            assertThat(Deployed.list(node.get("cap_drop"))).containsExactly("ALL");
            assertThat(Deployed.list(node.get("security_opt"))).containsExactly("no-new-privileges:true");
            assertThat(Deployed.map(node.get("ulimits"))).containsEntry("nofile", 65_536);
        }
    }

    @Test
    void everySettingIsOneAndNoSecretIsWrittenDown() {
        assertThat(unknown(Stream.of("PARLEY_JWT_SECRTE"))).hasSize(1);
        for (String name : List.of("parley", "node-1", "node-2", "node-3")) {
            Map<String, Object> environment = Deployed.map(service(name).get("environment"));
            assertThat(unknown(environment.keySet().stream())).as(name).isEmpty();
            assertThat(environment).containsKeys("PARLEY_JWT_SECRET", "PARLEY_SIGNING_SECRET");
        }
        services()
                .values()
                .forEach(service -> Deployed.map(service.getOrDefault("environment", Map.of()))
                        .forEach((name, value) -> {
                            if (name.matches(".*(SECRET|PASSWORD|AUTH).*")) {
                                assertThat((String) value).as(name).matches("\\$\\{\\w+:[?-].*}");
                            }
                        }));
        // The two settings that open the server to others must be set.
        assertThat(Deployed.text("docker/compose.yaml")).contains("${PARLEY_JWT_SECRET:?", "${PARLEY_SIGNING_SECRET:?");
    }

    @Test
    void nodesShareTheDatabaseTheBusAndObjectsButNoFolder() {
        Set<Object> folders = new TreeSet<>();
        Set<Map<String, Object>> environments = Stream.of("node-1", "node-2", "node-3")
                .map(name -> Deployed.map(service(name).get("environment")))
                .collect(Collectors.toSet());
        assertThat(environments).hasSize(1);
        for (String name : List.of("node-1", "node-2", "node-3")) {
            List<Object> volumes = Deployed.list(service(name).get("volumes"));
            assertThat(volumes).contains("objects:/var/lib/parley-objects");
            folders.add(volumes.getFirst());
            assertThat(service(name)).containsEntry("hostname", name);
            assertThat(Deployed.map(service(name).get("depends_on"))).containsKeys("postgres", "valkey");
        }
        assertThat(folders).hasSize(3);
    }

    @Test
    void mountedFilesExist() {
        Set<String> volumes = Deployed.map(Deployed.yaml("docker/compose.yaml").get("volumes"))
                .keySet();
        services().forEach((name, service) -> {
            for (Object mount : Deployed.list(service.getOrDefault("volumes", List.of()))) {
                String source = ((String) mount).substring(0, ((String) mount).indexOf(':'));
                if (source.startsWith(".")) {
                    assertThat(Deployed.FOLDER.resolve("docker").resolve(source))
                            .as(name)
                            .exists();
                } else {
                    assertThat(volumes).as(name).contains(source);
                }
            }
        });
        assertThat(Deployed.text("docker/nginx.conf"))
                .contains("include /etc/nginx/parley-locations.conf;", "node-1:8080", "node-2:8080", "node-3:8080");
    }

    private static Map<String, Map<String, Object>> services() {
        return Deployed.map(Deployed.yaml("docker/compose.yaml").get("services")).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, service -> Deployed.map(service.getValue())));
    }

    private static Map<String, Object> service(String name) {
        return Deployed.map(services().get(name));
    }

    /** Environment names that neither the server nor the start script reads. */
    private static List<String> unknown(Stream<String> names) {
        Set<String> known = Config.help().stream()
                .map(line -> line.strip().split(" ")[0].substring(2))
                .map(setting -> "PARLEY_" + setting.toUpperCase(Locale.ROOT).replace('-', '_'))
                .collect(Collectors.toCollection(TreeSet::new));
        known.addAll(
                Set.of("PARLEY_HEAP", "PARLEY_JAVA_HOME", "PARLEY_JAVA_OPTS", "PARLEY_JDK_ROOTS", "PARLEY_REHEARSAL"));
        return names.filter(name -> !known.contains(name)).distinct().toList();
    }
}
