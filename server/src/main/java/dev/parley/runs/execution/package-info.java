/**
 * The execution of runs on a node: slots, claims and leases, the call of the agent, and the writing of its events to
 * the log.
 */
@NullMarked
package dev.parley.runs.execution;

import org.jspecify.annotations.NullMarked;
