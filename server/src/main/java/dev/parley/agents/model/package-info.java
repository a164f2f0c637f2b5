/** Agents that are models of providers: the requests to a model, the run that answers with it, and the cost. */
@NullMarked
package dev.parley.agents.model;

import org.jspecify.annotations.NullMarked;
