package dev.parley.face.objects;

import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A refusal with the codes by which the storage client and its users distinguish errors. See <a
 * href="https://supabase.com/docs/guides/storage/debugging/error-codes">the error codes of Supabase Storage</a>.
 *
 * @param code the field {@code code}
 * @param name the field {@code error}
 */
record StorageError(String code, String name) {
    private static final StorageError INVALID_KEY = new StorageError("InvalidKey");
    private static final StorageError INVALID_REQUEST = new StorageError("InvalidRequest");
    private static final StorageError INTERNAL = new StorageError("InternalError");

    private static final Map<Problem, StorageError> BY_PROBLEM = Map.ofEntries(
            Map.entry(Problem.OBJECT_NOT_FOUND, new StorageError("NoSuchKey", "not_found")),
            Map.entry(Problem.BUCKET_NOT_FOUND, new StorageError("NoSuchBucket", "Bucket not found")),
            Map.entry(Problem.OBJECT_EXISTS, new StorageError("ResourceAlreadyExists", "Duplicate")),
            Map.entry(Problem.OBJECT_ATTACHED, new StorageError("ResourceLocked")),
            Map.entry(Problem.PAYLOAD_TOO_LARGE, new StorageError("EntityTooLarge", "Payload too large")),
            Map.entry(Problem.QUOTA_EXCEEDED, new StorageError("EntityTooLarge", "Payload too large")),
            Map.entry(Problem.UNAUTHENTICATED, new StorageError("InvalidJWT", "Unauthorized")),
            Map.entry(Problem.FORBIDDEN, new StorageError("AccessDenied", "Unauthorized")),
            Map.entry(Problem.INVALID_FIELDS, new StorageError("InvalidParameter")),
            Map.entry(Problem.UNSUPPORTED_MEDIA_TYPE, new StorageError("InvalidMimeType", "invalid_mime_type")),
            Map.entry(Problem.RANGE_NOT_SATISFIABLE, new StorageError("InvalidRange", "invalid_range")),
            Map.entry(Problem.RATE_LIMITED, new StorageError("SlowDown")),
            Map.entry(Problem.OVERLOADED, new StorageError("SlowDown")),
            Map.entry(Problem.DATABASE_UNAVAILABLE, new StorageError("DatabaseTimeout")));

    private StorageError(String code) {
        this(code, code);
    }

    /** The fields that replace or complete the fields of every problem. */
    static Map<String, String> members(ProblemException failure) {
        StorageError error = of(failure);
        Map<String, String> members = new LinkedHashMap<>();
        members.put("code", error.code());
        members.put("error", error.name());
        members.put("statusCode", Integer.toString(failure.problem().status()));
        return members;
    }

    private static StorageError of(ProblemException failure) {
        Problem problem = failure.problem();
        if (problem == Problem.INVALID_FIELDS
                && failure.errors().stream().anyMatch(error -> error.field().equals("path"))) {
            return INVALID_KEY;
        }
        return BY_PROBLEM.getOrDefault(problem, problem.status() < 500 ? INVALID_REQUEST : INTERNAL);
    }
}
