package dev.parley.api.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import dev.parley.console.Chromium;
import dev.parley.testing.NodeChecks;
import dev.parley.testing.NodeProject;
import dev.parley.testing.RunningServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** EventSource as published for node and for browsers: after the end of a run it stops reconnecting. */
class EventSourceTest {
    private static final Duration LIMIT = Duration.ofMinutes(6);
    private static final int CHECKS = 5;
    /** Gives the types of all events once the source has closed itself. */
    private static final String FOLLOW = """
            ({ url, token }) => new Promise((resolve) => {
              const types = []
              const headers = { Authorization: `Bearer ${token}` }
              const source = new EventSourcePolyfill(url, { headers, lastEventIdQueryParameterName: 'after' })
              for (const type of ['RUN_STARTED', 'TEXT_MESSAGE_CONTENT', 'RUN_FINISHED', 'RUN_ERROR']) {
                source.addEventListener(type, () => types.push(type))
              }
              source.addEventListener('error', () => source.readyState === source.CLOSED && resolve(types))
            })""";

    @TestFactory
    List<DynamicContainer> eventSource_endOfRun_stops() {
        try (RunningServer server = RunningServer.start("--rate-limits", "off")) {
            // Side by side: each version waits some seconds before it reconnects.
            return NodeProject.everyVersion("eventsource").parallelStream()
                    .map(project -> DynamicContainer.dynamicContainer(
                            project.versions(), NodeChecks.of(project.run("runs.mjs", LIMIT, told(server)), CHECKS)))
                    .toList();
        }
    }

    /**
     * <a href="https://github.com/Yaffle/EventSource">event-source-polyfill</a> runs in browsers only. It sends the
     * last event's id in the address, under a configured name.
     */
    @Test
    void eventSourcePolyfill_endOfRun_stops() {
        NodeProject project = NodeProject.everyVersion("eventsource").getLast();
        try (RunningServer server = RunningServer.start();
                Chromium chromium = Chromium.start()) {
            AgentCaller caller = AgentCaller.somebody(server);
            String thread = UUID.randomUUID().toString();
            assertThat(caller.start(thread, "r", "/slow 3").status()).isEqualTo(202);
            Page page = chromium.browser()
                    .newContext(new Browser.NewContextOptions().setBypassCSP(true))
                    .newPage();
            List<Integer> statuses = new CopyOnWriteArrayList<>();
            page.onResponse(response -> {
                if (response.url().contains("/events?")) {
                    statuses.add(response.status());
                }
            });
            page.navigate(server.uri() + "/health");
            page.addScriptTag(new Page.AddScriptTagOptions()
                    .setContent(project.read("event-source-polyfill/src/eventsource.min.js")));
            Object types = page.evaluate(
                    FOLLOW,
                    Map.of(
                            "url",
                            "/api/v1/agent/runs/" + thread + "/events?runId=r",
                            "token",
                            String.valueOf(caller.api().credential())));
            assertThat(types)
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .startsWith("RUN_STARTED", "TEXT_MESSAGE_CONTENT")
                    .endsWith("RUN_FINISHED")
                    .containsOnlyOnce("RUN_STARTED", "RUN_FINISHED");
            assertThat(statuses).containsExactly(200, 204);
        }
    }

    private static Map<String, String> told(RunningServer server) {
        return Map.of("PARLEY_URL", server.uri().toString(), "PARLEY_TOKEN", server.token(UUID.randomUUID(), "Ada"));
    }
}
