package dev.parley.http;

import dev.parley.protocol.FieldError;
import dev.parley.protocol.Json;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.node.ArrayNode;

/**
 * Turns the parser's errors into problems in the terms of JSON, without names of Java classes and without content of
 * the body.
 */
final class JsonFault {
    private JsonFault() {}

    static RuntimeException explain(JacksonException fault, byte[] body) {
        if (fault instanceof InvalidDefinitionException) {
            return fault; // An unreadable record type is a bug of the server.
        }
        if (fault.getCause() instanceof ProblemException problem) {
            return problem; // The record's own check has the better message.
        }
        if (fault instanceof StreamConstraintsException) {
            return invalidJson(
                    "is nested deeper than " + Json.MAX_DEPTH + " levels or holds a name or number that is too"
                            + " long",
                    fault.getLocation());
        }
        if (fault instanceof InputCoercionException) {
            return invalidField(fault, "is a number out of range");
        }
        if (fault instanceof StreamReadException) {
            return invalidJson(syntaxFault(String.valueOf(fault.getOriginalMessage())), fault.getLocation());
        }
        if (fault.getPath().isEmpty()) {
            return firstByte(body) == '{'
                    ? invalidJson("has content after its end", fault.getLocation())
                    : notAnObject();
        }
        return invalidField(fault, expectation(target(fault)));
    }

    /**
     * Explains an error of syntax. The parser keeps half a surrogate pair in a value, but refuses it in the name of a
     * field.
     */
    private static String syntaxFault(String message) {
        if (message.startsWith("Duplicate")) {
            return "has the same member twice";
        }
        return message.contains("surrogate") && message.contains("property name")
                ? "has half of a surrogate pair in a member's name, where it cannot be kept; send it in values only"
                : "is not valid JSON";
    }

    static ProblemException notAnObject() {
        return invalid("is JSON but must be an object: { … }");
    }

    private static ProblemException invalidJson(String fault, @Nullable TokenStreamLocation at) {
        String position = at == null || at.getLineNr() < 1
                ? ""
                : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
        return invalid(fault + position);
    }

    /** @param fault the end of a sentence that begins with "The body" */
    static ProblemException invalid(String fault) {
        return new ProblemException(
                Problem.INVALID_JSON, "The body " + fault + ".", List.of(new FieldError("body", fault)), Map.of());
    }

    private static ProblemException invalidField(JacksonException fault, String message) {
        StringBuilder field = new StringBuilder();
        for (Reference step : fault.getPath()) {
            if (step.getPropertyName() == null) {
                field.append('[').append(step.getIndex()).append(']');
            } else {
                field.append(field.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return ProblemException.invalidField(field.toString(), message);
    }

    private static Class<?> target(JacksonException fault) {
        Class<?> type = fault instanceof MismatchedInputException mismatch ? mismatch.getTargetType() : null;
        return type == null ? Void.class : type;
    }

    private static String expectation(Class<?> type) {
        if (type == String.class) {
            return "must be a text";
        } else if (type == boolean.class || type == Boolean.class) {
            return "must be true or false";
        } else if (isWhole(type)) {
            return "must be a whole number in range";
        } else if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "must be a number";
        } else if (type.isEnum()) {
            return "must be one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "));
        } else if (type.isArray() || Collection.class.isAssignableFrom(type) || type == ArrayNode.class) {
            return "must be a list";
        } else if (Map.class.isAssignableFrom(type) || JsonNode.class.isAssignableFrom(type) || type.isRecord()) {
            return "must be an object";
        }
        return type.getPackageName().equals("java.time") ? "must be a time as in ISO 8601" : "is not valid";
    }

    private static boolean isWhole(Class<?> type) {
        return type == int.class || type == Integer.class || type == long.class || type == Long.class;
    }

    private static byte firstByte(byte[] body) {
        for (byte b : body) {
            if (b > ' ') {
                return b;
            }
        }
        return 0;
    }
}
