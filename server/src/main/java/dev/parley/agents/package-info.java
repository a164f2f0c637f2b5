/** Registered agents: who they belong to, and who may use them. */
@NullMarked
package dev.parley.agents;

import org.jspecify.annotations.NullMarked;
