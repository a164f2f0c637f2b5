package dev.parley.runs.input;

import dev.parley.attachments.Attachments;
import dev.parley.attachments.MessageFiles;
import dev.parley.attachments.StoredObject;
import dev.parley.auth.Principal;
import dev.parley.protocol.Json;
import dev.parley.protocol.ProblemException;
import dev.parley.protocol.ThreadId;
import dev.parley.protocol.agui.Content;
import dev.parley.protocol.agui.ContentPart;
import dev.parley.protocol.agui.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Moves the bytes inside messages to the object store, and replaces the bytes by the objects' names. This class fetches
 * no files from other servers.
 */
public final class InlineFiles {
    /** The maximum number of characters in a part without bytes, which is stored unchanged with its message. */
    private static final int MAX_PART = 4 * 1024;

    private final Attachments attachments;
    private final int most;

    /** @param most the number of files that may come with one run */
    public InlineFiles(Attachments attachments, int most) {
        this.attachments = attachments;
        this.most = most;
    }

    /**
     * The new messages of a run with their files stored.
     *
     * @param objects the objects created for the run, which are deleted if the run is refused
     */
    public record StoredInput(NewMessages newMessages, List<StoredObject> objects) {}

    /**
     * Stores the files of a run's new messages. All parts are checked before the first file is stored, and a refusal
     * leaves no file stored.
     */
    public StoredInput store(
            Principal caller,
            ThreadId thread,
            String runId,
            List<NewMessages.Result> results,
            List<Message.User> users) {
        RequestFiles requestFiles = new RequestFiles(caller, thread, runId);
        List<List<Piece>> resultPieces = results.stream()
                .map(result -> requestFiles.read(
                        result.message().id(), result.message().content()))
                .toList();
        List<List<Piece>> userPieces = users.stream()
                .map(user -> requestFiles.read(user.id(), user.content()))
                .toList();
        List<NewMessages.Result> storedResults = new ArrayList<>();
        List<NewMessages.Question> questions = new ArrayList<>();
        try {
            for (int i = 0; i < results.size(); i++) {
                Message.Tool tool = results.get(i).message();
                Rewritten rewritten = requestFiles.store(tool.content(), resultPieces.get(i));
                storedResults.add(results.get(i)
                        .with(
                                new Message.Tool(
                                        tool.id(),
                                        rewritten.content(),
                                        tool.toolCallId(),
                                        tool.error(),
                                        tool.encryptedValue(),
                                        tool.metadata(),
                                        tool.subagentRunId()),
                                rewritten.files()));
            }
            for (int i = 0; i < users.size(); i++) {
                Message.User user = users.get(i);
                Rewritten rewritten = requestFiles.store(user.content(), userPieces.get(i));
                questions.add(new NewMessages.Question(
                        new Message.User(
                                user.id(),
                                rewritten.content(),
                                user.name(),
                                user.encryptedValue(),
                                user.metadata(),
                                user.subagentRunId()),
                        rewritten.files(),
                        true));
            }
        } catch (ProblemException refused) {
            attachments.forget(requestFiles.objects);
            throw refused;
        }
        return new StoredInput(NewMessages.of(storedResults, questions), requestFiles.objects);
    }

    /**
     * Deletes the files of a refused run. After a server error the files stay, because the run may have been written.
     */
    public void forget(StoredInput storedInput, ProblemException refused) {
        if (refused.problem().status() < 500) {
            attachments.forget(storedInput.objects());
        }
    }

    private record Rewritten(Content content, RunFiles files) {}

    /** A part, after its source has been read. */
    private sealed interface Piece {
        record Plain(ContentPart part) implements Piece {}

        record Bytes(ContentPart.Media media, byte[] bytes) implements Piece {}

        record Stored(ContentPart.Media media, StoredObject object) implements Piece {}

        record Elsewhere(ContentPart.Media media) implements Piece {}
    }

    /** The files of one request. */
    private final class RequestFiles {
        private final Principal caller;
        private final ThreadId thread;
        private final String runId;
        private final List<StoredObject> objects = new ArrayList<>();
        private int files;

        RequestFiles(Principal caller, ThreadId thread, String runId) {
            this.caller = caller;
            this.thread = thread;
            this.runId = runId;
        }

        List<Piece> read(String messageId, Content content) {
            return content instanceof Content.Parts parts
                    ? FileParts.withoutMirrors(parts.parts()).stream()
                            .flatMap(part -> read(messageId, part).stream())
                            .toList()
                    : List.of();
        }

        private Optional<Piece> read(String messageId, ContentPart part) {
            if (!(part instanceof ContentPart.Media media)) {
                return Optional.of(new Piece.Plain(part));
            }
            if (++files > most) {
                throw ProblemException.invalidField("messages", "have more than " + most + " new attachments together");
            }
            return switch (media.source()) {
                case ContentPart.InlineSource inline ->
                    Optional.of(new Piece.Bytes(media, FileParts.bytes(messageId, inline)));
                case ContentPart.UrlSource url -> named(messageId, media, url.value());
                case ContentPart.FileSource _ -> Optional.of(elsewhere(messageId, media));
            };
        }

        /** The part for a URL. A URL of ours that the caller may not open is dropped, and its token is not stored. */
        private Optional<Piece> named(String messageId, ContentPart.Media media, String url) {
            Optional<StoredObject> object = attachments.find(caller, url);
            if (object.isPresent()) {
                return Optional.of(new Piece.Stored(media, object.get()));
            }
            return attachments.nameIn(url).isPresent() ? Optional.empty() : Optional.of(elsewhere(messageId, media));
        }

        private Piece elsewhere(String messageId, ContentPart.Media media) {
            if (Json.MAPPER.writeValueAsString(media).length() > MAX_PART) {
                throw ProblemException.invalidField(
                        "messages",
                        "message " + messageId + " has a part without its bytes that is longer than " + MAX_PART
                                + " characters");
            }
            return new Piece.Elsewhere(media);
        }

        Rewritten store(Content content, List<Piece> pieces) {
            if (!(content instanceof Content.Parts)) {
                return new Rewritten(content, RunFiles.NONE);
            }
            List<ContentPart> stored = new ArrayList<>();
            List<MessageFiles.MessageFile> shown = new ArrayList<>();
            List<ContentPart.Media> elsewhere = new ArrayList<>();
            for (Piece piece : pieces) {
                switch (piece) {
                    case Piece.Plain(ContentPart part) -> stored.add(part);
                    case Piece.Elsewhere(ContentPart.Media media) -> {
                        elsewhere.add(media);
                        stored.add(media);
                    }
                    case Piece.Stored(ContentPart.Media media, StoredObject object) ->
                        show(media, object, shown, stored);
                    case Piece.Bytes(ContentPart.Media media, byte[] bytes) ->
                        show(media, store(media, bytes), shown, stored);
                }
            }
            return new Rewritten(
                    new Content.Parts(stored),
                    new RunFiles(
                            shown,
                            shown.stream().map(MessageFiles.MessageFile::object).toList(),
                            elsewhere));
        }

        private StoredObject store(ContentPart.Media media, byte[] bytes) {
            StoredObject object = attachments.keepPart(
                    caller,
                    bytes,
                    new Attachments.Label(
                            thread.toString(),
                            runId,
                            filename(media),
                            media.source().mimeType()));
            objects.add(object);
            return object;
        }
    }

    private static void show(
            ContentPart.Media media,
            StoredObject object,
            List<MessageFiles.MessageFile> shown,
            List<ContentPart> stored) {
        shown.add(new MessageFiles.MessageFile(object, filename(media), media.id()));
        stored.add(named(media, object));
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
