package dev.parley.agents.tools;

import tools.jackson.databind.node.ObjectNode;

/**
 * A tool as a model is told of it.
 *
 * @param name by which the model calls it
 * @param tool what its server calls it
 * @param description others' words, in one line
 * @param schema what arguments it takes, as JSON Schema
 * @param approval whether a call waits for somebody's word
 */
public record ServerTool(
        String name, String server, String tool, String description, ObjectNode schema, boolean approval) {}
