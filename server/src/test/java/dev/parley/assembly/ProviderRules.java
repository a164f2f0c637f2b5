package dev.parley.assembly;

import dev.parley.protocol.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** The requirements of the three large providers, as rules over a context. */
enum ProviderRules {
    /** Ids of at most 40 characters, plain names, every call directly followed by its result. */
    OPENAI(Pattern.compile(".{1,40}"), Pattern.compile("[a-zA-Z0-9_-]{1,64}"), true, false),
    /** One system prompt, a user first, turns that alternate, ids that are used once, no blank text. */
    ANTHROPIC(Pattern.compile("[a-zA-Z0-9_-]+"), Pattern.compile("[a-zA-Z0-9_-]{1,128}"), false, true),
    /** The rules of Anthropic's turns; a call directly follows a user's turn or a result. */
    GEMINI(Pattern.compile(".+"), Pattern.compile("[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}"), false, true);

    private final Pattern ids;
    private final Pattern tools;
    private final boolean systemInside;
    private final boolean alternating;

    ProviderRules(Pattern ids, Pattern tools, boolean systemInside, boolean alternating) {
        this.ids = ids;
        this.tools = tools;
        this.systemInside = systemInside;
        this.alternating = alternating;
    }

    ModelShape shape(int tokens, int pictures) {
        return alternating ? ModelShape.alternating(tokens, pictures) : ModelShape.openAi(tokens, pictures);
    }

    List<String> brokenBy(List<ContextMessage> context) {
        List<String> broken = new ArrayList<>();
        Set<String> used = new HashSet<>();
        int at = 0;
        while (at < context.size()
                && context.get(at) instanceof ContextMessage.SystemBlock head
                && head.origin().transforms().contains(Transform.INSTRUCTIONS)) {
            at++;
        }
        if (at == context.size()) {
            return List.of("nothing is said");
        }
        if (alternating && !(context.get(at) instanceof ContextMessage.User)) {
            broken.add("a user does not begin");
        }
        ContextMessage before = null;
        while (at < context.size()) {
            ContextMessage message = context.get(at++);
            switch (message) {
                case ContextMessage.SystemBlock system -> {
                    require(systemInside, "a system message stands inside", broken);
                    requireText(system.text(), broken);
                }
                case ContextMessage.User user -> {
                    require(!user.parts().isEmpty(), "a user says nothing", broken);
                    require(!alternating || !(before instanceof ContextMessage.User), "two users in a row", broken);
                    user.parts().stream()
                            .filter(ContextMessage.Part.Text.class::isInstance)
                            .forEach(part -> requireText(((ContextMessage.Part.Text) part).text(), broken));
                }
                case ContextMessage.ToolResult result -> broken.add("a result without its call: " + result.callId());
                case ContextMessage.Assistant assistant -> {
                    require(
                            !assistant.text().isBlank() || !assistant.calls().isEmpty(),
                            "the assistant says nothing",
                            broken);
                    require(
                            !alternating || !(before instanceof ContextMessage.Assistant),
                            "two answers in a row",
                            broken);
                    at = results(assistant, context, at, used, broken);
                }
            }
            before = assistantLike(message, context, at);
        }
        require(!(before instanceof ContextMessage.Assistant), "the assistant has the last word", broken);
        return broken;
    }

    /** After its results a call is complete: any turn may follow. */
    private static ContextMessage assistantLike(ContextMessage message, List<ContextMessage> context, int at) {
        return message instanceof ContextMessage.Assistant assistant
                        && !assistant.calls().isEmpty()
                ? context.get(at - 1)
                : message;
    }

    private int results(
            ContextMessage.Assistant assistant,
            List<ContextMessage> context,
            int from,
            Set<String> used,
            List<String> broken) {
        Set<String> open = new HashSet<>();
        for (ContextMessage.Call call : assistant.calls()) {
            require(ids.matcher(call.id()).matches(), "an illegal id: " + call.id(), broken);
            require(tools.matcher(call.tool()).matches(), "an illegal name: " + call.tool(), broken);
            require(used.add(call.id()), "an id is used twice: " + call.id(), broken);
            require(isObject(call.arguments()), "arguments are no object: " + call.arguments(), broken);
            open.add(call.id());
        }
        int at = from;
        while (!open.isEmpty()) {
            if (at == context.size()
                    || !(context.get(at) instanceof ContextMessage.ToolResult result)
                    || !open.remove(result.callId())) {
                broken.add("calls without results: " + open);
                return at;
            }
            requireText(result.text(), broken);
            at++;
        }
        return at;
    }

    private static boolean isObject(String json) {
        try {
            return Json.MAPPER.readTree(json).isObject();
        } catch (JacksonException broken) {
            return false;
        }
    }

    private static void requireText(String text, List<String> broken) {
        require(!text.isBlank(), "a text is blank", broken);
    }

    private static void require(boolean holds, String otherwise, List<String> broken) {
        if (!holds) {
            broken.add(otherwise);
        }
    }
}
