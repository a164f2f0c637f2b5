package dev.parley.runs.execution;

import dev.parley.log.Change;
import dev.parley.log.Command;
import dev.parley.log.RunFence;
import dev.parley.protocol.Actor;
import dev.parley.protocol.Problem;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.RunEvent;
import dev.parley.runs.guard.SharedState;
import dev.parley.runs.lifecycle.MultitaskStrategy;
import dev.parley.runs.lifecycle.Run;
import dev.parley.runs.lifecycle.RunIdentity;
import dev.parley.runs.lifecycle.RunState;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a simulated history, and the tasks on them. Tasks are cut into steps, a read or a command each, and the
 * steps of all tasks take place in a random order. Nodes crash, and their connections to the log break.
 */
final class SimulatedNodes {
    private final Random random;
    private final SimulatedRuns runs;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Task> tasks = new ArrayList<>();
    private boolean calm;
    private long ids;

    SimulatedNodes(Random random, SimulatedRuns runs) {
        this.random = random;
        this.runs = runs;
        nodes.add(new Node(uuid()));
        nodes.add(new Node(uuid()));
    }

    /** A node, whose lease its peers may take for expired. */
    static final class Node {
        final UUID id;
        final Set<UUID> held = new HashSet<>();
        boolean seemsAlive = true;

        Node(UUID id) {
            this.id = id;
        }
    }

    /** One read or one command; the result is the next step, or null at the end. */
    interface Step {
        @Nullable
        Step take();
    }

    /** Work that goes on step by step on a node; a run that it holds is released at its end. */
    private static final class Task {
        private final Node node;
        private final @Nullable UUID held;
        private @Nullable Step next;

        Task(Node node, @Nullable UUID held, Step first) {
            this.node = node;
            this.held = held;
            this.next = first;
        }
    }

    /** From now on no connection breaks, and every node is known to be alive. */
    void calmDown() {
        calm = true;
        nodes.forEach(node -> node.seemsAlive = true);
    }

    boolean isCalm() {
        return calm;
    }

    boolean isIdle() {
        return tasks.isEmpty();
    }

    Node any() {
        return pick(nodes);
    }

    /** True if a peer that sweeps takes the holder of a run for alive. */
    boolean seemsAlive(@Nullable UUID node) {
        return nodes.stream().anyMatch(each -> each.id.equals(node) && each.seemsAlive);
    }

    void begin(Node node, @Nullable UUID held, Step first) {
        tasks.add(new Task(node, held, first));
    }

    /** Takes one step of a random task. */
    void step() {
        if (tasks.isEmpty()) {
            return;
        }
        Task task = pick(tasks);
        Step step = task.next;
        task.next = step == null ? null : attempt(step);
        if (task.next == null) {
            tasks.remove(task);
            if (task.held != null) {
                task.node.held.remove(task.held);
            }
        }
    }

    private @Nullable Step attempt(Step step) {
        try {
            return step.take();
        } catch (AppendTimeout timeout) {
            return null;
        }
    }

    /** The log did not answer in time: the task ends without knowing the outcome of its command. */
    private static final class AppendTimeout extends RuntimeException {
        AppendTimeout() {
            super(null, null, false, false);
        }
    }

    /** Replaces a random node by one with a new id: its tasks are lost, its commits stay. */
    void crash() {
        int number = random.nextInt(nodes.size());
        Node dead = nodes.set(number, new Node(uuid()));
        tasks.removeIf(task -> task.node == dead);
    }

    /** Sends a fenced command of a run. */
    Optional<Problem> carry(Run run, RunState.Unfinished held, List<Change> changes) {
        return send(new Command(
                uuid(), SimulatedRuns.THREAD, run.agent(), new RunFence(run.taskId(), held.epoch()), changes));
    }

    /** Sends the command that opens a run. */
    Optional<Problem> start(List<Change> changes) {
        return send(new Command(uuid(), SimulatedRuns.THREAD, SimulatedRuns.CALLER, changes));
    }

    /** Sends a command through the log, whose connection may break before or after the commit. */
    private Optional<Problem> send(Command command) {
        int fate = calm ? 9 : random.nextInt(10);
        if (fate == 0) {
            throw new AppendTimeout();
        }
        Optional<Problem> first = runs.commit(command);
        if (fate == 1) {
            throw new AppendTimeout();
        }
        // The answer to the commit is lost: the lane looks for the command's entries, and repeats it if there are none.
        return fate == 2 && !runs.holds(command) ? runs.commit(command) : first;
    }

    RunLedger restore(Run run, List<AguiEvent> logged) {
        return RunLedger.restore(
                run,
                logged,
                new SharedState(Optional::empty),
                runs.supersession(run.taskId()),
                text -> List.of(),
                Integer.MAX_VALUE);
    }

    static RunIdentity run(UUID task, String name, Actor agent) {
        return RunIdentity.of(task, SimulatedRuns.THREAD, name, agent, SimulatedRuns.CALLER)
                .askedFor(MultitaskStrategy.ENQUEUE);
    }

    static RunEvent.Started started(RunIdentity run) {
        return new RunEvent.Started(SimulatedRuns.THREAD.toString(), run.runId());
    }

    long nextId() {
        return ids++;
    }

    UUID uuid() {
        return new UUID(random.nextLong(), ids++);
    }

    boolean flip() {
        return random.nextBoolean();
    }

    <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
