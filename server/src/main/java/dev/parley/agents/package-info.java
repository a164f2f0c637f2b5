/** Registered agents: who they belong to, who may use them, and how those that we run are called. */
@NullMarked
package dev.parley.agents;

import org.jspecify.annotations.NullMarked;
