/** The execution of runs on a node: slots, claims and leases, the call of the agent, and what of it enters the log. */
@NullMarked
package dev.parley.runs.execution;

import org.jspecify.annotations.NullMarked;
