package dev.parley.agents;

import dev.parley.protocol.agui.AguiEvent;

/** Answers turns. One instance serves all runs of its kind, so an agent holds no state of a run. */
public interface Agent {
    /**
     * Answers one turn by emitting AG-UI events. Each call has its own Java thread, and the run has already begun. If
     * the agent returns without RUN_FINISHED or RUN_ERROR, the run succeeds. An exception fails the run.
     *
     * @throws InterruptedException the run was stopped; further events are dropped
     */
    void answer(Turn turn, Emitter emitter) throws InterruptedException;

    /**
     * True if the agent sends requests to models. Such an agent stores the context of each request. For other agents,
     * the server stores the context once, before the agent answers.
     */
    default boolean asksModels() {
        return false;
    }

    /** Receiver of an agent's events. */
    interface Emitter {
        /** Hands an event over; blocks while too many events of the run are not durable yet. */
        void emit(AguiEvent event) throws InterruptedException;
    }
}
