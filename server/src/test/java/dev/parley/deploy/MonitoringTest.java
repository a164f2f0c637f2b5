package dev.parley.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The dashboard and the alerts use only metrics that the server has. */
class MonitoringTest {
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final int GRID_WIDTH = 24;

    private static final Scrape SCRAPE = Scrape.ofUsedServer();

    private final JsonNode dashboard = Json.MAPPER.readTree(Deployed.text("grafana/parley.json"));

    @BeforeAll
    static void theServerHasFigures() {
        assertThat(SCRAPE.names()).hasSizeGreaterThan(30);
    }

    @Test
    void theDashboardUsesExistingMetrics() {
        assertThat(expressions()).hasSizeGreaterThan(30);
        assertThat(missing(expressions().stream())).isEmpty();
    }

    @Test
    void theAlertsUseExistingMetrics() {
        assertThat(rules()).hasSizeGreaterThan(10);
        assertThat(missing(rules().stream().map(rule -> Deployed.word(rule, "expr"))))
                .isEmpty();
    }

    @Test
    void queriesAreReadAsPrometheusDoes() {
        assertThat(new Query(
                                "histogram_quantile(0.99, sum by (le, instance) (rate(a_bucket{x=~\"y{\",z!=\"\"}[5m]))) > 1e3")
                        .selected())
                .containsExactly(new Query.Selected("a_bucket", Set.of("x", "z")));
        assertThat(new Query("max(b) + on (i) c / d{e=\"f\"} > bool 0.5").selected())
                .extracting(Query.Selected::metric)
                .containsExactly("b", "c", "d");
        assertThat(missing(Stream.of("parley_invented_total", "parley_runs{stat=\"x\"}")))
                .hasSize(2);
    }

    @Test
    void everyPanelHasItsOwnIdPositionAndDescription() {
        List<Integer> ids = new ArrayList<>();
        boolean[][] taken = new boolean[400][GRID_WIDTH];
        for (JsonNode panel : dashboard.path("panels")) {
            ids.add(panel.path("id").asInt());
            assertThat(panel.path("title").asString("")).isNotBlank();
            if (!panel.path("type").asString().equals("row")) {
                assertThat(panel.path("description").asString("")).endsWith(".");
                assertThat(panel.path("targets").size()).isPositive();
                assertThat(panel.at("/datasource/uid").asString()).isEqualTo("${datasource}");
            }
            take(taken, panel.path("gridPos"));
        }
        assertThat(ids).doesNotHaveDuplicates().hasSizeGreaterThan(20);
        assertThat(dashboard.path("id").isMissingNode())
                .as("an id is Grafana's to give")
                .isTrue();
    }

    private static void take(boolean[][] taken, JsonNode place) {
        int left = place.path("x").asInt();
        int top = place.path("y").asInt();
        for (int y = top; y < top + place.path("h").asInt(); y++) {
            for (int x = left; x < left + place.path("w").asInt(); x++) {
                assertThat(x).isLessThan(GRID_WIDTH);
                assertThat(taken[y][x]).as("two panels at %d, %d", x, y).isFalse();
                taken[y][x] = true;
            }
        }
    }

    @Test
    void everyAlertNamesTheFaultAndTheAction() throws IOException {
        String runbook = Files.readString(Deployed.ROOT.resolve("docs/operate/runbook.md"));
        Set<String> headings = HEADING.matcher(runbook)
                .results()
                .map(heading -> anchor(heading.group(1)))
                .collect(Collectors.toSet());
        assertThat(rules()).extracting(rule -> rule.get("alert")).doesNotHaveDuplicates();
        for (Map<String, Object> rule : rules()) {
            Map<String, Object> annotations = Deployed.map(rule.get("annotations"));
            assertThat(Deployed.word(annotations, "summary"))
                    .as("%s", rule.get("alert"))
                    .endsWith(".");
            assertThat(Deployed.word(Deployed.map(rule.get("labels")), "severity"))
                    .isIn("page", "warn", "ticket");
            String link = Deployed.word(annotations, "runbook");
            assertThat(link).startsWith("docs/operate/runbook.md#");
            assertThat(headings).contains(link.substring(link.indexOf('#') + 1));
            assertThat(runbook).as("the runbook names it").contains("`" + rule.get("alert") + "`");
        }
    }

    /** The anchor of a heading as GitHub forms it. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-');
    }

    @Test
    void prometheusScrapesTheNodes() {
        Map<String, Object> job = Deployed.map(
                Deployed.list(Deployed.yaml("prometheus/prometheus.yaml").get("scrape_configs"))
                        .getFirst());
        assertThat(job).containsEntry("job_name", "parley").containsEntry("metrics_path", "/metrics");
        assertThat(Deployed.text("prometheus/parley-alerts.yaml")).contains("job=\"parley\"");
    }

    private static List<String> missing(Stream<String> expressions) {
        return expressions
                .flatMap(expression -> new Query(expression).selected().stream())
                .filter(selected -> !SCRAPE.has(selected))
                .map(Query.Selected::toString)
                .distinct()
                .toList();
    }

    private List<String> expressions() {
        List<String> expressions = new ArrayList<>();
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                expressions.add(target.path("expr").asString());
            }
        }
        return expressions;
    }

    private static List<Map<String, Object>> rules() {
        return Deployed.list(Deployed.yaml("prometheus/parley-alerts.yaml").get("groups")).stream()
                .flatMap(group -> Deployed.list(Deployed.map(group).get("rules")).stream())
                .map(Deployed::map)
                .toList();
    }
}
