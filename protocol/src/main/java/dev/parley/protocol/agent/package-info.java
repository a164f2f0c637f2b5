/**
 * The wire of the agent face: runs with their contexts and usage, and the history of threads by day. Names are
 * camelCase; an absent value is written as null.
 */
@NullMarked
package dev.parley.protocol.agent;

import org.jspecify.annotations.NullMarked;
