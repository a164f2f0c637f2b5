package dev.parley.runs.lifecycle;

import dev.parley.auth.Capability;
import dev.parley.log.Command;
import dev.parley.log.Effect;
import dev.parley.log.FactSource;
import dev.parley.log.Head;
import dev.parley.log.Refusal;
import dev.parley.log.Rule;
import dev.parley.log.RunFence;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ThreadId;
import dev.parley.threads.MembershipCheck;
import dev.parley.threads.ThreadFacts;
import dev.parley.threads.ThreadFactsCache;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The rule for runs in the lane. A command of a run is valid as long as the run has the epoch that the command names.
 * Per thread and agent, only one of the runs that nodes execute is active. The number of queued runs per thread is
 * limited.
 */
public final class RunRule implements Rule<RunRule.Facts> {
    private final ThreadFactsCache threads;
    private final RunMemory memory;
    private final int maxQueued;

    public RunRule(ThreadFactsCache threads, RunMemory memory, int maxQueued) {
        this.threads = threads;
        this.memory = memory;
        this.maxQueued = maxQueued;
    }

    /**
     * The facts about runs and about the members of their threads.
     *
     * @param positions the last positions of the threads when the facts were read
     */
    public record Facts(RunFacts runs, Map<ThreadId, ThreadFacts> threads, Map<ThreadId, Long> positions) {}

    @Override
    public Facts read(FactSource source, Collection<Head> heads, List<Command> commands) throws SQLException {
        Map<ThreadId, Head> byThread = heads.stream().collect(Collectors.toMap(Head::thread, head -> head));
        return new Facts(
                RunFacts.of(source, byThread, commands, memory),
                threads.read(source, heads),
                heads.stream().collect(Collectors.toMap(Head::thread, Head::lastPosition)));
    }

    @Override
    public void remember(Map<ThreadId, Head> before, Map<ThreadId, Head> after, List<Effect> effects) {
        memory.remember(before, after, effects);
    }

    @Override
    public Judge over(Facts facts) {
        return new RunJudge(facts, maxQueued);
    }

    private record RunJudge(Facts facts, int maxQueued) implements Judge {
        @Override
        public boolean honours(RunFence fence, ThreadId thread) {
            Run run = facts.runs().byTask().get(fence.run());
            return run != null
                    && run.thread().equals(thread)
                    && run.state() instanceof RunState.Unfinished state
                    && state.epoch() == fence.epoch();
        }

        @Override
        public Optional<Refusal> judge(Command command, Head head) {
            for (RunEffect effect : RunFacts.changes(command)) {
                Optional<Refusal> refusal = switch (effect) {
                    case RunEffect.Opened opened -> opening(command.actor(), opened, head);
                    case RunEffect.Moved moved -> moving(command, moved);
                    case RunEffect.RequireNotSuperseded ending -> standing(ending);
                    case RunEffect.RequireSuperseded ending -> superseded(ending);
                    case RunEffect.Lifted lifted -> lifting(lifted);
                    case RunEffect.Fed fed -> feeding(fed);
                    case RunEffect.QuestionsAnswered answered -> answering(answered);
                    case RunEffect.Joined _,
                            RunEffect.ChildOpened _,
                            RunEffect.ChildEnded _,
                            RunEffect.StateReplaced _,
                            RunEffect.QuestionsAsked _,
                            RunEffect.Overtaken _,
                            RunEffect.QuestionsReopened _,
                            RunEffect.CallsLeft _,
                            RunEffect.CallsAnswered _ -> Optional.empty();
                };
                if (refusal.isPresent()) {
                    return refusal;
                }
            }
            return Optional.empty();
        }

        private Optional<Refusal> standing(RunEffect.RequireNotSuperseded ending) {
            return facts.runs().superseded().contains(ending.task())
                    ? Optional.of(Refusal.outdated("A later run supersedes the answer."))
                    : Optional.empty();
        }

        private Optional<Refusal> superseded(RunEffect.RequireSuperseded ending) {
            return facts.runs().superseded().contains(ending.task())
                    ? Optional.empty()
                    : Optional.of(Refusal.outdated("No run supersedes the answer any more."));
        }

        private Optional<Refusal> lifting(RunEffect.Lifted lifted) {
            return facts.runs()
                            .liftable()
                            .getOrDefault(lifted.task(), List.of())
                            .equals(lifted.targets())
                    ? Optional.empty()
                    : Optional.of(Refusal.outdated("The run supersedes other answers than it did."));
        }

        private Optional<Refusal> opening(Actor caller, RunEffect.Opened opened, Head head) {
            RunIdentity run = opened.run();
            if (run.origin() == Run.Origin.MESSAGE) {
                // A message starts this run; the caller does not request it. Neither the caller's rights nor the
                // limit of queued runs apply.
                return Optional.empty();
            }
            if (!mayRun(run.thread(), caller)) {
                return Optional.of(MembershipCheck.lacking(Capability.CAN_RUN));
            }
            if (facts.runs().taken().contains(new RunFacts.Name(run.thread(), run.runId()))) {
                return Optional.of(Refusal.of(Problem.KEY_REUSED, "The thread already has a run with this runId."));
            }
            List<Run> others = unfinished(run.thread());
            Optional<Refusal> foreign = displacing(caller, run, others);
            if (foreign.isPresent()) {
                return foreign;
            }
            if (run.strategy() == MultitaskStrategy.REJECT
                    && others.stream().anyMatch(other -> isInTheWayOf(other, run.agent()))) {
                return Optional.of(active());
            }
            if (opened.state() instanceof RunState.Running && run.driver() == Run.Driver.NODE) {
                // A message of the same batch may have started a run, which then precedes this one.
                return head.lastPosition() == facts.positions().getOrDefault(head.thread(), -1L)
                        ? toRunning(run.thread(), run.agent(), others)
                        : Optional.of(active());
            }
            if (others.stream()
                            .filter(other -> other.state() instanceof RunState.Queued)
                            .count()
                    >= maxQueued) {
                return Optional.of(Refusal.of(
                        Problem.QUEUE_FULL, maxQueued + " runs already wait in this thread; try again later."));
            }
            return Optional.empty();
        }

        /**
         * Refuses a claim while an earlier run of the agent is in its way, or if the agent may no longer run in the
         * thread.
         */
        private Optional<Refusal> moving(Command command, RunEffect.Moved moved) {
            RunFence fence = command.fence();
            Run run = fence == null ? null : facts.runs().byTask().get(fence.run());
            if (run == null) {
                return Optional.of(
                        Refusal.of(Problem.RUN_TAKEN_OVER, "A run changes its state only in the name of its holder."));
            }
            if (!(moved.to() instanceof RunState.Running) || !(run.state() instanceof RunState.Queued)) {
                return Optional.empty();
            }
            List<Run> running = unfinished(run.thread()).stream()
                    .filter(other -> other.state() instanceof RunState.Running)
                    .toList();
            return toRunning(run.thread(), run.agent(), run.driver() == Run.Driver.NODE ? running : List.of());
        }

        /**
         * @param before the runs that precede this run. For a queued run these are only running runs, since a claim
         *     always takes the first queued run. For a new run they include queued runs.
         */
        private Optional<Refusal> toRunning(ThreadId thread, Actor agent, List<Run> before) {
            if (before.stream().anyMatch(run -> isInTheWayOf(run, agent))) {
                return Optional.of(active());
            }
            return mayRun(thread, agent)
                    ? Optional.empty()
                    : Optional.of(Refusal.of(Problem.FORBIDDEN, "The agent may not run in this thread any more."));
        }

        /** Two nodes may have accepted the same post. Refuses the second copy. */
        private Optional<Refusal> feeding(RunEffect.Fed fed) {
            Run run = facts.runs().byTask().get(fed.task());
            return run != null && run.nextEvent() == fed.from()
                    ? Optional.empty()
                    : Optional.of(
                            Refusal.of(Problem.EVENT_GAP, "Another post of this run was stored first; send it again."));
        }

        /** Two callers may decide about the same question at once: the first decision holds. */
        private Optional<Refusal> answering(RunEffect.QuestionsAnswered answered) {
            for (int i = 0; i < answered.interrupts().size(); i++) {
                RunFacts.Name question = new RunFacts.Name(
                        answered.thread(), answered.interrupts().get(i));
                if (!facts.runs().openInterrupts().contains(question)) {
                    return Optional.of(
                            Refusal.ofField("resume[" + i + "].interruptId", "names no open interrupt of this thread"));
                }
            }
            return Optional.empty();
        }

        /** Refuses a run that would displace other runs, if its caller may not end one of these runs. */
        private Optional<Refusal> displacing(Actor caller, RunIdentity opened, List<Run> others) {
            boolean manages = allows(opened.thread(), caller, Capability.CAN_MANAGE_PARTICIPANTS);
            return others.stream()
                    .filter(run -> run.isDisplacedBy(opened.agent(), opened.strategy()))
                    .filter(run -> {
                        RunOwners owners = facts.runs().owners().get(RunOwners.Name.of(run));
                        return owners != null && !owners.allow(opened.strategy(), caller, manages);
                    })
                    .findFirst()
                    .map(run -> RunOwners.notToDisplace(opened.strategy(), run.runId()));
        }

        private static Refusal active() {
            return Refusal.of(Problem.RUN_ACTIVE, "Another run of this agent is active in this thread.");
        }

        private boolean mayRun(ThreadId thread, Actor agent) {
            ThreadFacts known = facts.threads().get(thread);
            ThreadFacts.Member member = known == null ? null : known.members().get(agent);
            return member != null && member.active() && Capability.CAN_RUN.in(member.capabilities());
        }

        private boolean allows(ThreadId thread, Actor actor, Capability needed) {
            ThreadFacts known = facts.threads().get(thread);
            return known != null && known.allows(actor, needed);
        }

        private List<Run> unfinished(ThreadId thread) {
            return facts.runs().unfinished().getOrDefault(thread, List.of());
        }

        private static boolean isInTheWayOf(Run run, Actor agent) {
            return run.agent().equals(agent) && run.driver() == Run.Driver.NODE && run.isRoot();
        }
    }
}
