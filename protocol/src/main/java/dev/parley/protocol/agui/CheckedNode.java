package dev.parley.protocol.agui;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.ProblemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A value in a JSON document, with its path. If the value has the wrong type, a read notes a fault and returns a
 * stand-in. Therefore one pass finds all faults, and {@link #refuseFaults} throws them together. A JSON null counts as
 * absent, except in {@link #any}.
 */
final class CheckedNode {
    /** The most faults to report at once. More faults would only repeat the same mistake. */
    private static final int MAX_FAULTS = 50;

    /** The largest whole number that JavaScript reads exactly. */
    private static final long MAX_WHOLE = (1L << 53) - 1;

    /** Null if the field is missing; a JSON null is a node. */
    private final @Nullable JsonNode node;

    private final String path;
    private final List<FieldError> faults;

    private CheckedNode(@Nullable JsonNode node, String path, List<FieldError> faults) {
        this.node = node;
        this.path = path;
        this.faults = faults;
    }

    static CheckedNode root(JsonNode node, String path) {
        return new CheckedNode(node, path, new ArrayList<>());
    }

    CheckedNode at(String member) {
        return new CheckedNode(
                node == null ? null : node.get(member), path.isEmpty() ? member : path + "." + member, faults);
    }

    boolean isPresent() {
        return node != null && !node.isNull();
    }

    boolean isText() {
        return node != null && node.isString();
    }

    boolean isList() {
        return node != null && node.isArray();
    }

    boolean isEmptyList() {
        return node != null && node.isArray() && node.isEmpty();
    }

    void fault(String message) {
        if (faults.size() < MAX_FAULTS) {
            // The document itself has no path, but each of errors[] needs the name of a field.
            faults.add(new FieldError(path.isEmpty() ? "body" : path, message));
        }
    }

    void refuseFaults() {
        if (!faults.isEmpty()) {
            throw ProblemException.invalidFields(faults);
        }
    }

    String text() {
        String text = isPresent() ? optionalText() : required("");
        return text == null ? "" : text;
    }

    @Nullable
    String optionalText() {
        return optional(JsonNode::isString, "must be a text")
                .map(JsonNode::stringValue)
                .orElse(null);
    }

    /** Notes a fault unless the value is this text. */
    void constant(String only) {
        if (!isPresent()) {
            required("");
        } else if (!isText() || !only.equals(optionalText())) {
            fault("must be " + only);
        }
    }

    <E extends Enum<E>> E choice(E[] known) {
        E chosen = isPresent() ? optionalChoice(known) : required(known[0]);
        return chosen == null ? known[0] : chosen;
    }

    /** Each choice is written on the wire as its {@code toString}. */
    <E extends Enum<E>> @Nullable E optionalChoice(E[] known) {
        if (!isPresent()) {
            return null;
        }
        for (E each : known) {
            if (isText() && each.toString().equals(optionalText())) {
                return each;
            }
        }
        mustBeOneOf(Arrays.stream(known).map(Enum::toString).toList());
        return null;
    }

    void mustBeOneOf(List<String> names) {
        fault("must be one of " + names.stream().sorted().collect(Collectors.joining(", ")));
    }

    ObjectNode object() {
        ObjectNode object = isPresent() ? optionalObject() : required(JsonNodeFactory.instance.objectNode());
        return object == null ? JsonNodeFactory.instance.objectNode() : object;
    }

    @Nullable
    ObjectNode optionalObject() {
        return (ObjectNode) optional(JsonNode::isObject, "must be an object").orElse(null);
    }

    /** True for an object; otherwise notes a fault and returns false. */
    boolean holdsMembers() {
        if (isPresent()) {
            return optionalObject() != null;
        }
        return required(false);
    }

    ArrayNode array() {
        ArrayNode array = isPresent() ? optionalArray() : required(JsonNodeFactory.instance.arrayNode());
        return array == null ? JsonNodeFactory.instance.arrayNode() : array;
    }

    private @Nullable ArrayNode optionalArray() {
        return (ArrayNode) optional(JsonNode::isArray, "must be a list").orElse(null);
    }

    /** Any JSON. A JSON null is data here, and only a missing field is a fault. */
    JsonNode any() {
        return node == null ? required(JsonNodeFactory.instance.nullNode()) : node;
    }

    @Nullable
    JsonNode optionalAny() {
        return isPresent() ? node : null;
    }

    /** A whole number; 1.0 and 1e3 do not count as whole numbers. */
    @Nullable
    Long optionalWhole(long least) {
        return optional(
                        number -> isWhole(number, least),
                        least == 0 ? "must be a whole number, 0 or more" : "must be a whole number in range")
                .map(JsonNode::longValue)
                .orElse(null);
    }

    static boolean isWhole(JsonNode number, long least) {
        return number.isIntegralNumber()
                && number.canConvertToLong()
                && number.longValue() >= least
                && number.longValue() <= MAX_WHOLE;
    }

    @Nullable
    Long optionalTimestamp() {
        return optionalWhole(-MAX_WHOLE);
    }

    @Nullable
    Boolean optionalFlag() {
        return optional(JsonNode::isBoolean, "must be true or false")
                .map(JsonNode::booleanValue)
                .orElse(null);
    }

    <T> List<T> list(Function<CheckedNode, Optional<T>> each) {
        List<T> read = isPresent() ? optionalList(each) : required(List.of());
        return read == null ? List.of() : read;
    }

    <T> @Nullable List<T> optionalList(Function<CheckedNode, Optional<T>> each) {
        ArrayNode array = optionalArray();
        if (array == null) {
            return null;
        }
        List<T> read = new ArrayList<>(array.size());
        for (int i = 0; i < array.size(); i++) {
            each.apply(new CheckedNode(array.get(i), path + "[" + i + "]", faults))
                    .ifPresent(read::add);
        }
        return read;
    }

    <T> List<T> listOrEmpty(Function<CheckedNode, Optional<T>> each) {
        List<T> read = optionalList(each);
        return read == null ? List.of() : read;
    }

    private Optional<JsonNode> optional(Predicate<JsonNode> shape, String otherwise) {
        if (node == null || node.isNull()) {
            return Optional.empty();
        }
        if (!shape.test(node)) {
            fault(otherwise);
            return Optional.empty();
        }
        return Optional.of(node);
    }

    private <T> T required(T standIn) {
        fault("is required");
        return standIn;
    }
}
