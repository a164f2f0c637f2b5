package dev.parley.testkit.models;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * The contents in pieces. Each piece contains the usage so far, and a call is one piece. The last piece has an empty
 * text and the reason for the end.
 */
final class GeminiTurn implements Turn {
    private final ModelRequest request;
    private final Script script;

    GeminiTurn(ModelRequest request, Script script) {
        this.request = request;
        this.script = script;
    }

    @Override
    public List<String> text(String piece) {
        return part(Nodes.object().put("text", piece));
    }

    @Override
    public List<String> thinking(String piece) {
        return part(Nodes.object().put("text", piece).put("thought", true));
    }

    @Override
    public List<String> callPiece(ScriptedCall call, String piece, boolean last) {
        return last ? part(GeminiDialect.call(call, script)) : List.of();
    }

    private List<String> part(ObjectNode part) {
        return List.of(chunk(part, "", 1));
    }

    @Override
    public List<String> end() {
        ObjectNode nothing = Nodes.object().put("text", "");
        return List.of(chunk(
                nothing, script.stopIn(GeminiDialect.STOPS), script.usage().out()));
    }

    @Override
    public String error(String type, String message) {
        int code = switch (type) {
            case "RESOURCE_EXHAUSTED" -> 429;
            case "UNAVAILABLE" -> 503;
            case "DEADLINE_EXCEEDED" -> 504;
            default -> 500;
        };
        return data(GeminiDialect.error(code, type, message));
    }

    @Override
    public String malformed() {
        return "data: {\"candidates\": [{\"content\": {\"parts\": [{\"text\": \"cut sho\r\n\r\n";
    }

    private String chunk(ObjectNode part, String reason, int out) {
        return data(
                GeminiDialect.response(request, Nodes.array(part), reason, GeminiDialect.usage(script.usage(), out)));
    }

    private static String data(ObjectNode node) {
        return "data: " + node + "\r\n\r\n";
    }
}
