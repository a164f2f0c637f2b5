package dev.parley.contexts;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.parley.agents.ModelRequests;
import dev.parley.assembly.Assembly;
import dev.parley.assembly.ContextInputs;
import dev.parley.assembly.ContextMessage;
import dev.parley.assembly.ModelShape;
import dev.parley.assembly.TokenEstimate;
import dev.parley.basics.Sha256;
import dev.parley.protocol.Actor;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agent.UpstreamFailure;
import dev.parley.protocol.agui.Tool;
import dev.parley.storage.Database;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The front door of contexts: assembles what a run's agent is shown, keeps it, and finds it again. */
public final class Contexts {
    private static final int FORGOTTEN_AT_ONCE = 200;
    /** What was erased on another node must not stay in the memory of this one. */
    private static final Duration REMEMBERED = Duration.ofHours(1);

    private final ContextStore store;
    private final UsageStore usage;
    private final FailureStore failures;
    private final Assembly assembly;
    private final Clock clock;
    /** What was stored last, so that the next turn stores what is new; without it everything is offered again. */
    private final Cache<AgentThread, ContextBlock.Chain> latest;

    private record AgentThread(ThreadId thread, Actor agent) {}

    /** @param memory bytes, roughly, that may be remembered of what was stored */
    public Contexts(Database database, Assembly assembly, long memory, Clock clock) {
        this.store = new ContextStore(database);
        this.usage = new UsageStore(database);
        this.failures = new FailureStore(database);
        this.assembly = assembly;
        this.latest = Caffeine.newBuilder()
                .maximumWeight(memory)
                .expireAfterWrite(REMEMBERED)
                .weigher((AgentThread place, ContextBlock.Chain chain) -> chain.weight())
                .build();
        this.clock = clock;
    }

    /**
     * The run that something is assembled for.
     *
     * @param spender who asked for it
     */
    public record ForRun(ThreadId thread, UUID task, Actor agent, Actor spender) {}

    /**
     * The tools that an agent is told of.
     *
     * @param inPrompt whether they also stand in the block of its prompt
     */
    public record ToldTools(List<Tool> tools, boolean inPrompt) {
        public ToldTools {
            tools = List.copyOf(tools);
        }
    }

    /** What an agent that is no model of ours is shown; kept as the run's context. */
    public List<ContextMessage> neutral(ForRun run, ContextInputs inputs, ToldTools told, int tokens) {
        List<ContextMessage> messages = assembly.context(
                inputs,
                new Assembly.Prompt("", told.inPrompt() ? told.tools() : List.of()),
                ModelShape.neutral(tokens));
        keep(run, 0, null, told.tools(), messages);
        return messages;
    }

    /**
     * What an agent that asks models needs.
     *
     * @param material read when the first request is made
     * @param pictures opens images of the thread
     */
    public ModelRequests requests(
            ForRun run,
            Supplier<ContextInputs> material,
            Function<ContextMessage.Part.Picture, Optional<InputStream>> pictures) {
        return new ModelRequests() {
            private int made;

            @Override
            public Request next(Asking asking, List<ContextMessage> soFar) {
                List<ContextMessage> messages = assembly.context(
                        material.get().saying(soFar),
                        new Assembly.Prompt(asking.instructions(), asking.promptedTools()),
                        asking.shape());
                int number = made++;
                keep(run, number, asking, asking.nativeTools(), messages);
                return new RecordedRequest(run, number, asking, messages);
            }

            @Override
            public Optional<InputStream> open(ContextMessage.Part.Picture picture) {
                return pictures.apply(picture);
            }

            @Override
            public BigDecimal spentByUser(Instant since, String currency) {
                return usage.spent(run.spender(), since, currency);
            }
        };
    }

    private void keep(
            ForRun run,
            int number,
            ModelRequests.@Nullable Asking asking,
            List<Tool> tools,
            List<ContextMessage> messages) {
        AgentThread place = new AgentThread(run.thread(), run.agent());
        ContextBlock.Chain chain = ContextBlock.chain(
                messages, Objects.requireNonNullElse(latest.getIfPresent(place), ContextBlock.Chain.NONE));
        store.keep(
                new ContextStore.NewContext(
                        run.thread(),
                        run.task(),
                        number,
                        run.agent(),
                        Assembly.VERSION,
                        asking == null ? null : asking.provider(),
                        asking == null ? null : asking.model(),
                        chain,
                        tools.isEmpty() ? null : ContextBlock.ofTools(tools),
                        messages.stream().mapToInt(TokenEstimate::in).sum()),
                clock.instant());
        latest.put(place, chain);
    }

    private final class RecordedRequest implements ModelRequests.Request {
        private final ForRun run;
        private final int number;
        private final ModelRequests.Asking asking;
        private final List<ContextMessage> messages;

        RecordedRequest(ForRun run, int number, ModelRequests.Asking asking, List<ContextMessage> messages) {
            this.run = run;
            this.number = number;
            this.asking = asking;
            this.messages = messages;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public List<ContextMessage> messages() {
            return messages;
        }

        @Override
        public void sent(byte[] body) {
            store.sent(run.thread(), run.task(), number, Sha256.of(body), body.length);
        }

        @Override
        public void failed(UpstreamFailure failure) {
            failures.keep(run.thread(), run.task(), number, failure);
        }

        @Override
        public void used(ModelRequests.Usage used, @Nullable String messageId) {
            usage.keep(
                    new UsageRows.Row(
                            run.thread(),
                            run.task(),
                            number,
                            run.agent(),
                            run.spender(),
                            asking.provider(),
                            asking.model(),
                            used,
                            messageId,
                            null,
                            false),
                    clock.instant());
        }
    }

    /** @param request which of the run's requests; null for the last */
    public Optional<KeptContext> find(ThreadId thread, UUID task, @Nullable Integer request) {
        return store.find(thread, task, request);
    }

    /** Lets go of all contexts of a thread that were made until now; what they cost stays. */
    public void forget(ThreadId thread) {
        store.forgetBefore(thread, null);
        latest.asMap().keySet().removeIf(place -> place.thread().equals(thread));
    }

    /** Lets go of contexts that were made before a time; returns in how many threads, 0 if there are none left. */
    public int forgetBefore(Instant time) {
        List<ThreadId> threads = store.withContextsBefore(time, FORGOTTEN_AT_ONCE);
        threads.forEach(thread -> store.forgetBefore(thread, time));
        return threads.size();
    }

    /** How the provider failed at the last request of each of some runs; runs without such a failure are left out. */
    public Map<UUID, UpstreamFailure> failuresOf(ThreadId thread, List<UUID> tasks) {
        return failures.of(thread, tasks);
    }

    /** What the requests of some runs cost, in order. */
    public Map<UUID, List<RequestUsage>> usageOf(ThreadId thread, List<UUID> tasks) {
        return usage.of(thread, tasks);
    }
}
