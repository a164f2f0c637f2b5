package dev.parley.app.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Sets the level of the server's log. */
public final class Logging {
    private Logging() {}

    public static void setLevel(org.slf4j.event.Level level) {
        if (LoggerFactory.getLogger("dev.parley") instanceof Logger logger) {
            logger.setLevel(Level.convertAnSLF4JLevel(level));
        }
    }
}
