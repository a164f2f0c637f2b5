package dev.parley.agents.tools;

import tools.jackson.databind.node.ObjectNode;

/**
 * A tool as a model sees it.
 *
 * @param name the model's name for the tool
 * @param tool the server's own name for the tool
 * @param description the server's text, in one line
 * @param schema the JSON Schema of its arguments
 * @param approval true if calls need a person's approval
 */
public record ServerTool(
        String name, String server, String tool, String description, ObjectNode schema, boolean approval) {}
