package dev.parley.assembly;

import java.util.Set;

/**
 * The form of a conversation for a kind of model.
 *
 * @param systemInside true if system messages may stand among the others; if not, they become the first part of the
 * next message of a user
 * @param alternating true if users and assistant must take turns, beginning with a user
 * @param strictCalls true if ids and names of calls must be short, plain and unique
 * @param nativeCalls true if the model has calls of its own; if not, they are written into the text
 * @param tokens most tokens of the conversation, by our own estimate
 * @param pictures most images, the newest ones; 0 for a model that cannot see
 * @param pictureTypes MIME types of images that it can read; empty for any
 */
public record ModelShape(
        boolean systemInside,
        boolean alternating,
        boolean strictCalls,
        boolean nativeCalls,
        int tokens,
        int pictures,
        Set<String> pictureTypes) {
    /** The images that all of the large providers read. */
    static final Set<String> COMMON_PICTURES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    public ModelShape {
        pictureTypes = Set.copyOf(pictureTypes);
    }

    /** Chat completions of OpenAI, and of compatible servers. */
    public static ModelShape openAi(int tokens, int pictures) {
        return new ModelShape(true, false, true, true, tokens, pictures, COMMON_PICTURES);
    }

    /** Models with one system prompt and strict turns: Anthropic's and Google's. */
    public static ModelShape alternating(int tokens, int pictures) {
        return new ModelShape(false, true, true, true, tokens, pictures, COMMON_PICTURES);
    }

    /** For agents without a model of ours: ids and names stay as they are in the thread. */
    public static ModelShape neutral(int tokens) {
        return new ModelShape(true, false, false, true, tokens, Integer.MAX_VALUE, Set.of());
    }

    /** The same for a model that is told of its tools in its prompt. */
    public ModelShape withPromptedCalls() {
        return new ModelShape(systemInside, alternating, strictCalls, false, tokens, pictures, pictureTypes);
    }
}
