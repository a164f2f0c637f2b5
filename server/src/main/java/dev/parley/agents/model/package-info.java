/** Agents that are models of others: how a model is asked, what it says becomes of a run, and what that costs. */
@NullMarked
package dev.parley.agents.model;

import org.jspecify.annotations.NullMarked;
