package dev.parley.agents.demo;

import java.time.Duration;

/** How the agent waits between words; tests need not. */
@FunctionalInterface
public interface Pause {
    void pause(Duration time) throws InterruptedException;
}
