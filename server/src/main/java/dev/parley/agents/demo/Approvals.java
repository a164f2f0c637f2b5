package dev.parley.agents.demo;

import dev.parley.agents.Turn;
import dev.parley.protocol.Json;
import dev.parley.protocol.agui.Interrupt;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.ResumeEntry;
import dev.parley.protocol.agui.RunEvent;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Asks people, which ends the run, and says in the run that goes on what they decided. */
final class Approvals {
    private Approvals() {}

    static void ask(Turn turn, String said, DemoVoice voice) throws InterruptedException {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        schema.putObject("properties").putObject("approved").put("type", "boolean");
        schema.putArray("required").add("approved");
        Interrupt question = new Interrupt(voice.newId(), "approval", said, null, schema, null, null, null);
        voice.emit(new RunEvent.Finished(
                turn.input().sent().threadId(),
                turn.input().sent().runId(),
                new Outcome.Interrupted(List.of(question))));
    }

    /** A line for each decision that the run brought. */
    static Stream<String> decisions(Turn turn) {
        return turn.input().answers().stream().map(Approvals::decision);
    }

    private static String decision(Turn.Answer answer) {
        Interrupt interrupt = answer.interrupt();
        String question = Objects.requireNonNullElse(interrupt.message(), interrupt.id());
        return switch (answer.decision().status()) {
            case CANCELLED -> "Cancelled: " + question;
            case RESOLVED -> resolved(question, answer.decision());
        };
    }

    private static String resolved(String question, ResumeEntry decision) {
        JsonNode payload = decision.payload();
        if (payload == null) {
            return "Approved: " + question;
        }
        JsonNode approved = payload.path("approved");
        String word = !approved.isBoolean() ? "Answered: " : approved.booleanValue() ? "Approved: " : "Declined: ";
        return word + question + (approved.isBoolean() && payload.size() == 1 ? "" : " " + payload);
    }
}
