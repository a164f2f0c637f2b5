package dev.parley.runs.input;

import dev.parley.basics.Text;
import dev.parley.protocol.agui.RunAgentInput;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Refuses texts and field names in an input that the database cannot store, and names their path. */
final class StorableInput {
    private static final Set<String> MEMBERS = Arrays.stream(RunAgentInput.class.getRecordComponents())
            .map(RecordComponent::getName)
            .filter(name -> !name.equals("threadId")) // The rule for thread ids refuses such texts.
            .collect(Collectors.toUnmodifiableSet());

    private StorableInput() {}

    /** Fields that are not part of an input are ignored, whatever their value. */
    static void require(JsonNode body) {
        for (Map.Entry<String, JsonNode> member : body.properties()) {
            if (MEMBERS.contains(member.getKey())) {
                require(member.getKey(), member.getValue());
            }
        }
    }

    /** @param path the path of the node */
    static void require(String path, JsonNode node) {
        if (node.isString()) {
            Text.requireStorable(path, node.stringValue());
        }
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            Text.requireStorable(path, member.getKey());
            require(path + "." + member.getKey(), member.getValue());
        }
        for (int i = 0; i < node.size() && node.isArray(); i++) {
            require(path + "[" + i + "]", node.get(i));
        }
    }
}
