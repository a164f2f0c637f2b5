/** Agents that are servers of AG-UI somewhere else: how they are asked, and how what they stream is taken. */
@NullMarked
package dev.parley.agents.remote;

import org.jspecify.annotations.NullMarked;
