package dev.parley.protocol.agui;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/**
 * Checks the form of a JSON Patch (RFC 6902), because clients insist on the right form. {@link JsonPatch} finds out if
 * the patch applies.
 */
final class PatchReader {
    private static final List<String> OPERATIONS = List.of("add", "remove", "replace", "move", "copy", "test");

    private PatchReader() {}

    static ArrayNode patch(CheckedNode node) {
        ArrayNode patch = node.array();
        if (node.isList()) {
            node.optionalList(PatchReader::operation);
        }
        return patch;
    }

    private static Optional<String> operation(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        CheckedNode op = node.at("op");
        String name = op.text();
        pointer(node.at("path"));
        switch (name) {
            case "add", "replace", "test" -> node.at("value").any();
            case "move", "copy" -> pointer(node.at("from"));
            default -> {
                if (op.isText() && !name.equals("remove")) {
                    op.mustBeOneOf(OPERATIONS);
                }
            }
        }
        return Optional.empty();
    }

    private static void pointer(CheckedNode node) {
        String text = node.text();
        if (!Pointer.isWellFormed(text)) {
            node.fault("must be a JSON Pointer such as /a/0");
        }
    }
}
