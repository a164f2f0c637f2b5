package dev.parley.runs;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.StoredObject;
import dev.parley.auth.Principal;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Moves the bytes that come inside messages to where objects are kept, and writes their names in their place. Parts of
 * the older form become media parts, and one that only mirrors another is dropped. Nothing is fetched from anywhere.
 */
final class InlineFiles {
    private static final Pattern WHITESPACE = Pattern.compile("\\s+");

    private final Attachments attachments;
    private final int most;

    /** @param most files that may come with one run */
    InlineFiles(Attachments attachments, int most) {
        this.attachments = attachments;
        this.most = most;
    }

    /** The new messages of a run with their files kept. */
    NewMessages kept(
            Principal caller,
            ThreadId thread,
            String runId,
            List<NewMessages.Result> results,
            List<Message.User> users) {
        Keeping keeping = new Keeping(caller, thread, runId);
        List<NewMessages.Result> keptResults = results.stream()
                .map(result -> {
                    Message.Tool tool = result.message();
                    Kept kept = keeping.keep(tool.id(), tool.content());
                    return result.with(
                            new Message.Tool(
                                    tool.id(),
                                    kept.content(),
                                    tool.toolCallId(),
                                    tool.error(),
                                    tool.encryptedValue(),
                                    tool.metadata(),
                                    tool.subagentRunId()),
                            kept.files());
                })
                .toList();
        List<NewMessages.Question> questions = users.stream()
                .map(user -> {
                    Kept kept = keeping.keep(user.id(), user.content());
                    return new NewMessages.Question(
                            new Message.User(
                                    user.id(),
                                    kept.content(),
                                    user.name(),
                                    user.encryptedValue(),
                                    user.metadata(),
                                    user.subagentRunId()),
                            kept.files(),
                            true);
                })
                .toList();
        return NewMessages.of(keptResults, questions);
    }

    private record Kept(Content content, RunFiles files) {}

    /** What tells a file from another one: where its bytes are, or the bytes themselves. */
    private record Identity(String type, String value) {}

    /** One request's files. */
    private final class Keeping {
        private final Principal caller;
        private final ThreadId thread;
        private final String runId;
        private int files;

        Keeping(Principal caller, ThreadId thread, String runId) {
            this.caller = caller;
            this.thread = thread;
            this.runId = runId;
        }

        Kept keep(String messageId, Content content) {
            if (!(content instanceof Content.Parts parts)) {
                return new Kept(content, RunFiles.NONE);
            }
            List<ContentPart> stored = new ArrayList<>();
            List<RunFiles.Shown> shown = new ArrayList<>();
            List<ContentPart.Media> elsewhere = new ArrayList<>();
            for (ContentPart part : withoutMirrors(parts.parts())) {
                if (!(part instanceof ContentPart.Media media)) {
                    stored.add(part);
                    continue;
                }
                Optional<StoredObject> object = object(messageId, media);
                if (object.isPresent()) {
                    shown.add(new RunFiles.Shown(object.get(), filename(media), media.id()));
                    stored.add(named(media, object.get()));
                } else {
                    elsewhere.add(media);
                    stored.add(media);
                }
            }
            return new Kept(
                    new Content.Parts(stored),
                    new RunFiles(
                            shown, shown.stream().map(RunFiles.Shown::object).toList(), elsewhere));
        }

        /** The object of a part, if its bytes came with it or are ours already. */
        private Optional<StoredObject> object(String messageId, ContentPart.Media media) {
            if (++files > most) {
                throw ProblemException.invalidField("messages", "have more than " + most + " new attachments together");
            }
            return switch (media.source()) {
                case ContentPart.InlineSource inline -> Optional.of(keep(messageId, media, inline));
                case ContentPart.UrlSource url -> attachments.find(caller, url.value());
                case ContentPart.FileSource _ -> Optional.empty();
            };
        }

        private StoredObject keep(String messageId, ContentPart.Media media, ContentPart.InlineSource inline) {
            byte[] bytes;
            try {
                bytes = Base64.getDecoder().decode(base64(inline.value()));
            } catch (IllegalArgumentException undecodable) {
                throw ProblemException.invalidField(
                        "messages", "message " + messageId + " has a data part that is not base64");
            }
            if (bytes.length == 0) {
                throw ProblemException.invalidField("messages", "message " + messageId + " has an empty data part");
            }
            return attachments.keepPart(
                    caller, bytes, new Attachments.Label(thread.toString(), runId, filename(media), inline.mimeType()));
        }
    }

    /** Some send it with line breaks, and some as a whole data URL. */
    private static String base64(String value) {
        String bare = value.startsWith("data:") ? value.substring(value.indexOf(',') + 1) : value;
        return WHITESPACE.matcher(bare).replaceAll("");
    }

    /** The parts with files of the older form as media; a file that is there twice is there once. */
    private static List<ContentPart> withoutMirrors(List<ContentPart> parts) {
        Map<Object, ContentPart> once = new LinkedHashMap<>();
        for (ContentPart part : parts) {
            switch (part) {
                case ContentPart.Text text -> once.put(new Object(), text);
                case ContentPart.Media media -> once.merge(identity(media), media, InlineFiles::richer);
                case ContentPart.Binary binary ->
                    modern(binary).ifPresent(media -> once.merge(identity(media), media, InlineFiles::richer));
            }
        }
        return List.copyOf(once.values());
    }

    /** Of two parts that show the same file, the one that says more about it. */
    private static ContentPart richer(ContentPart first, ContentPart second) {
        return first instanceof ContentPart.Media media && media.metadata() == null ? second : first;
    }

    private static Identity identity(ContentPart.Media media) {
        return new Identity(media.source().type(), media.source().value());
    }

    /** A part that has nothing but an id is its client's alone: nobody else knows what it names. */
    private static Optional<ContentPart.Media> modern(ContentPart.Binary binary) {
        ContentPart.Source source;
        if (binary.data() != null && !binary.data().isEmpty()) {
            source = new ContentPart.InlineSource(binary.data(), binary.mimeType());
        } else if (binary.url() != null && !binary.url().isEmpty()) {
            source = new ContentPart.UrlSource(binary.url(), binary.mimeType());
        } else {
            return Optional.empty();
        }
        JsonNode metadata = binary.filename() == null
                ? null
                : Json.MAPPER.createObjectNode().put("filename", binary.filename());
        return Optional.of(
                new ContentPart.Media(ContentPart.Medium.of(binary.mimeType()), source, binary.id(), metadata));
    }

    private static @Nullable String filename(ContentPart.Media media) {
        JsonNode metadata = media.metadata();
        return metadata == null || !metadata.path("filename").isString()
                ? null
                : metadata.path("filename").asString();
    }

    private static ContentPart named(ContentPart.Media media, StoredObject object) {
        return new ContentPart.Media(
                media.medium(),
                new ContentPart.UrlSource(object.key().toString(), object.mimeType()),
                media.id(),
                media.metadata());
    }
}
