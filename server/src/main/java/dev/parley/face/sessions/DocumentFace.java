package dev.parley.face.sessions;

import dev.parley.auth.Principal;
import dev.parley.auth.RateLimits;
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
    private final RateLimits rates;
    private final Limits limits;

    public DocumentFace(SessionDocuments documents, RateLimits rates, Limits limits) {
        this.documents = documents;
        this.rates = rates;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String document = "/api/v1/sessions/{session_id}/document";
        routes.get(document, this::show).put(document, NewDocument.bodyLimit(limits), this::replace);
    }

    private Answer show(Call<Principal> call) {
        rates.count(call.caller(), RateLimits.Kind.POLL);
        String session = call.path("session_id");
        StoredDocument stored = documents.require(call.caller(), session);
        return Answer.ok(new SessionDocument(session, stored.version(), stored.json(), stored.updatedAt()));
    }

    private Answer replace(Call<Principal> call) {
        rates.count(call.caller(), RateLimits.Kind.THREAD_OPERATION);
        NewDocument given = NewDocument.of(call);
        String session = call.path("session_id");
        long version = given.version()
                .orElseThrow(() -> ProblemException.invalidField(
                        "version", "is required: the version of the document that was read, 0 for the first"));
        StoredDocument stored = documents.replace(call.caller(), session, given.document(), version);
        return Answer.ok(new KeptSessionDocument(session, stored.version(), stored.updatedAt()));
    }
}
