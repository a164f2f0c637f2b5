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

/** Asks for approval, which ends the run, and reports the decisions in the run that receives them. */
final class Approvals {
    private Approvals() {}

    static void ask(Turn turn, String question, DemoVoice voice) throws InterruptedException {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        schema.putObject("properties").putObject("approved").put("type", "boolean");
        schema.putArray("required").add("approved");
        Interrupt interrupt = new Interrupt(voice.newId(), "approval", question, null, schema, null, null, null);
        voice.emit(new RunEvent.Finished(
                turn.input().sent().threadId(),
                turn.input().sent().runId(),
                new Outcome.Interrupted(List.of(interrupt))));
    }

    /** One line per decision in the run's input. */
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
