package dev.parley.face.operator;

import dev.parley.auth.Audit;
import dev.parley.auth.CreationKey;
import dev.parley.auth.IntegrationKeys;
import dev.parley.auth.Principal;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.http.Unrated;
import dev.parley.limits.Limits;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.UuidV7;
import dev.parley.protocol.chat.AuditAct;
import dev.parley.protocol.chat.AuditPage;
import dev.parley.protocol.chat.IntegrationKeyPage;
import dev.parley.protocol.chat.IntegrationKeyView;
import dev.parley.protocol.chat.NewIntegrationKey;
import dev.parley.protocol.chat.Status;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The routes for operators only. Every act is recorded in the audit. */
public final class OperatorFace {
    private final IntegrationKeys keys;
    private final Audit audit;
    private final Limits.Requests limits;

    public OperatorFace(IntegrationKeys keys, Audit audit, Limits.Requests limits) {
        this.keys = keys;
        this.audit = audit;
        this.limits = limits;
    }

    public void addTo(Routes<Principal> routes) {
        String key = "/api/v1/operator/integration-keys";
        routes.post(key, limits.body(), Unrated.FREE, this::createKey)
                .get(key, Unrated.FREE, this::listKeys)
                .delete(key + "/{key_id}", Unrated.FREE, this::revokeKey)
                .get("/api/v1/operator/audit", Unrated.FREE, this::listAudit);
    }

    private Answer createKey(Call<Principal> call) {
        Principal operator = operator(call);
        NewIntegrationKey newKey = call.json(NewIntegrationKey.class);
        String source = Optional.ofNullable(newKey.source())
                .orElseThrow(() -> ProblemException.invalidField("source", "is required"));
        IntegrationKeys.CreatedKey created = keys.create(
                operator.actor(), source, CreationKey.of(call, "integration-keys", newKey, limits.opaqueId()));
        // A repeated creation gets a status of its own, because only the first response contains the secret, which is
        // not stored.
        return Answer.of(created.raw() == null ? 200 : 201, view(created.key(), created.raw()));
    }

    private Answer listKeys(Call<Principal> call) {
        operator(call);
        return Answer.ok(new IntegrationKeyPage(
                keys.list().stream().map(key -> view(key, null)).toList()));
    }

    private Answer revokeKey(Call<Principal> call) {
        Principal operator = operator(call);
        UUID key = UuidV7.parseCanonical(call.path("key_id"))
                .orElseThrow(() -> new ProblemException(Problem.TOKEN_NOT_FOUND, "There is no such key."));
        keys.revoke(operator.actor(), key);
        return Answer.ok(new Status("ok"));
    }

    private Answer listAudit(Call<Principal> call) {
        operator(call);
        int limit = call.pageSize(limits.page(), limits.page());
        List<Audit.Act> acts = audit.listBefore(call.wholeNumber("before").orElse(Long.MAX_VALUE), limit + 1);
        return Answer.ok(new AuditPage(
                acts.stream()
                        .limit(limit)
                        .map(act -> new AuditAct(act.id(), act.at(), act.actor(), act.action(), act.subject()))
                        .toList(),
                acts.size() > limit));
    }

    static Principal operator(Call<Principal> call) {
        if (!call.caller().isOperator()) {
            throw new ProblemException(Problem.FORBIDDEN, "Only an operator may do this.");
        }
        return call.caller();
    }

    private static IntegrationKeyView view(IntegrationKeys.Listed key, @Nullable String raw) {
        return new IntegrationKeyView(
                key.keyId().toString(), key.source(), raw, key.prefix(), key.owner(), key.createdAt());
    }
}
