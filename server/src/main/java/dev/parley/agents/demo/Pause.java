package dev.parley.agents.demo;

import java.time.Duration;

/** The agent's wait between words; tests replace it to run without waiting. */
@FunctionalInterface
interface Pause {
    void pause(Duration time) throws InterruptedException;
}
