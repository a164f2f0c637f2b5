/**
 * Tools that agents may call on the server, from MCP servers: the configuration, start and calls of those servers, the
 * texts that reach a model, and the approval of calls by people.
 */
@NullMarked
package dev.parley.agents.tools;

import org.jspecify.annotations.NullMarked;
