/** The wire of the agent face: runs and what is known of them. Names are camelCase; what may be missing is written as null. */
@NullMarked
package dev.parley.protocol.agent;

import org.jspecify.annotations.NullMarked;
