package dev.parley.contexts;

import dev.parley.assembly.ContextMessage;
import dev.parley.assembly.Transform;
import dev.parley.basics.Sha256;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Tool;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A message of a context in stored form, and its link in a chain. A block's name is the hash over its own JSON and all
 * earlier blocks.
 *
 * @param previous the name of the previous block; null for the first block
 */
record ContextBlock(byte[] hash, byte @Nullable [] previous, String json) {
    /** @param before another chain, from which the blocks of a common beginning are reused */
    static Chain chain(List<ContextMessage> messages, Chain before) {
        int same = 0;
        int most = Math.min(messages.size(), before.messages().size());
        while (same < most && messages.get(same).equals(before.messages().get(same))) {
            same++;
        }
        List<ContextBlock> chain = new ArrayList<>(before.blocks().subList(0, same));
        byte[] previous = same == 0 ? null : chain.getLast().hash();
        for (ContextMessage message : messages.subList(same, messages.size())) {
            String json = json(message);
            MessageDigest digest = Sha256.begin();
            if (previous != null) {
                digest.update(previous);
            }
            byte[] hash = digest.digest(json.getBytes(StandardCharsets.UTF_8));
            chain.add(new ContextBlock(hash, previous, json));
            previous = hash;
        }
        return new Chain(messages, chain, same);
    }

    /**
     * A context and its blocks.
     *
     * @param known the number of leading blocks that the previous chain contained as well
     */
    record Chain(List<ContextMessage> messages, List<ContextBlock> blocks, int known) {
        static final Chain NONE = new Chain(List.of(), List.of(), 0);

        Chain {
            messages = List.copyOf(messages);
            blocks = List.copyOf(blocks);
        }

        int weight() {
            // The memory holds the messages as well as their JSON.
            long weight = blocks.stream()
                    .mapToLong(block -> 400L + 3L * block.json().length())
                    .sum();
            return (int) Math.min(Integer.MAX_VALUE, weight);
        }
    }

    /** The tools offered to a model, as a block of their own. */
    static ContextBlock ofTools(List<Tool> tools) {
        ObjectNode block = Json.MAPPER.createObjectNode();
        ArrayNode list = block.putArray("tools");
        for (Tool tool : tools) {
            ObjectNode each = list.addObject().put("name", tool.name()).put("description", tool.description());
            each.set("parameters", tool.parameters());
        }
        String json = Json.MAPPER.writeValueAsString(block);
        return new ContextBlock(Sha256.of(json.getBytes(StandardCharsets.UTF_8)), null, json);
    }

    static String json(ContextMessage message) {
        ObjectNode block = Json.MAPPER.createObjectNode();
        switch (message) {
            case ContextMessage.SystemBlock system ->
                block.put("role", "system").put("content", system.text());
            case ContextMessage.User user -> {
                block.put("role", "user");
                putParts(block, user.parts());
            }
            case ContextMessage.Assistant assistant -> {
                block.put("role", "assistant").put("content", assistant.text());
                ArrayNode calls = assistant.calls().isEmpty() ? null : block.putArray("toolCalls");
                assistant.calls().forEach(call -> {
                    if (calls != null) {
                        calls.addObject()
                                .put("id", call.id())
                                .put("name", call.tool())
                                .put("arguments", call.arguments());
                    }
                });
            }
            case ContextMessage.ToolResult result -> {
                block.put("role", "tool").put("content", result.text());
                block.put("toolCallId", result.callId()).put("toolName", result.tool());
                if (result.failed()) {
                    block.put("failed", true);
                }
            }
        }
        ArrayNode seqs = block.putArray("seqs");
        message.origin().seqs().forEach(seqs::add);
        ArrayNode transforms = block.putArray("transform");
        message.origin().transforms().stream().map(Transform::wire).forEach(transforms::add);
        return Json.MAPPER.writeValueAsString(block);
    }

    /** A single text is written as a string, several parts as objects with a type. */
    private static void putParts(ObjectNode block, List<ContextMessage.Part> parts) {
        if (parts.size() == 1 && parts.getFirst() instanceof ContextMessage.Part.Text text) {
            block.put("content", text.text());
            return;
        }
        ArrayNode content = block.putArray("content");
        for (ContextMessage.Part part : parts) {
            switch (part) {
                case ContextMessage.Part.Text text ->
                    content.addObject().put("type", "text").put("text", text.text());
                case ContextMessage.Part.Picture picture ->
                    content.addObject()
                            .put("type", "image")
                            .put("bucket", picture.object().bucket())
                            .put("path", picture.object().path())
                            .put("mimeType", picture.mimeType());
            }
        }
    }
}
