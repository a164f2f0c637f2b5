package dev.parley.agents.model;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.parley.agents.Agent;
import dev.parley.agents.ModelRequests;
import dev.parley.agents.Turn;
import dev.parley.agents.tools.ToolServers;
import dev.parley.assembly.ContextMessage;
import dev.parley.assembly.ModelShape;
import dev.parley.protocol.agui.Outcome;
import dev.parley.protocol.agui.RunEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One run of a model agent: it asks the model, carries out its tool calls, and repeats until there is an answer. */
final class ModelRun {
    /** The step around a request. */
    private static final String EXECUTION = "execution";

    private final Turn turn;
    private final Agent.Emitter emitter;
    private final ModelConfig config;
    private final ModelClient model;
    private final Spending spending;
    private final Toolbox toolbox;
    private final ToolRounds rounds;
    private final List<ContextMessage> soFar = new ArrayList<>();
    private final Map<String, AiMessage> originals = new HashMap<>();
    private final Set<String> callIds = new HashSet<>();

    ModelRun(
            Turn turn,
            Agent.Emitter emitter,
            ModelConfig config,
            ModelClient model,
            ToolServers tools,
            Spending spending)
            throws InterruptedException {
        this.turn = turn;
        this.emitter = emitter;
        this.config = config;
        this.model = model;
        this.spending = spending;
        this.toolbox = new Toolbox(
                turn.input().sent().tools(),
                config.toolServers().isEmpty() ? List.of() : tools.list(config.toolServers()));
        this.rounds = new ToolRounds(turn, emitter, toolbox, tools);
    }

    void answer() throws ModelFailure, InterruptedException {
        if (!turn.input().answers().isEmpty()) {
            // Approved calls are carried out only if the budget allows the request after them.
            spending.requireRoom(turn.requests());
            soFar.addAll(rounds.resumed());
        }
        for (int requests = 0; ; requests++) {
            if (requests == config.maxRequests()) {
                throw ModelFailure.tooManyRequests(config.maxRequests());
            }
            spending.requireRoom(turn.requests());
            ModelResponse response = ask();
            soFar.add(response.asContext());
            remember(response);
            if (response.calls().isEmpty()) {
                return;
            }
            ToolRounds.Round round = rounds.of(response.calls());
            soFar.addAll(round.results());
            if (!round.questions().isEmpty()) {
                end(new Outcome.Interrupted(round.questions()));
                return;
            }
            if (!round.pending().isEmpty()) {
                end(new Outcome.Success(round.pending()));
                return;
            }
        }
    }

    private ModelResponse ask() throws ModelFailure, InterruptedException {
        ModelStage stage = new ModelStage(emitter, EXECUTION);
        ModelRequests.Request request =
                UninterruptibleCall.call(() -> turn.requests().next(asking(), List.copyOf(soFar)));
        for (ContextMessage message : request.messages()) {
            if (message instanceof ContextMessage.Assistant assistant) {
                assistant.calls().forEach(call -> callIds.add(call.id()));
            }
        }
        ChatMessages chat = new ChatMessages(turn.requests()::open, originals, ChatMessages.MAX_IMAGE_BYTES);
        List<ChatMessage> messages = UninterruptibleCall.call(() -> chat.of(request.messages()));
        ModelClient.Question question = new ModelClient.Question(
                turn.name(), request, messages, toolbox, config.provider().reasoning(config.reasoning(), messages));
        ModelResponse response = model.ask(question, () -> new ResponseEvents(stage, callIds));
        stage.end();
        return response;
    }

    private ModelRequests.Asking asking() {
        ModelShape shape = config.provider().shape(config.contextTokens(), config.images());
        return new ModelRequests.Asking(
                config.provider().toString(),
                config.model(),
                config.promptedTools() ? shape.withPromptedCalls() : shape,
                config.instructions(),
                config.promptedTools() ? toolbox.prompted() : List.of(),
                config.promptedTools() ? List.of() : toolbox.wireNamed());
    }

    /** Keeps the response, because the next request must contain the reasoning before each call. */
    private void remember(ModelResponse response) {
        AiMessage original = response.original();
        if (original != null) {
            response.calls().forEach(call -> originals.put(call.id(), original));
        }
    }

    private void end(Outcome outcome) throws InterruptedException {
        emitter.emit(new RunEvent.Finished(
                turn.input().sent().threadId(), turn.input().sent().runId(), outcome));
    }
}
