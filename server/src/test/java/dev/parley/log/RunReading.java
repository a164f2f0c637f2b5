package dev.parley.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * A reader's state of a thread's events: the texts that deltas add up to, and every other event in order, each with the
 * length of the texts when it came. Fails on a repeated or missing position.
 */
final class RunReading {
    private final Map<String, StringBuilder> texts = new TreeMap<>();
    private final Map<String, Map<String, String>> metadata = new TreeMap<>();
    private final List<String> others = new ArrayList<>();
    private long position;

    long position() {
        return position;
    }

    RunReading takeAll(List<Event> events) {
        events.forEach(this::take);
        return this;
    }

    void take(Event event) {
        switch (event) {
            case Event.Committed committed ->
                other(
                        event.from(),
                        event.position(),
                        committed.entry().content().text());
            case Event.Announced announced -> other(event.from(), event.position(), announced.type());
            case Event.Emitted emitted -> emitted.lines().forEach(this::take);
        }
        assertThat(position).isEqualTo(event.position());
    }

    void take(Line line) {
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(line.json()))
                .as("whole characters: %s", line.json())
                .isTrue();
        JsonNode json = Json.MAPPER.readTree(line.json());
        if (json.has("delta")) {
            move(line.from(), line.position());
            String key = json.path("type").asString()
                    + json.path("messageId").asString("")
                    + json.path("toolCallId").asString("")
                    + json.path("subagentRunId").asString("");
            texts.computeIfAbsent(key, id -> new StringBuilder())
                    .append(json.path("delta").stringValue());
            json.path("metadata")
                    .properties()
                    .forEach(member -> metadata.computeIfAbsent(key, id -> new TreeMap<>())
                            .put(member.getKey(), member.getValue().toString()));
            if (json.has("rawEvent") || json.has("timestamp") || json.has("extra")) {
                others.add(line.json());
            }
        } else {
            other(line.from(), line.position(), line.json());
        }
    }

    private void other(long from, long to, String what) {
        move(from, to);
        others.add(what + texts.values().stream().map(StringBuilder::length).toList());
    }

    private void move(long from, long to) {
        assertThat(from).as("the next position").isEqualTo(position + 1);
        assertThat(to).isGreaterThanOrEqualTo(from);
        position = to;
    }

    @Override
    public String toString() {
        return position + "\n" + texts + "\n" + metadata + "\n" + String.join("\n", others);
    }
}
