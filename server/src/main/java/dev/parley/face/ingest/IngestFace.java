package dev.parley.face.ingest;

import dev.parley.auth.Principal;
import dev.parley.auth.RateLimits;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.ingest.Ingest;
import dev.parley.ingest.Verdict;
import dev.parley.limits.Limits;
import dev.parley.protocol.ingest.IngestAnswer;
import dev.parley.protocol.ingest.IngestEngagement;
import tools.jackson.databind.node.ObjectNode;

/** The routes by which integrations bring messages. */
public final class IngestFace {
    private final Ingest ingest;
    private final RateLimits rates;
    private final Limits limits;

    public IngestFace(Ingest ingest, RateLimits rates, Limits limits) {
        this.ingest = ingest;
        this.rates = rates;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        routes.post("/api/v1/ingest/chat", limits.ingestBody(), this::submitChat);
    }

    private Answer submitChat(Call<Principal> call) {
        ingest.requireCaller(call.caller());
        rates.count(call.caller(), RateLimits.Kind.INGEST);
        Ingest.Accepted accepted = ingest.submit(call.caller(), IngestRequests.submission(call.json(ObjectNode.class)));
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
