package dev.parley.face.sessions;

import dev.parley.http.Call;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.sessions.NewSessionDocument;
import dev.parley.sessions.JsonSlices;
import java.util.OptionalLong;

/**
 * A document that a client wants to store: its exact bytes from the request, and the version that the document
 * replaces.
 *
 * @param version the version; empty if the document replaces any version
 */
record NewDocument(byte[] document, OptionalLong version) {
    /** The bytes that a request body may contain besides the document. */
    private static final long WRAPPING = 1024;

    static long bodyLimit(Limits.Sessions limits) {
        return limits.documentBytes() + WRAPPING;
    }

    /** Reads the request and checks only its shape, because a document may have any content. */
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
