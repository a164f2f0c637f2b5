package dev.parley.agents.model;

import dev.parley.agents.Agent;
import dev.parley.protocol.agui.AguiEvent;
import dev.parley.protocol.agui.Common;
import dev.parley.protocol.agui.StepEvent;

/**
 * A stage of a run that is told of when something happens in it: until its provider says something, nothing of a run is
 * to be seen, and after a crash it can begin again.
 */
final class ModelStage implements Agent.Emitter {
    private final Agent.Emitter emitter;
    private final String name;
    private boolean told;

    ModelStage(Agent.Emitter emitter, String name) {
        this.emitter = emitter;
        this.name = name;
    }

    @Override
    public void emit(AguiEvent event) throws InterruptedException {
        if (!told) {
            told = true;
            emitter.emit(new StepEvent.Started(name, null, Common.NONE));
        }
        emitter.emit(event);
    }

    void end() throws InterruptedException {
        if (told) {
            emitter.emit(new StepEvent.Finished(name, null, Common.NONE));
        }
    }
}
