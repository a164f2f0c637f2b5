package dev.parley.protocol.agui;

import dev.parley.protocol.Json;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies a JSON Patch (<a href="https://www.rfc-editor.org/rfc/rfc6902">RFC 6902</a>) in the same way as the clients:
 * all of it or nothing, and always to a copy of the document. Removing the root leaves null, as in the clients. A few
 * operations can double a document again and again, nest it deeper and deeper, or move a long list with each operation.
 * Therefore one patch is limited in the values that it adds, in their depth, and in the list elements that it moves.
 */
public final class JsonPatch {
    /** The limit on the values in the document and the values that the operations add, counted together. */
    static final int MAX_VALUES = 1_000_000;

    /**
     * The limit on the list elements that one patch moves by one index. An insertion or removal moves all elements
     * after it.
     */
    static final long MAX_SHIFTS = 500_000_000;

    /** The depth that a reader accepts, minus one level for the event or input around the document. */
    public static final int MAX_DEPTH = Json.MAX_DEPTH - 1;

    /** Finds equal values for the test operation; 1, 1.0 and 1e0 are the same number. */
    private static final Comparator<JsonNode> BY_VALUE = (a, b) -> {
        if (a.isNumber() && b.isNumber()) {
            return a.decimalValue().compareTo(b.decimalValue());
        }
        return a.equals(b) ? 0 : 1;
    };

    private JsonNode document;
    private int room = MAX_VALUES;
    private long shifts = MAX_SHIFTS;

    private JsonPatch(JsonNode document) throws CannotPatch {
        take(document);
        this.document = document.deepCopy();
    }

    /** @param patch the operations in their order, such as the delta of a {@link StateEvent.Delta} */
    public static JsonNode apply(JsonNode document, Iterable<JsonNode> patch) throws CannotPatch {
        JsonPatch patching = new JsonPatch(document);
        int number = 0;
        for (JsonNode operation : patch) {
            try {
                patching.apply(operation);
            } catch (CannotPatch e) {
                throw new CannotPatch("operation " + number + ": " + e.getMessage());
            }
            number++;
        }
        return patching.document;
    }

    private void apply(JsonNode operation) throws CannotPatch {
        Pointer path = pointer(operation, "path");
        String op = text(operation, "op");
        switch (op) {
            case "add" -> put(path, value(operation));
            case "remove" -> remove(path);
            case "replace" -> {
                require(path);
                replace(path, value(operation));
            }
            case "move" -> move(pointer(operation, "from"), path);
            case "copy" -> put(path, require(pointer(operation, "from")));
            case "test" -> {
                if (!require(path).equals(BY_VALUE, value(operation))) {
                    throw new CannotPatch("the value at path differs");
                }
            }
            default -> throw new CannotPatch("op is no operation of RFC 6902");
        }
    }

    private void move(Pointer from, Pointer path) throws CannotPatch {
        if (from.isAbove(path)) {
            throw new CannotPatch("a value cannot be moved into itself");
        }
        JsonNode moved = require(from);
        if (!from.equals(path)) {
            remove(from);
            put(path, moved);
        }
    }

    /** Adds a copy of the value, which may be part of the document or of the patch. */
    private void put(Pointer path, JsonNode value) throws CannotPatch {
        JsonNode copy = copy(path, value);
        if (path.isRoot()) {
            document = copy;
            return;
        }
        switch (require(path.parent())) {
            case ObjectNode object -> object.set(path.last(), copy);
            case ArrayNode array -> {
                int index = insertionIndex(array, path.last());
                shift(array, index);
                array.insert(index, copy);
            }
            default -> throw nowhere();
        }
    }

    private void replace(Pointer path, JsonNode value) throws CannotPatch {
        JsonNode copy = copy(path, value);
        if (path.isRoot()) {
            document = copy;
            return;
        }
        switch (require(path.parent())) {
            case ObjectNode object -> object.set(path.last(), copy);
            case ArrayNode array -> array.set(Pointer.index(path.last()), copy);
            default -> throw nowhere();
        }
    }

    private void remove(Pointer path) throws CannotPatch {
        require(path);
        if (path.isRoot()) {
            document = JsonNodeFactory.instance.nullNode();
            return;
        }
        switch (require(path.parent())) {
            case ObjectNode object -> object.remove(path.last());
            case ArrayNode array -> {
                shift(array, Pointer.index(path.last()));
                array.remove(Pointer.index(path.last()));
            }
            default -> throw nowhere();
        }
    }

    private JsonNode require(Pointer pointer) throws CannotPatch {
        JsonNode at = document;
        for (String name : pointer.names()) {
            JsonNode next = switch (at) {
                case ObjectNode object -> object.get(name);
                case ArrayNode array -> array.get(Pointer.index(name));
                default -> null;
            };
            if (next == null) {
                throw nowhere();
            }
            at = next;
        }
        return at;
    }

    private static int insertionIndex(ArrayNode array, String name) throws CannotPatch {
        int index = name.equals("-") ? array.size() : Pointer.index(name);
        if (index < 0 || index > array.size()) {
            throw new CannotPatch("path is no index of its list");
        }
        return index;
    }

    private void shift(ArrayNode array, int index) throws CannotPatch {
        shifts -= array.size() - index;
        if (shifts < 0) {
            throw new CannotPatch("the patch moves more than " + MAX_SHIFTS + " elements of lists");
        }
    }

    private JsonNode copy(Pointer path, JsonNode value) throws CannotPatch {
        if (path.depth() + take(value) > MAX_DEPTH) {
            throw new CannotPatch("the document would be deeper than " + MAX_DEPTH + " levels");
        }
        return value.deepCopy();
    }

    /** Counts a value with all values inside it, and returns its number of levels. */
    private int take(JsonNode value) throws CannotPatch {
        if (--room < 0) {
            throw new CannotPatch("the patch makes more than " + MAX_VALUES + " values");
        }
        int deepest = 0;
        for (JsonNode child : value) {
            deepest = Math.max(deepest, take(child));
        }
        return value.isContainer() ? deepest + 1 : 0;
    }

    private static JsonNode value(JsonNode operation) throws CannotPatch {
        return present(operation.get("value"), "value");
    }

    private static Pointer pointer(JsonNode operation, String member) throws CannotPatch {
        String text = text(operation, member);
        if (!Pointer.isWellFormed(text)) {
            throw new CannotPatch(member + " is no JSON Pointer");
        }
        return Pointer.parse(text);
    }

    private static String text(JsonNode operation, String member) throws CannotPatch {
        JsonNode text = present(operation.get(member), member);
        if (!text.isString()) {
            throw new CannotPatch(member + " is no text");
        }
        return text.stringValue();
    }

    private static JsonNode present(@Nullable JsonNode value, String member) throws CannotPatch {
        if (value == null) {
            throw new CannotPatch(member + " is missing");
        }
        return value;
    }

    private static CannotPatch nowhere() {
        return new CannotPatch("there is no value at its path");
    }
}
