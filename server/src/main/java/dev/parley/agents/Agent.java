package dev.parley.agents;

import dev.parley.protocol.agui.AguiEvent;

/** An answerer of turns. One instance serves all runs of its kind, so it holds no state of a run. */
public interface Agent {
    /**
     * Answers one turn by emitting AG-UI events, on a thread of its own. The run has already begun. A return without
     * RUN_FINISHED or RUN_ERROR is success; an exception fails the run.
     *
     * @throws InterruptedException the run was stopped; further events are dropped
     */
    void answer(Turn turn, Emitter emitter) throws InterruptedException;

    /** True if the agent stores the context of each model request itself. */
    default boolean asksModels() {
        return false;
    }

    /** Receiver of an agent's events. */
    interface Emitter {
        /** Hands an event over; blocks while too many events of the run are not durable yet. */
        void emit(AguiEvent event) throws InterruptedException;
    }
}
