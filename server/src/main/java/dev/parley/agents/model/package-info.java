/** Agents that are models of providers: the requests to a model, the run of its answer, and the cost. */
@NullMarked
package dev.parley.agents.model;

import org.jspecify.annotations.NullMarked;
