package dev.parley.assembly;

import dev.parley.assembly.ContextMessage.Assistant;
import dev.parley.assembly.ContextMessage.Call;
import dev.parley.assembly.ContextMessage.Origin;
import dev.parley.assembly.ContextMessage.ToolResult;
import dev.parley.basics.Sha256;
import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Makes calls acceptable to every provider: ids that are short, plain and used once, names of plain characters,
 * arguments that are one JSON object. A legal call stays unchanged.
 */
final class LegalCalls {
    /** The strictest rule of any provider: the length is OpenAI's, the characters are Anthropic's. */
    private static final Alphabet ID = Alphabet.of("a-zA-Z0-9_-");

    private static final int ID_BYTES = 12;

    private final boolean strict;
    private final Set<String> used = new HashSet<>();
    private final Map<String, Integer> times = new HashMap<>();

    private LegalCalls(boolean strict) {
        this.strict = strict;
    }

    /** @param messages the conversation, with every result after its call */
    static List<ContextMessage> in(List<ContextMessage> messages, boolean strict) {
        LegalCalls legal = new LegalCalls(strict);
        List<ContextMessage> mended = new ArrayList<>();
        List<Call> calls = List.of();
        int next = 0;
        for (ContextMessage message : messages) {
            if (message instanceof Assistant assistant) {
                Assistant legalCalls = legal.legalCalls(assistant);
                calls = legalCalls.calls();
                next = 0;
                mended.add(legalCalls);
            } else if (message instanceof ToolResult result) {
                mended.add(legalResult(result, calls.get(next++)));
            } else {
                mended.add(message);
            }
        }
        return mended;
    }

    private Assistant legalCalls(Assistant assistant) {
        if (assistant.calls().isEmpty()) {
            return assistant;
        }
        List<Transform> transforms = new ArrayList<>(assistant.origin().transforms());
        List<Call> calls = new ArrayList<>();
        for (Call call : assistant.calls()) {
            String id = strict ? id(call.id()) : call.id();
            String tool = strict ? ToolNames.legal(call.tool()) : call.tool();
            String arguments = arguments(call.arguments());
            addIf(transforms, Transform.CALL_RENAMED, !id.equals(call.id()));
            addIf(transforms, Transform.TOOL_RENAMED, !tool.equals(call.tool()));
            addIf(transforms, Transform.ARGUMENTS_MENDED, !arguments.equals(call.arguments()));
            calls.add(new Call(id, tool, arguments));
        }
        Origin origin = assistant.origin();
        return new Assistant(assistant.text(), calls, new Origin(origin.seqs(), transforms, origin.id()));
    }

    private static void addIf(List<Transform> transforms, Transform transform, boolean done) {
        if (done) {
            transforms.add(transform);
        }
    }

    private static ToolResult legalResult(ToolResult result, Call call) {
        return new ToolResult(call.id(), call.tool(), result.text(), result.failed(), result.origin());
    }

    private String id(String given) {
        int time = times.merge(given, 1, Integer::sum);
        String id = given;
        for (int attempt = 0; !ID.spells(id, 1, 40) || !used.add(id); attempt++) {
            id = "call_"
                    + HexFormat.of()
                            .formatHex(
                                    Sha256.of((given + "/" + time + "/" + attempt).getBytes(StandardCharsets.UTF_8)),
                                    0,
                                    ID_BYTES);
        }
        return id;
    }

    private static String arguments(String given) {
        if (given.isBlank()) {
            return "{}";
        }
        JsonNode read;
        try {
            read = Json.MAPPER.readTree(given);
        } catch (JacksonException unreadable) {
            return Json.MAPPER.createObjectNode().put("unreadable", given).toString();
        }
        return read.isObject()
                ? given
                : Json.MAPPER.createObjectNode().set("value", read).toString();
    }
}
