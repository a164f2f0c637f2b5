package dev.parley.assembly;

import java.util.Set;

/**
 * The form of a conversation for a kind of model.
 *
 * @param systemInside true if system messages may be between other messages; otherwise they become the first part of
 * the next user message
 * @param alternating true if users and assistant must take turns, beginning with a user
 * @param strictCalls true if ids and names of calls must be short, plain and unique
 * @param nativeCalls true if the model supports tool calls natively; otherwise calls are written into the text
 * @param tokens the maximum number of tokens in the conversation, by our own estimate
 * @param pictures the maximum number of images, of which the newest are shown; 0 for a model that cannot see
 * @param pictureTypes the MIME types of images that the model can read; empty if every type is allowed
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

    /** The same shape for a model whose prompt describes its tools. */
    public ModelShape withPromptedCalls() {
        return new ModelShape(systemInside, alternating, strictCalls, false, tokens, pictures, pictureTypes);
    }
}
