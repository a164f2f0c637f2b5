package dev.parley.agents.demo;

import dev.parley.agents.Turn;

/** The agent's answer to one kind of text. */
@FunctionalInterface
interface DemoAction {
    /** @param argument the text after the command, without the space around it */
    void answer(Turn turn, String argument, DemoVoice voice) throws InterruptedException;
}
