package dev.parley.testkit.models;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The lines of an answer: one line for each piece, one line for a whole call, and a last line with the reason for the
 * end and the counts.
 */
final class OllamaTurn implements Turn {
    private final ModelRequest request;
    private final Script script;

    OllamaTurn(ModelRequest request, Script script) {
        this.request = request;
        this.script = script;
    }

    @Override
    public List<String> text(String piece) {
        return message(OllamaDialect.message(piece));
    }

    @Override
    public List<String> thinking(String piece) {
        return message(OllamaDialect.message("").put("thinking", piece));
    }

    @Override
    public List<String> callPiece(ScriptedCall call, String piece, boolean last) {
        if (!last) {
            return List.of();
        }
        ObjectNode message = OllamaDialect.message("");
        message.set("tool_calls", Nodes.array(OllamaDialect.call(call)));
        return message(message);
    }

    private List<String> message(ObjectNode message) {
        return List.of(line(OllamaDialect.response(request, message)));
    }

    @Override
    public List<String> end() {
        ObjectNode last = OllamaDialect.response(request, OllamaDialect.message(""));
        return List.of(line(OllamaDialect.done(last, script)));
    }

    /** Ollama's errors have no field for the type. */
    @Override
    public String error(String type, String message) {
        return line(Nodes.object().put("error", message));
    }

    @Override
    public String malformed() {
        return "{\"model\":\"scripted\",\"message\":{\"role\":\"assistant\",\"content\":\"cut sho\n";
    }

    private static String line(JsonNode node) {
        return node + "\n";
    }
}
