/** Registered agents: their owners, the rights to use them, and the interface of agents that the server runs. */
@NullMarked
package dev.parley.agents;

import org.jspecify.annotations.NullMarked;
