package dev.parley.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.parley.limits.Limits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The settings of proxies fit the server's own limits. If this machine has the program itself, it checks them too;
 * otherwise that test is reported as skipped.
 */
class ProxiesAndUnitTest {
    private static final Limits LIMITS = Limits.defaults();

    @TempDir
    private Path folder;

    @Test
    void proxiesWaitLongerThanTheServerIsSilent() {
        List<Duration> waits = List.of(
                time("nginx/parley-locations.conf", "proxy_read_timeout (\\w+);"),
                time("nginx/parley-locations.conf", "proxy_send_timeout (\\w+);"),
                time("caddy/Caddyfile", "\\tread_timeout (\\w+)"),
                time("caddy/Caddyfile", "response_header_timeout (\\w+)"),
                time("haproxy/haproxy.cfg", "timeout client (\\w+)"),
                time("haproxy/haproxy.cfg", "timeout server (\\w+)"));
        assertThat(waits)
                .allSatisfy(wait -> assertThat(wait)
                        .isGreaterThan(LIMITS.http().heartbeat().multipliedBy(2))
                        .isGreaterThan(LIMITS.streams().longPoll().multipliedBy(2)));
    }

    @Test
    void proxiesAcceptTheLargestBodyOfTheServer() {
        long largest = Math.max(
                LIMITS.sessions().body(),
                Math.max(LIMITS.agui().body(), LIMITS.ingest().body()));
        assertThat(megabytes("nginx/parley-locations.conf", "client_max_body_size (\\d+)m;"))
                .isGreaterThan(largest);
        assertThat(megabytes("caddy/Caddyfile", "max_size (\\d+)MB")).isGreaterThan(largest);
    }

    @Test
    void proxiesForwardStreamsAtOnceAndHideMetrics() {
        String nginx = settings("nginx/parley-locations.conf");
        assertThat(nginx)
                .contains("proxy_http_version 1.1;", "proxy_set_header Connection \"\";", "location = /metrics")
                .contains("X-Forwarded-For", "proxy_next_upstream_timeout 10s;")
                .doesNotContain("proxy_ignore_headers", "gzip", "Upgrade", "proxy_buffering on", "non_idempotent");
        assertThat(settings("nginx/parley.conf"))
                .contains("http2", "parley-locations.conf")
                .doesNotContain("ip_hash");
        assertThat(settings("caddy/Caddyfile"))
                .contains("respond /metrics 404", "health_uri /health/ready")
                // With -1 Caddy would not tell the node about a client that has left.
                .doesNotContain("flush_interval");
        assertThat(settings("haproxy/haproxy.cfg"))
                .contains("uri /health/ready", "path /metrics", "option forwardfor")
                .doesNotContain("cookie", "stick");
    }

    @Test
    void nginxAcceptsItsFile() throws Exception {
        Optional<Path> nginx = Deployed.program("nginx");
        assumeTrue(nginx.isPresent(), "There is no nginx on this machine.");
        assumeTrue(Deployed.program("openssl").isPresent(), "There is no openssl for a certificate.");
        Deployed.run(
                folder,
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-keyout",
                "key.pem",
                "-out",
                "cert.pem",
                "-days",
                "2",
                "-subj",
                "/CN=parley.example.org");
        Files.writeString(
                folder.resolve("parley.conf"),
                Deployed.text("nginx/parley.conf")
                        .replace(
                                "/etc/ssl/parley.example.org/fullchain.pem",
                                folder.resolve("cert.pem").toString())
                        .replace(
                                "/etc/ssl/parley.example.org/privkey.pem",
                                folder.resolve("key.pem").toString())
                        .replace("/etc/nginx/conf.d/", Deployed.FOLDER.resolve("nginx") + "/"));
        Files.writeString(folder.resolve("nginx.conf"), """
                pid %1$s/pid; error_log %1$s/error.log; events {}
                http { access_log off; client_body_temp_path %1$s/a; proxy_temp_path %1$s/b; fastcgi_temp_path %1$s/c;
                uwsgi_temp_path %1$s/d; scgi_temp_path %1$s/e; include %1$s/parley.conf; }
                """.formatted(folder));
        Deployed.Outcome outcome = Deployed.run(
                folder,
                nginx.get().toString(),
                "-t",
                "-p",
                folder.toString(),
                "-c",
                folder.resolve("nginx.conf").toString());
        assertThat(outcome.exit()).as(outcome.text()).isZero();
    }

    @Test
    void caddyAcceptsItsFile() throws Exception {
        Optional<Path> caddy = Deployed.program("caddy");
        assumeTrue(caddy.isPresent(), "There is no caddy on this machine.");
        Deployed.Outcome outcome = Deployed.run(
                folder,
                caddy.get().toString(),
                "adapt",
                "--adapter",
                "caddyfile",
                "--config",
                Deployed.FOLDER.resolve("caddy/Caddyfile").toString());
        assertThat(outcome.exit()).as(outcome.text()).isZero();
    }

    @Test
    void prometheusAcceptsItsRules() throws Exception {
        Optional<Path> promtool = Deployed.program("promtool");
        assumeTrue(promtool.isPresent(), "There is no promtool on this machine.");
        Deployed.Outcome outcome = Deployed.run(
                folder,
                promtool.get().toString(),
                "check",
                "rules",
                Deployed.FOLDER.resolve("prometheus/parley-alerts.yaml").toString());
        assertThat(outcome.exit()).as(outcome.text()).isZero();
    }

    @Test
    void theUnitStopsTheServerInTimeAndGivesItNoRights() {
        Map<String, String> unit = unit();
        assertThat(Duration.ofSeconds(Long.parseLong(unit.get("TimeoutStopSec"))))
                .isGreaterThan(Duration.ofSeconds(30));
        assertThat(Integer.parseInt(unit.get("LimitNOFILE"))).isGreaterThanOrEqualTo(65_536);
        assertThat(unit)
                .containsEntry("ExecStart", "/opt/parley/bin/parley serve")
                .containsEntry("DynamicUser", "yes")
                .containsEntry("NoNewPrivileges", "yes")
                .containsEntry("ProtectSystem", "strict")
                .containsEntry("ProtectHome", "yes")
                .containsEntry("PrivateTmp", "yes")
                .containsEntry("CapabilityBoundingSet", "")
                .containsEntry("SuccessExitStatus", "143")
                .containsEntry("Restart", "on-failure")
                // A missing database is retried forever, a wrong setting is not.
                .containsEntry("StartLimitIntervalSec", "0")
                .containsEntry("RestartPreventExitStatus", "2")
                .containsEntry("StateDirectory", "parley")
                .containsKey("EnvironmentFile")
                // The JVM writes code and runs it.
                .doesNotContainKey("MemoryDenyWriteExecute");
    }

    @Test
    void systemdAcceptsTheUnit() throws Exception {
        assumeTrue(Deployed.program("systemd-analyze").isPresent(), "There is no systemd-analyze on this machine.");
        String unit = Deployed.text("systemd/parley.service").replace("/opt/parley/bin/parley serve", "/bin/true");

        assertThat(verify(unit)).isEmpty();
        assertThat(verify(unit.replace("ProtectHome=yes", "ProtectHom=yes"))).contains("ProtectHom");
    }

    /** The errors that systemd reports for a unit, except errors of the machine itself. */
    private String verify(String unit) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("parley.service"), unit);
        return Deployed.run(folder, "systemd-analyze", "verify", file.toString())
                .text()
                .lines()
                .filter(line -> line.contains("parley.service"))
                .collect(Collectors.joining("\n"));
    }

    private static Map<String, String> unit() {
        return Deployed.text("systemd/parley.service")
                .lines()
                .filter(line -> line.matches("[A-Za-z]+=.*"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf('=')),
                        line -> line.substring(line.indexOf('=') + 1),
                        (first, _) -> first));
    }

    /** A file without its comments. */
    private static String settings(String path) {
        return Deployed.text(path).replaceAll("(?m)^\\s*#.*\\n", "");
    }

    private static Duration time(String path, String pattern) {
        return Duration.parse("PT" + found(path, pattern).toUpperCase(Locale.ROOT));
    }

    private static long megabytes(String path, String pattern) {
        return Long.parseLong(found(path, pattern)) * 1_000_000;
    }

    private static String found(String path, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(settings(path));
        assertThat(matcher.find()).as("%s in %s", pattern, path).isTrue();
        return matcher.group(1);
    }
}
