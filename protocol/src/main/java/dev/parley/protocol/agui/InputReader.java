package dev.parley.protocol.agui;

import java.util.Optional;

/** Reads the input of a run. */
final class InputReader {
    private InputReader() {}

    static Optional<RunAgentInput> input(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new RunAgentInput(
                place.at("threadId").text(),
                place.at("runId").text(),
                place.at("protocolVersion").optionalText(),
                place.at("parentRunId").optionalText(),
                place.at("state").optionalAny(),
                place.at("messages").list(MessageReader::message),
                place.at("tools").listOrEmpty(InputReader::tool),
                place.at("context").listOrEmpty(InputReader::context),
                place.at("forwardedProps").optionalAny(),
                place.at("resume").listOrEmpty(InputReader::resumeEntry)));
    }

    private static Optional<Tool> tool(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new Tool(
                place.at("name").text(),
                place.at("description").text(),
                place.at("parameters").optionalAny(),
                place.at("metadata").optionalObject()));
    }

    private static Optional<Context> context(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(
                new Context(place.at("description").text(), place.at("value").text()));
    }

    private static Optional<ResumeEntry> resumeEntry(Place place) {
        if (!place.holdsMembers()) {
            return Optional.empty();
        }
        return Optional.of(new ResumeEntry(
                place.at("interruptId").text(),
                place.at("status").choice(ResumeEntry.Status.values()),
                place.at("payload").optionalAny(),
                place.at("metadata").optionalObject()));
    }
}
