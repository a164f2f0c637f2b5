package dev.parley.agents.model;

import dev.parley.agents.tools.ServerTool;
import dev.parley.agents.tools.ToolOutcome;
import java.util.Collection;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The tools of this server, as an agent needs them. */
public interface ServerTools {
    List<ServerTool> list(Collection<String> servers) throws InterruptedException;

    /** Never throws for what goes wrong with a tool: that is for the model to read. */
    ToolOutcome call(ServerTool tool, ObjectNode arguments) throws InterruptedException;
}
