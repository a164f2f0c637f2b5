package dev.parley.protocol.agui;

import java.util.Optional;

/** Reads the input of a run. */
final class InputReader {
    private InputReader() {}

    static Optional<RunAgentInput> input(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new RunAgentInput(
                node.at("threadId").text(),
                node.at("runId").text(),
                node.at("protocolVersion").optionalText(),
                node.at("parentRunId").optionalText(),
                node.at("state").optionalAny(),
                node.at("messages").list(MessageReader::message),
                node.at("tools").listOrEmpty(InputReader::tool),
                node.at("context").listOrEmpty(InputReader::context),
                node.at("forwardedProps").optionalAny(),
                node.at("resume").listOrEmpty(InputReader::resumeEntry)));
    }

    private static Optional<Tool> tool(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new Tool(
                node.at("name").text(),
                node.at("description").text(),
                node.at("parameters").optionalAny(),
                node.at("metadata").optionalObject()));
    }

    private static Optional<Context> context(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(
                new Context(node.at("description").text(), node.at("value").text()));
    }

    private static Optional<ResumeEntry> resumeEntry(CheckedNode node) {
        if (!node.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new ResumeEntry(
                node.at("interruptId").text(),
                node.at("status").choice(ResumeEntry.Status.values()),
                node.at("payload").optionalAny(),
                node.at("metadata").optionalObject()));
    }
}
