package dev.parley.access;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A row of the matrix: an act of a caller on a face, mostly on the message, run or document of another, and the status
 * that each role is answered, in the order of {@link Role}.
 */
enum Act {
    EDIT(
            "chat",
            "message",
            "edit the author's",
            "editMessage",
            "200 403 403 403 404 403 403",
            (role, at) -> at.call(role, "PATCH", at.chat + "/messages/" + at.message(), Map.of("content", "Theirs"))),
    DELETE(
            "chat",
            "message",
            "delete the author's",
            "deleteMessage",
            "200 403 403 403 404 403 403",
            (role, at) -> at.call(role, "DELETE", at.chat + "/messages/" + at.message(), "")),
    EDIT_OF_RUN(
            "chat",
            "message",
            "edit what the run's agent said",
            "editMessage",
            "403 403 403 403 404 200 403",
            (role, at) ->
                    at.call(role, "PATCH", at.chat + "/messages/" + at.messageOfRun(), Map.of("content", "Yes."))),
    DELETE_OF_RUN(
            "chat",
            "message",
            "delete what the run's agent said",
            "deleteMessage",
            "403 403 403 403 404 200 403",
            (role, at) -> at.call(role, "DELETE", at.chat + "/messages/" + at.messageOfRun(), "")),
    POST(
            "chat",
            "message",
            "post as oneself",
            "postMessage",
            "201 201 201 201 404 403 403",
            (role, at) -> at.call(role, "POST", at.chat + "/messages", Map.of("content", "hello"))),
    SPEAK_AS_AGENT(
            "chat",
            "message",
            "speak as the run's agent",
            "postAgentMessage",
            "404 201 404 404 404 201 400",
            (role, at) -> at.call(
                    role, "POST", at.chat + "/agent-messages", Map.of("content", "hello", "agent_id", at.guard()))),
    REPORT(
            "chat",
            "run",
            "report a stage of the run",
            "postAgentMessage",
            "404 400 404 404 404 201 400",
            (role, at) -> {
                Map<String, Object> body = new LinkedHashMap<>(Map.of("content", "done", "agent_id", at.guard()));
                body.put("run_id", RightsScene.RUN);
                body.put("metadata", Map.of("stage", "execution"));
                at.finishedRun();
                return at.call(role, "POST", at.chat + "/agent-messages", body);
            }),
    REACT(
            "chat",
            "feedback",
            "react to the author's message",
            "react",
            "200 200 200 200 404 200 200",
            (role, at) -> at.call(role, "PUT", at.chat + "/messages/" + at.message() + "/reactions/%F0%9F%91%8D", "")),
    REACT_TO_RUN(
            "chat",
            "feedback",
            "react to the run's message",
            "react",
            "200 200 200 200 404 200 200",
            (role, at) ->
                    at.call(role, "PUT", at.chat + "/messages/" + at.messageOfRun() + "/reactions/%F0%9F%91%8D", "")),
    UNREACT(
            "chat",
            "feedback",
            "take one's own reaction back",
            "unreact",
            "200 200 200 200 404 200 200",
            (role, at) -> {
                String reaction = at.chat + "/messages/" + at.message() + "/reactions/%F0%9F%91%8D";
                return at.call(role, "DELETE", reaction, "");
            }),

    JOIN(
            "sessions",
            "message",
            "bring a chat event of the run",
            "appendChatEvents",
            "201 201 201 403 404 201 403",
            (role, at) -> {
                at.finishedRun();
                return at.call(role, "POST", at.session + "/chat-events", chatEvent("assistant", RightsScene.RUN));
            }),
    JOIN_EARLY(
            "sessions",
            "message",
            "bring one while the run goes on",
            "appendChatEvents",
            "409 409 409 403 404 409 403",
            (role, at) -> {
                at.drivenRun();
                return at.call(role, "POST", at.session + "/chat-events", chatEvent("assistant", RightsScene.RUN));
            }),
    JOIN_AS_USER(
            "sessions",
            "message",
            "bring a question of the run",
            "appendChatEvents",
            "201 201 201 403 404 201 403",
            (role, at) -> {
                at.finishedRun();
                return at.call(role, "POST", at.session + "/chat-events", chatEvent("user", RightsScene.RUN));
            }),
    JOIN_TOLD(
            "sessions",
            "message",
            "bring one of a run the author told of",
            "appendChatEvents",
            "201 403 201 403 404 403 403",
            (role, at) -> {
                at.toldRun();
                return at.call(role, "POST", at.session + "/chat-events", chatEvent("assistant", RightsScene.RUN));
            }),
    TELL(
            "sessions",
            "message",
            "bring one of a run of one's own",
            "appendChatEvents",
            "201 201 201 201 404 201 201",
            (role, at) -> at.call(role, "POST", at.session + "/chat-events", chatEvent("assistant", "r-own"))),
    IMPORT(
            "sessions",
            "message",
            "import chat events",
            "importChatEvents",
            "403 403 201 403 404 403 403",
            (role, at) -> at.call(role, "POST", at.session + "/import", Map.of("chat_events", List.of(imported())))),
    KEEP_RUN(
            "sessions",
            "document",
            "replace the run's",
            "keepSessionRun",
            "200 200 200 403 404 200 403",
            (role, at) -> {
                at.finishedRun();
                return at.call(role, "PUT", at.session + "/runs/" + RightsScene.RUN, RightsScene.DOCUMENT);
            }),
    KEEP_TOLD_RUN(
            "sessions",
            "document",
            "replace that of a run the author told of",
            "keepSessionRun",
            "200 403 200 403 404 403 403",
            (role, at) -> {
                at.toldRun();
                return at.call(role, "PUT", at.session + "/runs/" + RightsScene.RUN, RightsScene.DOCUMENT);
            }),
    KEEP_SESSION(
            "sessions",
            "document",
            "keep the session's own",
            "keepSessionDocument",
            "200 200 200 200 404 200 200",
            (role, at) ->
                    at.call(role, "PUT", at.session + "/document", Map.of("document", Map.of("a", 1), "version", 0))),
    FEED("sessions", "run", "post events of the run", "driveSessionRun", "409 409 409 409 404 200 409", (role, at) -> {
        at.drivenRun();
        return at.call(
                role,
                "POST",
                at.session + "/runs/" + RightsScene.RUN + "/events",
                RightsScene.post(1, 2, RightsScene.event("RunContent", " Never.")));
    }),
    STREAM_TOLD(
            "sessions",
            "run",
            "begin to stream a run the author told of",
            "driveSessionRun",
            "200 403 200 403 404 403 403",
            (role, at) -> {
                at.toldRun();
                return at.call(
                        role,
                        "POST",
                        at.session + "/runs/" + RightsScene.RUN + "/events",
                        RightsScene.post(null, 0, RightsScene.event("RunStarted", "")));
            }),
    STOP_RUN("sessions", "run", "stop the run", "stopSession", "200 200 200 403 404 200 403", (role, at) -> {
        at.drivenRun();
        return at.call(role, "POST", at.session + "/stop", Map.of("run_id", RightsScene.RUN));
    }),
    STOP_ALL(
            "sessions",
            "run",
            "stop all runs, where there is only this",
            "stopSession",
            "200 200 200 403 404 200 403",
            (role, at) -> {
                at.drivenRun();
                return at.call(role, "POST", at.session + "/stop", Map.of());
            }),

    START(
            "agent",
            "run",
            "start one's own",
            "startRun",
            "202 202 202 202 404 202 202",
            (role, at) -> at.call(role, "POST", RightsScene.RUNS, at.input("r-own", at.demo(), "hello"))),
    START_SAME(
            "agent",
            "run",
            "start one of the same name and body",
            "startRun",
            "202 409 409 409 404 409 409",
            (role, at) -> {
                at.drivenRun();
                return at.call(role, "POST", RightsScene.RUNS, at.input(RightsScene.RUN, at.guard(), "May he see it?"));
            }),
    INTERRUPT("agent", "run", "interrupt it by another one", "startRun", "202 202 202 403 404 202 403", (role, at) -> {
        at.slowRun();
        return at.call(role, "POST", RightsScene.RUNS, at.withStrategy("interrupt"));
    }),
    ROLLBACK("agent", "run", "roll it back by another one", "startRun", "202 403 202 403 404 403 403", (role, at) -> {
        at.slowRun();
        return at.call(role, "POST", RightsScene.RUNS, at.withStrategy("rollback"));
    }),
    ASK_AGAIN(
            "agent",
            "message",
            "have the author's question answered again",
            "startRun",
            "202 202 202 202 404 202 202",
            (role, at) -> {
                at.finishedRun();
                return at.call(role, "POST", RightsScene.RUNS, at.regenerating("May he see it?"));
            }),
    ASK_OTHERWISE(
            "agent",
            "message",
            "put the author's question differently",
            "startRun",
            "202 403 403 403 404 403 403",
            (role, at) -> {
                at.finishedRun();
                return at.call(role, "POST", RightsScene.RUNS, at.regenerating("May I see it?"));
            }),
    REPLACE_STATE("agent", "state", "replace the thread's", "startRun", "202 202 202 202 404 202 202", (role, at) -> {
        Map<String, Object> input = at.input("r-own", at.demo(), "hello");
        input.put("state", Map.of("theirs", true));
        return at.call(role, "POST", RightsScene.RUNS, input);
    }),
    DECIDE("agent", "approval", "decide what the run asked", "startRun", "202 202 202 202 404 202 202", (role, at) -> {
        Map<String, Object> input = at.input("r-own", at.demo(), "Yes");
        input.put("resume", at.decision());
        return at.call(role, "POST", RightsScene.RUNS, input);
    }),
    CANCEL("agent", "run", "cancel it", "cancelRun", "200 200 200 403 404 200 403", (role, at) -> {
        at.drivenRun();
        return at.call(role, "POST", at.runs + "/" + RightsScene.RUN + "/cancel", "");
    }),
    DRIVE("agent", "run", "post events of the run", "driveRun", "403 403 403 403 403 200 409", (role, at) -> {
        at.drivenRun();
        return at.call(
                role,
                "POST",
                at.runs + "/" + RightsScene.RUN + "/events",
                RightsScene.post(1, 2, Map.of("type", "STEP_STARTED", "stepName", "a")));
    }),

    AGUI_START(
            "AG-UI",
            "run",
            "start one's own",
            "runAguiAgent",
            "200 200 200 200 404 200 200",
            (role, at) -> at.call(role, "POST", at.agui("run"), at.input("r-own", at.demo(), "hello"))),
    AGUI_DEFAULT(
            "AG-UI",
            "run",
            "start one's own at the default address",
            "runAgui",
            "200 200 200 200 404 200 200",
            (role, at) -> at.call(role, "POST", "/api/v1/agui", at.input("r-own", at.demo(), "hello"))),
    AGUI_SAME("AG-UI", "run", "attach by its name", "runAguiAgent", "200 409 409 409 404 409 409", (role, at) -> {
        at.slowRun();
        return at.call(role, "POST", at.agui("run"), at.input(RightsScene.RUN, at.demo(), "/slow 2000"));
    }),
    AGUI_INTERRUPT(
            "AG-UI",
            "run",
            "interrupt it by another one",
            "runAguiAgent",
            "200 200 200 403 404 200 403",
            (role, at) -> {
                at.slowRun();
                return at.call(role, "POST", at.agui("run"), at.withStrategy("interrupt"));
            }),
    AGUI_ROLLBACK(
            "AG-UI",
            "run",
            "roll it back by another one",
            "runAguiAgent",
            "200 403 200 403 404 403 403",
            (role, at) -> {
                at.slowRun();
                return at.call(role, "POST", at.agui("run"), at.withStrategy("rollback"));
            }),
    AGUI_STATE("AG-UI", "state", "replace the thread's", "runAguiAgent", "200 200 200 200 404 200 200", (role, at) -> {
        Map<String, Object> input = at.input("r-own", at.demo(), "hello");
        input.put("state", Map.of("theirs", true));
        return at.call(role, "POST", at.agui("run"), input);
    }),
    AGUI_DECIDE(
            "AG-UI",
            "approval",
            "decide what the run asked",
            "runAguiAgent",
            "200 200 200 200 404 200 200",
            (role, at) -> {
                Map<String, Object> input = at.input("r-own", at.demo(), "Yes");
                input.put("resume", at.decision());
                return at.call(role, "POST", at.agui("run"), input);
            }),
    AGUI_STOP("AG-UI", "run", "stop it", "stopAgui", "200 200 200 403 404 200 403", (role, at) -> {
        at.slowRun();
        return at.call(role, "POST", at.agui("stop/" + at.thread), Map.of("runId", RightsScene.RUN));
    }),
    AGUI_STOP_ANY("AG-UI", "run", "stop what goes on", "stopAgui", "200 200 200 403 404 200 403", (role, at) -> {
        at.slowRun();
        return at.call(role, "POST", at.agui("stop/" + at.thread), "");
    });

    /** Performs the act in a scene of its own. */
    interface Call {
        Calls.Got by(Role role, RightsScene at);
    }

    final String face;
    final String target;
    final String title;
    final String operation;
    /** The status for each role. */
    final List<String> answers;

    private final Call call;

    Act(String face, String target, String title, String operation, String answers, Call call) {
        this.face = face;
        this.target = target;
        this.title = title;
        this.operation = operation;
        this.answers = List.of(answers.split(" "));
        this.call = call;
    }

    Calls.Got by(Role role, RightsScene at) {
        return call.by(role, at);
    }

    private static Map<String, Object> chatEvent(String role, String run) {
        Map<String, Object> message = Map.of("id", "x1", "role", role, "content", "Yes, Bob may see the vault.");
        return Map.of("message", message, "run_id", run);
    }

    private static Map<String, Object> imported() {
        Map<String, Object> event = new LinkedHashMap<>(chatEvent("assistant", "r-own"));
        event.put("created_at", 1_700_000_000);
        return event;
    }
}
