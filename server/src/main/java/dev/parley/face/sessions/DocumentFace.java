package dev.parley.face.sessions;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.limits.Limits;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.sessions.KeptSessionDocument;
import dev.parley.protocol.sessions.SessionDocument;
import dev.parley.sessions.SessionDocuments;
import dev.parley.sessions.StoredDocument;

/** The routes of a session's document. */
public final class DocumentFace {
    private final SessionDocuments documents;
    private final Limits.Sessions limits;

    public DocumentFace(SessionDocuments documents, Limits.Sessions limits) {
        this.documents = documents;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String document = "/api/v1/sessions/{session_id}/document";
        routes.get(document, Rate.POLL, this::show)
                .put(document, NewDocument.bodyLimit(limits), Rate.THREAD_OPERATION, this::replace);
    }

    private Answer show(Call<Principal> call) {
        String session = call.path("session_id");
        StoredDocument stored = documents.require(call.caller(), session);
        return Answer.ok(new SessionDocument(session, stored.version(), stored.json(), stored.updatedAt()));
    }

    private Answer replace(Call<Principal> call) {
        NewDocument given = NewDocument.of(call);
        String session = call.path("session_id");
        long version = given.version()
                .orElseThrow(() -> ProblemException.invalidField(
                        "version", "is required: the version of the document that was read, 0 for the first"));
        StoredDocument stored = documents.replace(call.caller(), session, given.document(), version);
        return Answer.ok(new KeptSessionDocument(session, stored.version(), stored.updatedAt()));
    }
}
