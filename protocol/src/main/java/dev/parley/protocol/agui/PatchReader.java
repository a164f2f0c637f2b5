package dev.parley.protocol.agui;

import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/**
 * Checks the shape of a JSON Patch (RFC 6902), which clients insist on. {@link JsonPatch} finds out if the patch
 * applies.
 */
final class PatchReader {
    private static final List<String> OPERATIONS = List.of("add", "remove", "replace", "move", "copy", "test");

    private PatchReader() {}

    static ArrayNode patch(Place place) {
        ArrayNode patch = place.array();
        if (place.isList()) {
            place.optionalList(PatchReader::operation);
        }
        return patch;
    }

    private static Optional<String> operation(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        Place op = place.at("op");
        String name = op.text();
        pointer(place.at("path"));
        switch (name) {
            case "add", "replace", "test" -> place.at("value").any();
            case "move", "copy" -> pointer(place.at("from"));
            default -> {
                if (op.isText() && !name.equals("remove")) {
                    op.mustBeOneOf(OPERATIONS);
                }
            }
        }
        return Optional.empty();
    }

    private static void pointer(Place place) {
        String text = place.text();
        if (!Pointer.isWellFormed(text)) {
            place.fault("must be a JSON Pointer such as /a/0");
        }
    }
}
