package dev.parley.face.operator;

import dev.parley.auth.CreationKey;
import dev.parley.auth.Principal;
import dev.parley.basics.Text;
import dev.parley.erasure.Erasure;
import dev.parley.erasure.Erasures;
import dev.parley.erasure.Retention;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.ErasurePage;
import dev.parley.protocol.chat.ErasureView;
import dev.parley.protocol.chat.NewErasure;
import dev.parley.protocol.chat.RetentionView;
import dev.parley.protocol.chat.RetentionWish;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The routes of erasure and retention, for operators. */
public final class ErasureFace {
    private static final int MAX_DAYS = 36_500;

    private final Erasures erasures;
    private final Limits.Requests limits;
    private final int maxReason;

    public ErasureFace(Erasures erasures, Limits.Requests limits, int maxReason) {
        this.erasures = erasures;
        this.limits = limits;
        this.maxReason = maxReason;
    }

    public void addTo(Routes<Principal> routes) {
        String path = "/api/v1/operator/erasures";
        String retention = "/api/v1/operator/threads/{thread_id}/retention";
        routes.post(path, limits.body(), Unrated.FREE, this::request)
                .get(path, Unrated.FREE, this::list)
                .get(path + "/{erasure_id}", Unrated.FREE, this::show)
                .get(retention, Unrated.FREE, this::showRetention)
                .put(retention, limits.body(), Unrated.FREE, this::setRetention);
    }

    private Answer request(Call<Principal> call) {
        Principal operator = OperatorFace.operator(call);
        NewErasure newErasure = call.json(NewErasure.class);
        Erasure noted = erasures.request(
                operator, wish(newErasure), CreationKey.of(call, "erasures", newErasure, limits.opaqueId()));
        return Answer.of(202, view(noted));
    }

    private Erasures.ErasureRequest wish(NewErasure newErasure) {
        if ((newErasure.threadId() == null) == (newErasure.actor() == null)) {
            throw ProblemException.invalidField("thread_id", "or actor must be given, but not both");
        }
        String reason = newErasure.reason();
        if (reason != null) {
            Text.requireStorable("reason", reason);
            Text.requireAtMost("reason", reason, maxReason);
        }
        return new Erasures.ErasureRequest(
                newErasure.threadId() == null ? null : thread(newErasure.threadId()),
                newErasure.actor() == null ? null : actor(newErasure.actor()),
                newErasure.before() == null ? null : time(newErasure.before()),
                reason);
    }

    private static Actor actor(String text) {
        return Actor.parse(text)
                .filter(actor -> actor.kind() != Actor.Kind.SYSTEM && Text.isStorable(text))
                .orElseThrow(() -> ProblemException.invalidField(
                        "actor", "must be a person or an agent, such as user:{uuid}, agent:{uuid} or slack:{id}"));
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException wrong) {
            throw ProblemException.invalidField("before", "must be a time such as 2026-01-31T12:00:00Z");
        }
    }

    private static ThreadId thread(String text) {
        return UuidV7.parseCanonical(text)
                .map(ThreadId::new)
                .orElseThrow(() -> new ProblemException(Problem.THREAD_NOT_FOUND, "There is no such thread."));
    }

    private static UUID erasure(String text) {
        return UuidV7.parseCanonical(text)
                .orElseThrow(() -> new ProblemException(Problem.ERASURE_NOT_FOUND, "There is no such erasure."));
    }

    private Answer list(Call<Principal> call) {
        OperatorFace.operator(call);
        int limit = call.pageSize(limits.page(), limits.page());
        Optional<UUID> before = call.query("before").map(ErasureFace::erasure);
        List<Erasure> found = erasures.listBefore(before.orElse(null), limit + 1);
        return Answer.ok(new ErasurePage(
                found.stream().limit(limit).map(ErasureFace::view).toList(), found.size() > limit));
    }

    private Answer show(Call<Principal> call) {
        OperatorFace.operator(call);
        return Answer.ok(view(erasures.find(erasure(call.path("erasure_id")))));
    }

    private Answer showRetention(Call<Principal> call) {
        OperatorFace.operator(call);
        return Answer.ok(view(erasures.findRetention(thread(call.path("thread_id")))));
    }

    private Answer setRetention(Call<Principal> call) {
        Principal operator = OperatorFace.operator(call);
        @Nullable Integer days = call.json(RetentionWish.class).retentionDays();
        if (!call.json(JsonNode.class).has("retention_days")) {
            // Without this check, a misspelt field name would count as null, and the server's own setting may erase
            // entries.
            throw ProblemException.invalidField(
                    "retention_days", "is required: days, or null for the server's own setting");
        }
        if (days != null && (days < 1 || days > MAX_DAYS)) {
            throw ProblemException.invalidField("retention_days", "must be from 1 to " + MAX_DAYS + ", or null");
        }
        return Answer.ok(view(erasures.setRetention(operator, thread(call.path("thread_id")), days)));
    }

    private static ErasureView view(Erasure erasure) {
        return new ErasureView(
                erasure.id().toString(),
                erasure.thread(),
                erasure.actor(),
                erasure.before(),
                erasure.reason(),
                erasure.finishedAt() == null ? "running" : "finished",
                erasure.threads(),
                erasure.threadsDone(),
                erasure.entries(),
                erasure.requestedBy(),
                erasure.requestedAt(),
                erasure.finishedAt());
    }

    private static RetentionView view(Retention.ThreadRetention rule) {
        return new RetentionView(rule.thread(), rule.ownDays(), rule.days());
    }
}
