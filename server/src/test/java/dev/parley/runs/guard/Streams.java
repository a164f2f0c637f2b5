package dev.parley.runs.guard;

import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.AguiJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** Streams of agents as JSON: legal ones from {@code resources/runs}, and random mutations of them. */
public final class Streams {
    private static final List<String> IDS =
            List.of("m1", "m2", "c1", "q", "s1", "s2", "r1", "x1", "a0", "c0", "new", "");

    private static final List<String> ID_MEMBERS = List.of(
            "messageId",
            "toolCallId",
            "subagentRunId",
            "parentMessageId",
            "parentSubagentRunId",
            "stepName",
            "entityId",
            "threadId",
            "runId");

    private static final List<List<JsonNode>> LEGAL = read();

    private Streams() {}

    static List<List<JsonNode>> legal() {
        return LEGAL;
    }

    private static List<List<JsonNode>> read() {
        try (InputStream in = Objects.requireNonNull(Streams.class.getResourceAsStream("/runs/streams.jsonl"))) {
            List<List<JsonNode>> streams = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .strip()
                    .split("\n")) {
                streams.add(Json.MAPPER.readTree(line).valueStream().toList());
            }
            return streams;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One of the legal streams after one to six mishaps; always the same for a seed. */
    public static List<JsonNode> mutated(int seed) {
        // Scattered, because the first numbers of neighbouring seeds are nearly the same.
        Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        List<List<JsonNode>> all = legal();
        List<JsonNode> stream = new ArrayList<>(all.get(random.nextInt(all.size())));
        List<JsonNode> other = all.get(random.nextInt(all.size()));
        for (int mishaps = 1 + random.nextInt(6); mishaps > 0 && !stream.isEmpty(); mishaps--) {
            mishap(stream, other, random);
        }
        return stream;
    }

    private static void mishap(List<JsonNode> stream, List<JsonNode> other, Random random) {
        int at = random.nextInt(stream.size());
        int elsewhere = random.nextInt(stream.size());
        ObjectNode event = (ObjectNode) stream.get(at).deepCopy();
        List<String> members = new ArrayList<>(event.propertyNames());
        String member = members.get(random.nextInt(members.size()));
        switch (random.nextInt(11)) {
            case 0 -> stream.remove(at);
            case 1 -> stream.add(elsewhere, event);
            case 2 -> stream.set(at, stream.set(elsewhere, event));
            case 3 -> stream.subList(at, stream.size()).clear();
            case 4 ->
                stream.set(
                        at, event.put("type", stream.get(elsewhere).get("type").stringValue()));
            case 5, 6 -> {
                members.retainAll(ID_MEMBERS);
                if (!members.isEmpty()) {
                    event.put(members.get(random.nextInt(members.size())), IDS.get(random.nextInt(IDS.size())));
                }
                stream.set(at, event);
            }
            case 7 -> stream.set(at, event.set(member, NullNode.getInstance()));
            case 8 -> stream.set(at, event.put("type", "LATER_EVENT"));
            case 9 -> stream.set(at, event.put("subagentRunId", IDS.get(random.nextInt(IDS.size()))));
            default -> stream.add(at, other.get(random.nextInt(other.size())));
        }
    }

    /** The log after an agent sends this stream and then hangs up. */
    static List<AguiEvent> guarded(RunGuard guard, List<JsonNode> stream) {
        List<AguiEvent> log = new ArrayList<>();
        for (JsonNode json : stream) {
            log.addAll(accept(guard, json));
        }
        log.addAll(guard.fail("The agent hung up.", "interrupted"));
        return log;
    }

    static List<AguiEvent> accept(RunGuard guard, JsonNode json) {
        AguiEvent event;
        try {
            event = AguiJson.readEvent(json, "");
        } catch (ProblemException malformed) {
            return guard.fail(malformed.detail(), "invalid_event");
        }
        return guard.accept(event);
    }

    /** The events as a client receives them. */
    public static List<JsonNode> sent(List<AguiEvent> log) {
        return log.stream()
                .map(event -> Json.MAPPER.readTree(AguiJson.write(event)))
                .toList();
    }
}
