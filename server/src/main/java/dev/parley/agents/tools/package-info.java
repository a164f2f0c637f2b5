/**
 * Tools that agents may call on the server, from servers of MCP: how those are configured, started and called, what of
 * their words reaches a model, and how people approve a call.
 */
@NullMarked
package dev.parley.agents.tools;

import org.jspecify.annotations.NullMarked;
