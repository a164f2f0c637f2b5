package dev.parley.agents.model;

import dev.parley.agents.Agent;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.StepEvent;

/**
 * A stage of a run. The stage starts only with its first event, so the run has no visible events until the provider
 * answers. Until then the run can start over after a crash.
 */
final class ModelStage implements Agent.Emitter {
    private final Agent.Emitter emitter;
    private final String name;
    private boolean started;

    ModelStage(Agent.Emitter emitter, String name) {
        this.emitter = emitter;
        this.name = name;
    }

    @Override
    public void emit(AguiEvent event) throws InterruptedException {
        if (!started) {
            started = true;
            emitter.emit(new StepEvent.Started(name, null, Common.NONE));
        }
        emitter.emit(event);
    }

    void end() throws InterruptedException {
        if (started) {
            emitter.emit(new StepEvent.Finished(name, null, Common.NONE));
        }
    }
}
