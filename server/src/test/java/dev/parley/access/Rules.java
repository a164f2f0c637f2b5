package dev.parley.access;

import dev.parley.face.docs.ApiDocument;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The statuses that the document promises a visitor of an operation. */
final class Rules {
    /** The statuses for objects of other owners: their objects are not found, and their folders are not writable. */
    private static final Map<String, Integer> OTHERS_OBJECTS = Map.of(
            "signAttachment", 404,
            "downloadObject", 404,
            "downloadAuthenticatedObject", 404,
            "describeObject", 404,
            "signObject", 404,
            "copyObject", 404,
            "moveObject", 403,
            "uploadObject", 403,
            "replaceObject", 403,
            "allowUpload", 403);

    private Rules() {}

    static Set<Integer> expected(ApiDocument.Operation operation, Visitor visitor) {
        Set<String> callers = operation
                .node()
                .path("x-parley-callers")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.toSet());
        if (callers.contains("anyone")) {
            // An operation that never succeeds gives every visitor the same 404.
            return successes(operation).isEmpty() ? Set.of(404) : successes(operation);
        }
        if (callers.contains("platform")) {
            // A platform is never authenticated by a credential.
            return Set.of(401);
        }
        JsonNode body = operation.node().at("/requestBody/content/application~1json/example");
        // Operators are not participants, and need not be.
        boolean ofThread = !operation.path().startsWith("/api/v1/operator/")
                && (operation.path().contains("{thread_id}")
                        || operation.path().contains("{threadId}")
                        || operation.path().startsWith("/api/v1/sessions/{session_id}")
                        || body.has("threadId"));
        boolean owned = operation.path().contains("{agent_id}")
                || operation.path().contains("{token_id}")
                || operation.path().contains("{link_id}")
                || body.has("agent_actor_id");
        boolean operator = visitor.kind().equals("operator");
        boolean allowed = callers.contains(visitor.kind()) || (operator && callers.contains("user"));
        return switch (visitor.standing()) {
            case NOBODY -> Set.of(401);
            // A route closed to this kind of caller is closed in every thread.
            case Visitor.Standing other when !allowed -> Set.of(403);
            case Visitor.Standing other
            when isOther(other) && OTHERS_OBJECTS.containsKey(operation.id()) ->
                Set.of(OTHERS_OBJECTS.get(operation.id()));
            // Operators see it in every thread, and of the participants only the ones it concerns.
            case Visitor.Standing other
            when operation.id().equals("showRunContext") && operator -> successes(operation);
            // A key submits only messages of its own source.
            case Visitor.Standing other
            when other == Visitor.Standing.OUTSIDER
                    && visitor.kind().equals("integration")
                    && (body.has("msg_metadata") || operation.id().equals("reviseMessage")) -> Set.of(403);
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

    private static boolean isOther(Visitor.Standing standing) {
        return standing == Visitor.Standing.OUTSIDER || standing == Visitor.Standing.MEMBER;
    }

    /** Managers manage, and owners own a run; the owner of the scene has started it. */
    private static boolean isForFew(ApiDocument.Operation operation) {
        return operation.node().has("x-parley-owned")
                || operation.scopes().contains("manage_thread")
                || operation.id().equals("showRunContext");
    }

    /** The scopes that a call needs for the body of its example. */
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
