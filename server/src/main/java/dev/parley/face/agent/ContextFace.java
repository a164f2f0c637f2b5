package dev.parley.face.agent;

import dev.parley.auth.Principal;
import dev.parley.auth.Rate;
import dev.parley.contexts.StoredContext;
import dev.parley.http.Answer;
import dev.parley.http.Call;
import dev.parley.http.Routes;
import dev.parley.log.Refusal;
import dev.parley.protocol.Json;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.ContextItem;
import dev.parley.protocol.agent.ContextTokens;
import dev.parley.protocol.agent.ContextTool;
import dev.parley.protocol.agent.RunContext;
import dev.parley.protocol.agent.RunContextDiff;
import dev.parley.runs.RunContexts;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The route of the contexts that models received. */
public final class ContextFace {
    private final RunContexts contexts;

    public ContextFace(RunContexts contexts) {
        this.contexts = contexts;
    }

    public void addTo(Routes<Principal> routes) {
        routes.get("/api/v1/agent/threads/{threadId}/runs/{runId}/context", Rate.POLL, this::show);
    }

    private Answer show(Call<Principal> call) {
        ThreadId thread = ThreadId.parse(call.path("threadId"))
                .orElseThrow(() -> Refusal.noSuchThread().toException());
        RunContexts.RequestView shown = contexts.require(call.caller(), thread, call.path("runId"), request(call));
        Optional<String> compared = call.query("diff");
        return compared.isEmpty()
                ? Answer.ok(view(shown))
                : Answer.ok(difference(shown, contexts.require(call.caller(), thread, compared.get(), null)));
    }

    private static @Nullable Integer request(Call<Principal> call) {
        return call.wholeNumber("request")
                .map(number -> (int) Math.min(number, Integer.MAX_VALUE))
                .orElse(null);
    }

    private static RunContext view(RunContexts.RequestView shown) {
        Optional<StoredContext> context = shown.context();
        return new RunContext(
                shown.run().taskId(),
                shown.run().thread(),
                shown.run().runId(),
                shown.run().agent(),
                context.map(StoredContext::version).orElse(null),
                context.map(StoredContext::request).orElse(null),
                context.map(StoredContext::requests).orElse(0),
                context.map(StoredContext::provider).orElse(null),
                context.map(StoredContext::model).orElse(null),
                items(shown),
                tools(shown),
                tokens(shown),
                context.map(StoredContext::hash).orElse(null),
                context.map(StoredContext::sentBytes).orElse(null),
                context.map(StoredContext::createdAt).orElse(null),
                shown.failure().orElse(null));
    }

    private static ContextTokens tokens(RunContexts.RequestView shown) {
        int estimated = shown.context().map(StoredContext::estimatedTokens).orElse(0);
        return shown.usage()
                .map(each -> new ContextTokens(
                        estimated,
                        each.usage().inputTokens(),
                        each.usage().outputTokens(),
                        each.usage().cachedTokens(),
                        each.usage().reasoningTokens()))
                .orElseGet(() -> new ContextTokens(estimated, null, null, null, null));
    }

    private static List<ContextItem> items(RunContexts.RequestView shown) {
        return shown.context().map(StoredContext::messages).orElse(List.of()).stream()
                .map(message -> Json.MAPPER.treeToValue(message, ContextItem.class))
                .toList();
    }

    private static List<ContextTool> tools(RunContexts.RequestView shown) {
        return shown.context().map(StoredContext::tools).orElse(List.of()).stream()
                .map(tool -> Json.MAPPER.treeToValue(tool, ContextTool.class))
                .toList();
    }

    private static RunContextDiff difference(RunContexts.RequestView shown, RunContexts.RequestView compared) {
        List<ContextItem> now = items(shown);
        List<ContextItem> then = items(compared);
        int most = Math.min(now.size(), then.size());
        int same = 0;
        while (same < most && now.get(same).equals(then.get(same))) {
            same++;
        }
        int atEnd = 0;
        while (atEnd < most - same && now.get(now.size() - 1 - atEnd).equals(then.get(then.size() - 1 - atEnd))) {
            atEnd++;
        }
        return new RunContextDiff(
                shown.run().runId(),
                compared.run().runId(),
                same,
                then.subList(same, then.size() - atEnd),
                now.subList(same, now.size() - atEnd),
                atEnd,
                tools(shown).equals(tools(compared)));
    }
}
