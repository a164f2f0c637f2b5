package dev.parley.agents.demo;

import dev.parley.agents.Turn;

/** What the agent does about one kind of text. */
@FunctionalInterface
interface DemoAction {
    /** @param said what stands behind the command, without the space around it */
    void answer(Turn turn, String said, DemoVoice voice) throws InterruptedException;
}
