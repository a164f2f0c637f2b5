package dev.parley.access;

import dev.parley.face.docs.ApiDocument;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What the document says a visitor gets from an operation: the statuses that are right. */
final class Rules {
    private Rules() {}

    static Set<Integer> expected(ApiDocument.Operation operation, Visitor visitor) {
        Set<String> callers = operation
                .node()
                .path("x-parley-callers")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.toSet());
        if (callers.contains("anyone")) {
            return successes(operation);
        }
        boolean ofThread = operation.path().contains("{thread_id}");
        boolean owned = operation.path().contains("{agent_id}")
                || operation.path().contains("{token_id}")
                || operation
                        .node()
                        .at("/requestBody/content/application~1json/example")
                        .has("agent_actor_id");
        boolean operator = visitor.kind().equals("operator");
        boolean allowed = callers.contains(visitor.kind()) || (operator && callers.contains("user"));
        return switch (visitor.standing()) {
            case NOBODY -> Set.of(401);
            // Whether it may not see the thread or may not do this is the same no to the wrong kind of caller.
            case Visitor.Standing other when !allowed -> ofThread ? Set.of(403, 404) : Set.of(403);
            case OUTSIDER -> ofThread || owned ? Set.of(404) : successes(operation);
            case MEMBER -> {
                if (owned) {
                    yield Set.of(404);
                }
                yield ofThread && scope(operation).equals("manage_thread") ? Set.of(403) : successes(operation);
            }
            case UNSCOPED -> scope(operation).isEmpty() ? successes(operation) : Set.of(403);
            case HALF_SCOPED -> {
                Set<Integer> either = new HashSet<>(successes(operation));
                either.add(403);
                yield either;
            }
            case OWNER -> successes(operation);
        };
    }

    static String scope(ApiDocument.Operation operation) {
        return operation.node().path("x-parley-scope").asString("");
    }

    private static Set<Integer> successes(ApiDocument.Operation operation) {
        return operation.node().path("responses").propertyNames().stream()
                .map(Integer::valueOf)
                .filter(status -> status < 304)
                .collect(Collectors.toSet());
    }
}
