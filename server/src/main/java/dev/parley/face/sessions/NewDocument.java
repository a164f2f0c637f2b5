package dev.parley.face.sessions;

import dev.parley.http.Call;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.sessions.NewSessionDocument;
import dev.parley.sessions.JsonSlices;
import java.util.OptionalLong;

/**
 * A document that a client wants to store: its text as it stands in the request, and the version that it replaces.
 *
 * @param version empty for any
 */
record NewDocument(byte[] document, OptionalLong version) {
    /** The bytes around the document. */
    private static final long WRAPPING = 1024;

    static long bodyLimit(Limits.Sessions limits) {
        return limits.documentBytes() + WRAPPING;
    }

    /** Checks only the shape: a document has any content. */
    static NewDocument of(Call<?> call) {
        NewSessionDocument body = call.json(NewSessionDocument.class);
        byte[] document = JsonSlices.memberOf(call.body(), "document");
        if (body.document() == null || document == null) {
            throw ProblemException.invalidField("document", "must be an object");
        }
        Long version = body.version();
        if (version != null && version < 0) {
            throw ProblemException.invalidField("version", "must be 0 or more");
        }
        return new NewDocument(document, version == null ? OptionalLong.empty() : OptionalLong.of(version));
    }
}
