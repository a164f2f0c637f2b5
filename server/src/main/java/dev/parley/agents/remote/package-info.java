/** Agents on remote AG-UI servers: the requests to them, and the mapping of the events that they stream. */
@NullMarked
package dev.parley.agents.remote;

import org.jspecify.annotations.NullMarked;
