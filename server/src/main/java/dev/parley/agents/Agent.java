package dev.parley.agents;

import dev.parley.protocol.agui.AguiEvent;

/** Something that answers. One instance serves all runs of its kind, so it keeps nothing about any of them. */
public interface Agent {
    /**
     * Answers one turn by emitting AG-UI events, on a thread of its own. The run has begun already; when this returns
     * without having emitted RUN_FINISHED or RUN_ERROR, it has finished well. What it throws fails the run.
     *
     * @throws InterruptedException the run was stopped: whatever else is emitted is dropped
     */
    void answer(Turn turn, Emitter emitter) throws InterruptedException;

    /** Whether it keeps what its models are shown itself, request by request. */
    default boolean asksModels() {
        return false;
    }

    /** Where an agent's events go. */
    interface Emitter {
        /** Hands an event over; waits while too much of the run is not durable yet. */
        void emit(AguiEvent event) throws InterruptedException;
    }
}
