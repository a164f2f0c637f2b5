package dev.parley.runs.input;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file in a message, in the older form (a binary part) or as a media part.
 *
 * @param mimeType null if the part only says that it is an image
 * @param url null if the part has no URL
 * @param filename the client's name for the file
 * @param id the part's own id, which only the client understands
 */
record BinaryBlock(
        boolean isImage,
        @Nullable String mimeType,
        @Nullable String url,
        boolean hasData,
        @Nullable String filename,
        @Nullable String id) {
    private static final String IMAGE = "image/";
    private static final Alphabet BEGINNING = Alphabet.of("a-zA-Z0-9");
    private static final Alphabet SUBTYPE = Alphabet.of("a-zA-Z0-9!#$&^_.+-");

    static List<BinaryBlock> in(List<Message> messages) {
        return messages.stream().flatMap(BinaryBlock::in).toList();
    }

    static Stream<BinaryBlock> in(Message message) {
        Content content = switch (message) {
            case Message.User user -> user.content();
            case Message.Tool tool -> tool.content();
            case Message.Assistant _,
                    Message.SystemPrompt _,
                    Message.Developer _,
                    Message.Reasoning _,
                    Message.Activity _ -> new Content.Text("");
        };
        return switch (content) {
            case Content.Text _ -> Stream.of();
            case Content.Parts parts -> parts.parts().stream().flatMap(part -> of(part).stream());
        };
    }

    private static Optional<BinaryBlock> of(ContentPart part) {
        return switch (part) {
            case ContentPart.Text _ -> Optional.empty();
            case ContentPart.Binary binary ->
                Optional.of(new BinaryBlock(
                        isImage(binary.mimeType()),
                        binary.mimeType(),
                        unlessEmpty(binary.url()),
                        binary.data() != null,
                        binary.filename(),
                        binary.id()));
            case ContentPart.Media media -> {
                String type = media.source().mimeType();
                boolean image = media.medium() == ContentPart.Medium.IMAGE && (type == null || isImage(type));
                yield Optional.of(
                        switch (media.source()) {
                            case ContentPart.UrlSource source ->
                                new BinaryBlock(image, type, unlessEmpty(source.value()), false, null, media.id());
                            case ContentPart.InlineSource _ ->
                                new BinaryBlock(image, type, null, true, null, media.id());
                            case ContentPart.FileSource _ ->
                                new BinaryBlock(image, type, null, false, null, media.id());
                        });
            }
        };
    }

    private static boolean isImage(String mimeType) {
        if (!mimeType.regionMatches(true, 0, IMAGE, 0, IMAGE.length())) {
            return false;
        }
        String subtype = mimeType.substring(IMAGE.length());
        return BEGINNING.begins(subtype) && SUBTYPE.spells(subtype);
    }

    private static @Nullable String unlessEmpty(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }
}
