/**
 * The execution of runs on a node: slots, claims and leases, the call of the agent, and the way of its events into the
 * log.
 */
@NullMarked
package dev.parley.runs.execution;

import org.jspecify.annotations.NullMarked;
