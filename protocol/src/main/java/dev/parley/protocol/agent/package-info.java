/** The wire of the agent face: runs and what is known of them, and the history of threads by day. Names are camelCase; what may be missing is written as null. */
@NullMarked
package dev.parley.protocol.agent;

import org.jspecify.annotations.NullMarked;
