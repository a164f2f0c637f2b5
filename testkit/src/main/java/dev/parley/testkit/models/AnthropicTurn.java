package dev.parley.testkit.models;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The <a href="https://docs.anthropic.com/en/docs/build-with-claude/streaming">streamed events</a> of a message. Each
 * stretch of text, each thought and each call is one block. A block is opened, filled and closed before the next block
 * begins.
 */
final class AnthropicTurn implements Turn {
    private final ModelRequest request;
    private final Script script;
    private int index = -1;
    private Block open = Block.NONE;

    private enum Block {
        NONE,
        TEXT,
        THINKING,
        CALL
    }

    AnthropicTurn(ModelRequest request, Script script) {
        this.request = request;
        this.script = script;
    }

    @Override
    public List<String> begin() {
        ObjectNode message = AnthropicDialect.message(request);
        message.putArray("content");
        message.putNull("stop_reason").putNull("stop_sequence");
        message.set("usage", AnthropicDialect.usage(script.usage(), 1));
        ObjectNode start = event("message_start");
        start.set("message", message);
        return List.of(frame(start), frame(event("ping")));
    }

    @Override
    public List<String> text(String piece) {
        List<String> frames = new ArrayList<>();
        if (open != Block.TEXT) {
            frames.addAll(close());
            frames.add(open(Block.TEXT, Nodes.object().put("type", "text").put("text", "")));
        }
        frames.add(delta(Nodes.object().put("type", "text_delta").put("text", piece)));
        return frames;
    }

    @Override
    public List<String> thinking(String piece) {
        List<String> frames = new ArrayList<>();
        if (open != Block.THINKING) {
            frames.addAll(close());
            ObjectNode block =
                    Nodes.object().put("type", "thinking").put("thinking", "").put("signature", "");
            frames.add(open(Block.THINKING, block));
        }
        frames.add(delta(Nodes.object().put("type", "thinking_delta").put("thinking", piece)));
        return frames;
    }

    @Override
    public List<String> callStart(ScriptedCall call) {
        List<String> frames = new ArrayList<>(close());
        ObjectNode block =
                Nodes.object().put("type", "tool_use").put("id", call.id()).put("name", call.name());
        block.putObject("input");
        frames.add(open(Block.CALL, block));
        frames.add(arguments(""));
        return frames;
    }

    @Override
    public List<String> callPiece(ScriptedCall call, String piece, boolean last) {
        return List.of(arguments(piece));
    }

    private String arguments(String piece) {
        return delta(Nodes.object().put("type", "input_json_delta").put("partial_json", piece));
    }

    @Override
    public List<String> end() {
        List<String> frames = new ArrayList<>(close());
        ObjectNode reason = event("message_delta");
        reason.putObject("delta")
                .put("stop_reason", script.stopIn(AnthropicDialect.STOPS))
                .putNull("stop_sequence");
        reason.putObject("usage").put("output_tokens", script.usage().out());
        frames.add(frame(reason));
        frames.add(frame(event("message_stop")));
        return frames;
    }

    @Override
    public String error(String type, String message) {
        return frame(AnthropicDialect.error(type, message));
    }

    @Override
    public String malformed() {
        return "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"ty\n\n";
    }

    private String open(Block kind, ObjectNode block) {
        open = kind;
        ObjectNode start = event("content_block_start").put("index", ++index);
        start.set("content_block", block);
        return frame(start);
    }

    private List<String> close() {
        List<String> frames = new ArrayList<>();
        if (open == Block.THINKING) {
            frames.add(
                    delta(Nodes.object().put("type", "signature_delta").put("signature", AnthropicDialect.SIGNATURE)));
        }
        if (open != Block.NONE) {
            frames.add(frame(event("content_block_stop").put("index", index)));
        }
        open = Block.NONE;
        return frames;
    }

    private String delta(ObjectNode delta) {
        ObjectNode event = event("content_block_delta").put("index", index);
        event.set("delta", delta);
        return frame(event);
    }

    private static ObjectNode event(String type) {
        return Nodes.object().put("type", type);
    }

    private static String frame(ObjectNode event) {
        return "event: " + event.get("type").asString() + "\ndata: " + event + "\n\n";
    }
}
