package dev.parley.deploy;

import static org.awaitility.Awaitility.await;

import dev.parley.testing.ChatCaller;
import dev.parley.testing.RunningServer;
import dev.parley.testkit.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics at /metrics of a server in use, each with its labels. */
final class Scrape {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z]\\w*)(\\{.*})? \\S+$");
    private static final Pattern LABEL = Pattern.compile("([a-z]\\w*)=\"");

    /** The labels that Prometheus adds. */
    private static final Set<String> ADDED = Set.of("job", "instance");

    private final Map<String, Set<String>> labels = new HashMap<>();

    private Scrape(String text) {
        Matcher sample = SAMPLE.matcher(text);
        while (sample.find()) {
            Set<String> seen = labels.computeIfAbsent(sample.group(1), _ -> new HashSet<>(ADDED));
            if (sample.group(2) != null) {
                LABEL.matcher(sample.group(2)).results().forEach(label -> seen.add(label.group(1)));
            }
        }
        labels.put("up", ADDED);
    }

    static Scrape ofUsedServer() {
        try (RunningServer server = RunningServer.start("--rate-limits", "off")) {
            ChatCaller ada = ChatCaller.user(server, "Ada");
            Map<String, Object> message = Map.of("id", "q-1", "role", "user", "content", "weather in Lisbon");
            ada.post(
                    "/agent/runs",
                    Map.of("threadId", UUID.randomUUID().toString(), "runId", "r-1", "messages", List.of(message)));
            await().atMost(LIMIT).until(() -> server.metric("parley_runs_ended_total{state=\"completed\"}") == 1);
            // Collections have a metric only after the first one; its notification comes a little later.
            System.gc();
            await().atMost(LIMIT).until(() -> text(server).contains("jvm_gc_pause_seconds_sum"));
            return new Scrape(text(server));
        }
    }

    private static String text(RunningServer server) {
        String request = "GET /metrics HTTP/1.1\r\nHost: " + server.uri().getAuthority() + "\r\n\r\n";
        try {
            return RawHttp.exchange(server.uri(), request.getBytes(StandardCharsets.US_ASCII), Duration.ofSeconds(20))
                    .text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean has(Query.Selected selected) {
        Set<String> seen = labels.get(selected.metric());
        return seen != null && seen.containsAll(selected.labels());
    }

    Set<String> names() {
        return labels.keySet();
    }
}
