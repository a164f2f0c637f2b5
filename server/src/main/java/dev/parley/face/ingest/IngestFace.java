package dev.parley.face.ingest;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.ingest.Explanation;
import dev.parley.ingest.Ingest;
import dev.parley.ingest.Revised;
import dev.parley.ingest.Verdict;
import dev.parley.protocol.ingest.IngestAnswer;
import dev.parley.protocol.ingest.IngestCheck;
import dev.parley.protocol.ingest.IngestEngagement;
import dev.parley.protocol.ingest.IngestExplanation;
import dev.parley.protocol.ingest.RevisionAnswer;
import tools.jackson.databind.node.ObjectNode;

/** The routes by which integrations submit messages. */
public final class IngestFace {
    private final Ingest ingest;
    private final long maxMessage;
    private final long otherBytes;

    public IngestFace(Ingest ingest, long maxMessage, long otherBytes) {
        this.ingest = ingest;
        this.maxMessage = maxMessage;
        this.otherBytes = otherBytes;
    }

    public void addTo(Routes<Principal> routes) {
        routes.post("/api/v1/ingest/chat", maxMessage, Unrated.BY_HANDLER, this::submitChat)
                .post(
                        "/api/v1/ingest/sessions/{session_id}/messages",
                        maxMessage,
                        Unrated.BY_HANDLER,
                        this::injectMessage)
                .post("/api/v1/ingest/explain", maxMessage, Unrated.BY_HANDLER, this::explainChat)
                .post("/api/v1/ingest/revisions", otherBytes, Unrated.BY_HANDLER, this::reviseMessage);
    }

    /** Counts the call after the check, so that callers that may not ingest are refused and not counted. */
    private Principal count(Call<Principal> call) {
        ingest.requireCaller(call.caller());
        call.count(Rate.INGEST);
        return call.caller();
    }

    private Answer submitChat(Call<Principal> call) {
        return accepted(ingest.submit(count(call), IngestRequests.submission(call.json(ObjectNode.class))));
    }

    private Answer injectMessage(Call<Principal> call) {
        Principal caller = count(call);
        return accepted(
                ingest.submit(caller, IngestRequests.injection(call.path("session_id"), call.json(ObjectNode.class))));
    }

    private Answer explainChat(Call<Principal> call) {
        Explanation explanation = ingest.explain(count(call), IngestRequests.submission(call.json(ObjectNode.class)));
        return Answer.ok(new IngestExplanation(
                explanation.wouldStore(),
                explanation.duplicate(),
                explanation.session(),
                explanation.messageId(),
                explanation.agent(),
                new IngestEngagement(
                        explanation.verdict().run(), explanation.verdict().reason()),
                explanation.checks().stream()
                        .map(check -> new IngestCheck(check.name(), check.detail()))
                        .toList()));
    }

    private Answer reviseMessage(Call<Principal> call) {
        Principal caller = count(call);
        IngestRequests.Revision revision = IngestRequests.revision(call.json(ObjectNode.class));
        Revised revised = ingest.revise(caller, revision.source(), revision.revision());
        return Answer.of(
                revised.result() == Revised.Result.WAITING ? 202 : 200,
                new RevisionAnswer(revised.result().wire(), revised.thread(), revised.messageId()));
    }

    private static Answer accepted(Ingest.Accepted accepted) {
        return Answer.of(accepted.duplicate() ? 200 : 202, answer(accepted));
    }

    private static IngestAnswer answer(Ingest.Accepted accepted) {
        Verdict verdict = accepted.verdict();
        return new IngestAnswer(
                accepted.thread(),
                accepted.messageId(),
                accepted.seq(),
                verdict.runId(),
                new IngestEngagement(verdict.run(), verdict.reason()),
                accepted.duplicate());
    }
}
