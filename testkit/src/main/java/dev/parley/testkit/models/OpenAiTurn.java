package dev.parley.testkit.models;

import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The chunks of a chat completion. The first chunk has the role, and each chunk after it has one delta. The reason for
 * the end, the usage (if requested) and the end mark follow. Thinking has the field name that DeepSeek introduced and
 * other providers adopted.
 */
final class OpenAiTurn implements Turn {
    private final ModelRequest request;
    private final Script script;
    private final boolean withUsage;

    OpenAiTurn(ModelRequest request, Script script) {
        this.request = request;
        this.script = script;
        this.withUsage =
                request.body().path("stream_options").path("include_usage").asBoolean(false);
    }

    @Override
    public List<String> begin() {
        return delta(Nodes.object().put("role", "assistant").put("content", "").putNull("refusal"));
    }

    @Override
    public List<String> text(String piece) {
        return delta(Nodes.object().put("content", piece));
    }

    @Override
    public List<String> thinking(String piece) {
        return delta(Nodes.object().putNull("content").put("reasoning_content", piece));
    }

    @Override
    public List<String> callStart(ScriptedCall call) {
        ObjectNode part =
                Nodes.object().put("index", call.index()).put("id", call.id()).put("type", "function");
        part.putObject("function").put("name", call.name()).put("arguments", "");
        return calls(part);
    }

    @Override
    public List<String> callPiece(ScriptedCall call, String piece, boolean last) {
        ObjectNode part = Nodes.object().put("index", call.index());
        part.putObject("function").put("arguments", piece);
        return calls(part);
    }

    private List<String> calls(ObjectNode part) {
        ObjectNode delta = Nodes.object();
        delta.set("tool_calls", Nodes.array(part));
        return delta(delta);
    }

    @Override
    public List<String> end() {
        Stream<String> reason = Stream.of(chunk(Nodes.object(), script.stopIn(OpenAiDialect.STOPS)));
        Stream<String> usage = withUsage ? Stream.of(usage()) : Stream.empty();
        return Stream.of(reason, usage, Stream.of("data: [DONE]\n\n"))
                .flatMap(frames -> frames)
                .toList();
    }

    private String usage() {
        ObjectNode chunk = OpenAiDialect.completion(request, "chat.completion.chunk");
        chunk.set("choices", Nodes.array());
        chunk.set("usage", OpenAiDialect.usage(script.usage()));
        return data(chunk);
    }

    @Override
    public String error(String type, String message) {
        return data(OpenAiDialect.error(message, type, null));
    }

    @Override
    public String malformed() {
        return "data: {\"id\":\"chatcmpl\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"cut sho\n\n";
    }

    private List<String> delta(ObjectNode delta) {
        return List.of(chunk(delta, ""));
    }

    private String chunk(ObjectNode delta, String reason) {
        ObjectNode choice = Nodes.object().put("index", 0);
        choice.set("delta", delta);
        choice.putNull("logprobs");
        if (reason.isEmpty()) {
            choice.putNull("finish_reason");
        } else {
            choice.put("finish_reason", reason);
        }
        ObjectNode chunk = OpenAiDialect.completion(request, "chat.completion.chunk");
        chunk.set("choices", Nodes.array(choice));
        if (withUsage) {
            chunk.putNull("usage");
        }
        return data(chunk);
    }

    private static String data(JsonNode node) {
        return "data: " + node + "\n\n";
    }
}
