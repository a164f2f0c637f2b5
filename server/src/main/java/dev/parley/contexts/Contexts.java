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

/** The front door of contexts: assembles the context that a run's agent is shown, stores it, and finds it again. */
public final class Contexts {
    private static final int FORGOTTEN_AT_ONCE = 200;
    /** A context that was erased on another node must not stay in this node's memory. */
    private static final Duration MEMORY_TIME = Duration.ofHours(1);

    private final ContextStore store;
    private final UsageStore usage;
    private final FailureStore failures;
    private final Assembly assembly;
    private final Clock clock;
    /**
     * The chain stored last for each agent and thread. With this chain the next turn stores only new blocks; without it
     * the store estimates which blocks are new.
     */
    private final Cache<AgentThread, ContextBlock.Chain> latest;

    private record AgentThread(ThreadId thread, Actor agent) {}

    /** @param memory the approximate number of bytes for the chains stored last */
    public Contexts(Database database, Assembly assembly, long memory, Clock clock) {
        this.store = new ContextStore(database);
        this.usage = new UsageStore(database);
        this.failures = new FailureStore(database);
        this.assembly = assembly;
        this.latest = Caffeine.newBuilder()
                .maximumWeight(memory)
                .expireAfterWrite(MEMORY_TIME)
                .weigher((AgentThread key, ContextBlock.Chain chain) -> chain.weight())
                .build();
        this.clock = clock;
    }

    /**
     * The run that a context is assembled for.
     *
     * @param spender the actor who pays for the run's requests
     */
    public record ForRun(ThreadId thread, UUID task, Actor agent, Actor spender) {}

    /**
     * The tools offered to an agent.
     *
     * @param inPrompt true if the agent's prompt describes the tools as well
     */
    public record ToldTools(List<Tool> tools, boolean inPrompt) {
        public ToldTools {
            tools = List.copyOf(tools);
        }
    }

    /** The context for an agent that asks no model through this server. It is stored as the run's context. */
    public List<ContextMessage> neutral(ForRun run, ContextInputs inputs, ToldTools offered, int tokens) {
        List<ContextMessage> messages = assembly.context(
                inputs,
                new Assembly.Prompt("", offered.inPrompt() ? offered.tools() : List.of()),
                ModelShape.neutral(tokens));
        keep(run, 0, null, offered.tools(), messages);
        return messages;
    }

    /**
     * The requests of an agent that asks models.
     *
     * @param material supplies the inputs of the context; not called before the first request
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
        AgentThread key = new AgentThread(run.thread(), run.agent());
        ContextBlock.Chain chain = ContextBlock.chain(
                messages, Objects.requireNonNullElse(latest.getIfPresent(key), ContextBlock.Chain.NONE));
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
        latest.put(key, chain);
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

    /** @param request the number of the run's request; null for the last */
    public Optional<StoredContext> find(ThreadId thread, UUID task, @Nullable Integer request) {
        return store.find(thread, task, request);
    }

    /** Deletes all contexts of a thread up to now; their usage stays. */
    public void forget(ThreadId thread) {
        store.forgetBefore(thread, null);
        latest.asMap().keySet().removeIf(key -> key.thread().equals(thread));
    }

    /**
     * Deletes contexts older than a time, in a limited number of threads. Returns the number of these threads, 0 if no
     * thread is left.
     */
    public int forgetBefore(Instant time) {
        List<ThreadId> threads = store.withContextsBefore(time, FORGOTTEN_AT_ONCE);
        threads.forEach(thread -> store.forgetBefore(thread, time));
        return threads.size();
    }

    /** The latest failure of a provider in each run; runs without a failure are left out. */
    public Map<UUID, UpstreamFailure> failuresOf(ThreadId thread, List<UUID> tasks) {
        return failures.of(thread, tasks);
    }

    /** The usage of the runs' requests, in order. */
    public Map<UUID, List<RequestUsage>> usageOf(ThreadId thread, List<UUID> tasks) {
        return usage.of(thread, tasks);
    }
}
