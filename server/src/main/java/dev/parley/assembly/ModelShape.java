package dev.parley.assembly;

import java.util.Set;

/**
 * What a conversation must look like for a kind of model.
 *
 * @param systemInside whether system messages may stand among the others; if not, they become the first part of the next
 *     message of a user
 * @param alternating whether users and assistant must take turns, beginning with a user
 * @param strictCalls whether ids and names of calls must be short, plain and unique
 * @param nativeCalls whether the model knows calls as such; if not, they are written into the text
 * @param tokens most tokens of the conversation, by our own estimate
 * @param pictures most images, the newest ones; 0 for a model that cannot see
 * @param pictureTypes MIME types of images that it can read; none if it takes whatever there is
 */
public record ModelShape(
        boolean systemInside,
        boolean alternating,
        boolean strictCalls,
        boolean nativeCalls,
        int tokens,
        int pictures,
        Set<String> pictureTypes) {
    /** Images that all of the large providers read. */
    public static final Set<String> COMMON_PICTURES = Set.of("image/png", "image/jpeg", "image/gif", "image/webp");

    public ModelShape {
        pictureTypes = Set.copyOf(pictureTypes);
    }

    /** Chat completions of OpenAI, and whatever speaks like it. */
    public static ModelShape openAi(int tokens, int pictures) {
        return new ModelShape(true, false, true, true, tokens, pictures, COMMON_PICTURES);
    }

    /** Models that know one system prompt and strict turns: Anthropic's and Google's. */
    public static ModelShape alternating(int tokens, int pictures) {
        return new ModelShape(false, true, true, true, tokens, pictures, COMMON_PICTURES);
    }

    /** For agents that are no models of ours: everything stays as it is called in the thread. */
    public static ModelShape neutral(int tokens) {
        return new ModelShape(true, false, false, true, tokens, Integer.MAX_VALUE, Set.of());
    }

    /** The same for a model that is told of its tools in words. */
    public ModelShape withPromptedCalls() {
        return new ModelShape(systemInside, alternating, strictCalls, false, tokens, pictures, pictureTypes);
    }
}
