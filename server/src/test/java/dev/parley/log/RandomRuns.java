package dev.parley.log;

import dev.parley.protocol.Actor;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import tools.jackson.databind.node.ObjectNode;

/**
 * Seeded commands of two runs in one thread that stream texts, arguments and thoughts, with other events between them.
 */
final class RandomRuns {
    static final UUID FIRST = new UUID(0, 1);
    static final UUID SECOND = new UUID(0, 2);
    private static final Actor AGENT = Actor.agent(new UUID(0, 3));
    private static final List<String> WORDS = List.of(
            "a",
            " ",
            "word",
            "中文",
            "👋",
            "👨‍👩‍👧",
            "e\u0301",
            "\u0301",
            "\"\\",
            "\n",
            "",
            "\u2028",
            "a longer piece of text, ");
    private static final List<String> TYPES =
            List.of("TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS", "REASONING_MESSAGE_CONTENT");

    private final Random random;
    private int current;

    RandomRuns(long seed) {
        random = new Random(seed);
    }

    List<Command> commands(ThreadId thread, int count) {
        List<Command> commands = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Change> changes = new ArrayList<>();
            for (int j = 1 + random.nextInt(3); j > 0; j--) {
                changes.add(change(i));
            }
            commands.add(new Command(UuidV7.next(), thread, AGENT, changes));
        }
        return commands;
    }

    private Change change(int number) {
        return switch (random.nextInt(20)) {
            case 0 -> new Change.Append(LaneFixture.draft("said " + number, null));
            case 1 -> new Change.Announce("run_updated", AGENT, "{}");
            case 2 -> emit(SECOND);
            default -> emit(FIRST);
        };
    }

    private Change emit(UUID run) {
        List<String> events = new ArrayList<>();
        for (int i = 1 + random.nextInt(8); i > 0; i--) {
            event(run, events);
        }
        return new Change.Emit(run, AGENT, events);
    }

    private void event(UUID run, List<String> events) {
        if (random.nextInt(6) == 0) {
            current = random.nextInt(6);
        }
        ObjectNode delta = delta(run);
        switch (random.nextInt(30)) {
            case 0 -> delta.putObject("rawEvent").put("n", random.nextInt(3));
            case 1 -> delta.put("timestamp", 1_700_000_000_000L + random.nextInt(2));
            case 2, 3 -> ((ObjectNode) delta.path("metadata")).put("k", random.nextInt(2));
            case 4 -> delta.put("extra", 1);
            case 5 -> {
                delta.put("delta", "half");
                events.add(delta.toString().replace("half", "\\ud83d"));
                events.add(delta.toString().replace("half", "\\uDC4B"));
                return;
            }
            case 6 -> {
                events.add("{\"type\":\"STEP_STARTED\",\"stepName\":\"" + random.nextInt(9) + "\"}");
                return;
            }
            case 7 -> {
                events.add("{\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":1.50}");
                return;
            }
            case 8 -> delta.put("subagentRunId", "s");
            default -> {}
        }
        events.add(Json.MAPPER.writeValueAsString(delta));
    }

    private ObjectNode delta(UUID run) {
        String type = TYPES.get(current % 3);
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            text.append(WORDS.get(random.nextInt(WORDS.size())));
        }
        ObjectNode delta = Json.MAPPER
                .createObjectNode()
                .put("type", type)
                .put(type.equals("TOOL_CALL_ARGS") ? "toolCallId" : "messageId", run + "-" + current)
                .put("delta", text.toString());
        delta.putObject("metadata").put("runId", run.toString());
        return delta;
    }
}
