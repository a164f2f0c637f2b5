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
        JsonNode body = operation.node().at("/requestBody/content/application~1json/example");
        boolean ofThread = operation.path().contains("{thread_id}")
                || operation.path().contains("{threadId}")
                || body.has("threadId");
        boolean owned = operation.path().contains("{agent_id}")
                || operation.path().contains("{token_id}")
                || body.has("agent_actor_id");
        boolean operator = visitor.kind().equals("operator");
        boolean allowed = callers.contains(visitor.kind()) || (operator && callers.contains("user"));
        return switch (visitor.standing()) {
            case NOBODY -> Set.of(401);
            // A route that is closed to this kind of caller is so whatever the thread.
            case Visitor.Standing other when !allowed -> Set.of(403);
            case OUTSIDER -> ofThread || owned ? Set.of(404) : successes(operation);
            case MEMBER -> {
                if (owned) {
                    yield Set.of(404);
                }
                yield ofThread && isForFew(operation) ? Set.of(403) : successes(operation);
            }
            case UNSCOPED ->
                needed(operation).contains(visitor.lacks()) || (ofThread && isForFew(operation))
                        ? Set.of(403)
                        : successes(operation);
            case OWNER -> successes(operation);
        };
    }

    /** Managing is for managers. */
    private static boolean isForFew(ApiDocument.Operation operation) {
        return operation.scopes().contains("manage_thread");
    }

    /** The scopes that a call needs, with the body of its example. */
    private static Set<String> needed(ApiDocument.Operation operation) {
        Set<String> needed = new HashSet<>(operation.scopes());
        JsonNode body = operation.node().at("/requestBody/content/application~1json/example");
        operation.node().path("x-parley-scope-with").properties().forEach(each -> {
            if (body.has(each.getKey())) {
                needed.add(each.getValue().asString());
            }
        });
        return needed;
    }

    private static Set<Integer> successes(ApiDocument.Operation operation) {
        return operation.node().path("responses").propertyNames().stream()
                .map(Integer::valueOf)
                .filter(status -> status < 304)
                .collect(Collectors.toSet());
    }
}
