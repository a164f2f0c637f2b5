package dev.parley.assembly;

import dev.parley.assembly.ContextMessage.Assistant;
import dev.parley.assembly.ContextMessage.Origin;
import dev.parley.assembly.ContextMessage.Part;
import dev.parley.assembly.ContextMessage.ToolResult;
import dev.parley.assembly.ContextMessage.User;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Adapts a context to one kind of model: the images that it sees, the position of system messages, and the order of
 * turns.
 */
final class Shaping {
    private final ModelShape shape;

    private Shaping(ModelShape shape) {
        this.shape = shape;
    }

    /** @param messages the context, with legal calls and every result after its call */
    static List<ContextMessage> shaped(List<ContextMessage> messages, ModelShape shape) {
        Shaping shaping = new Shaping(shape);
        List<ContextMessage> shaped = shaping.withPictures(messages);
        if (!shape.nativeCalls()) {
            shaped = shaped.stream().map(Shaping::inWords).toList();
        }
        if (!shape.systemInside()) {
            shaped = systemFirst(shaped);
        }
        if (shape.strictCalls()) {
            shaped = complete(shaped, shape.alternating());
        }
        return shape.alternating() || !shape.nativeCalls() ? merged(shaped) : shaped;
    }

    /** Shows the newest images. Older images, and images that the model cannot read, are only named. */
    private List<ContextMessage> withPictures(List<ContextMessage> messages) {
        Deque<ContextMessage> shown = new ArrayDeque<>();
        int left = shape.pictures();
        for (ContextMessage message : messages.reversed()) {
            if (message instanceof User user && user.parts().stream().anyMatch(Part.Picture.class::isInstance)) {
                List<Part> parts = new ArrayList<>();
                boolean named = false;
                for (Part part : user.parts().reversed()) {
                    boolean shows = !(part instanceof Part.Picture picture) || left > 0 && isReadable(picture);
                    if (part instanceof Part.Picture picture) {
                        left -= shows ? 1 : 0;
                        named |= !shows;
                        parts.addFirst(shows ? part : Rendering.named("image", picture.filename(), picture.mimeType()));
                    } else {
                        parts.addFirst(part);
                    }
                }
                shown.addFirst(named ? new User(parts, with(user.origin(), Transform.PICTURE_NAMED)) : user);
            } else {
                shown.addFirst(message);
            }
        }
        return List.copyOf(shown);
    }

    private boolean isReadable(Part.Picture picture) {
        return shape.pictureTypes().isEmpty() || shape.pictureTypes().contains(picture.mimeType());
    }

    private static ContextMessage inWords(ContextMessage message) {
        return switch (message) {
            case Assistant assistant ->
                new Assistant(
                        PromptedCalls.withCalls(assistant.text(), assistant.calls()), List.of(), assistant.origin());
            case ToolResult result ->
                new User(List.of(new Part.Text(PromptedCalls.resultText(result))), result.origin());
            case ContextMessage.SystemBlock system -> system;
            case User user -> user;
        };
    }

    /**
     * Keeps the instructions and tools at the beginning as system messages. Every other system message becomes a user
     * message.
     */
    private static List<ContextMessage> systemFirst(List<ContextMessage> messages) {
        List<ContextMessage> shaped = new ArrayList<>();
        boolean begun = false;
        for (ContextMessage message : messages) {
            boolean leads = message instanceof ContextMessage.SystemBlock system
                    && !begun
                    && system.origin().transforms().stream()
                            .anyMatch(done -> done == Transform.INSTRUCTIONS || done == Transform.TOOLS);
            begun |= !leads;
            if (message instanceof ContextMessage.SystemBlock system && !leads) {
                shaped.add(new User(List.of(new Part.Text(system.text())), system.origin()));
            } else {
                shaped.add(message);
            }
        }
        return shaped;
    }

    /**
     * Adds placeholders for missing user messages. A model needs a message to answer, so the last message must not be
     * the model's own. For some models, the first message must not be the model's own either.
     */
    private static List<ContextMessage> complete(List<ContextMessage> messages, boolean userFirst) {
        List<ContextMessage> whole = new ArrayList<>(messages);
        int first = 0;
        while (first < whole.size() && whole.get(first) instanceof ContextMessage.SystemBlock) {
            first++;
        }
        if (userFirst && first < whole.size() && !(whole.get(first) instanceof User)) {
            whole.add(first, filler("(The conversation begins with your own words.)"));
        }
        if (whole.size() == first || whole.getLast() instanceof Assistant) {
            whole.add(filler("(Go on.)"));
        }
        return whole;
    }

    private static User filler(String text) {
        return new User(List.of(new Part.Text(text)), new Origin(List.of(), List.of(Transform.FILLED), null));
    }

    private static List<ContextMessage> merged(List<ContextMessage> messages) {
        List<ContextMessage> merged = new ArrayList<>();
        for (ContextMessage message : messages) {
            ContextMessage last = merged.isEmpty() ? null : merged.getLast();
            if (last instanceof User before && message instanceof User user) {
                List<Part> parts = new ArrayList<>(before.parts());
                parts.addAll(user.parts());
                merged.set(merged.size() - 1, new User(parts, both(before.origin(), user.origin())));
            } else if (last instanceof Assistant before
                    && before.calls().isEmpty()
                    && message instanceof Assistant assistant) {
                String text = before.text().isBlank() || assistant.text().isBlank()
                        ? before.text() + assistant.text()
                        : before.text() + "\n\n" + assistant.text();
                merged.set(
                        merged.size() - 1,
                        new Assistant(text, assistant.calls(), both(before.origin(), assistant.origin())));
            } else {
                merged.add(message);
            }
        }
        return merged;
    }

    private static Origin both(Origin one, Origin other) {
        List<Long> seqs = new ArrayList<>(one.seqs());
        seqs.addAll(other.seqs());
        List<Transform> transforms = new ArrayList<>(one.transforms());
        transforms.addAll(other.transforms());
        transforms.add(Transform.MERGED);
        return new Origin(seqs, transforms, null);
    }

    private static Origin with(Origin origin, Transform transform) {
        List<Transform> transforms = new ArrayList<>(origin.transforms());
        transforms.add(transform);
        return new Origin(origin.seqs(), transforms, origin.id());
    }
}
