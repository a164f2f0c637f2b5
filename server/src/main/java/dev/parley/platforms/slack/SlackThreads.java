package dev.parley.platforms.slack;

import static dev.parley.ingest.HistoryCalls.CONFIG_RETRY_DELAY;
import static dev.parley.ingest.HistoryCalls.DEFAULT_RETRY_DELAY;
import static dev.parley.ingest.HistoryCalls.MISSING_TOKEN_RETRY_DELAY;

import dev.parley.ingest.EarlierMessage;
import dev.parley.ingest.HistoryCalls;
import dev.parley.ingest.MissingHistory;
import dev.parley.ingest.PlatformHistory;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the messages of a Slack thread before one of its replies, by <a
 * href="https://docs.slack.dev/reference/methods/conversations.replies">conversations.replies</a>. Slack shows a thread
 * from its root on, so everything up to the reply is read, page by page, and the newest messages are kept. A pause that
 * Slack asks for applies to all threads. A read waits for the end of the pause if the time limit allows.
 */
final class SlackThreads {
    private static final int PAGE = 200;
    private static final int MAX_PAGES = 10;
    private static final Set<String> GONE = Set.of("thread_not_found", "message_not_found");

    private final @Nullable SlackApi api;
    private final SlackNames names;
    private final HistoryCalls calls = new HistoryCalls();

    /** @param api null if there is no token; Slack then cannot be asked */
    SlackThreads(@Nullable SlackApi api, SlackNames names) {
        this.api = api;
        this.names = names;
    }

    /**
     * The messages before a reply.
     *
     * @param allDelivered true if Slack sends every message of the channel, false if it sends mentions only
     */
    MissingHistory before(String channel, String root, String reply, boolean allDelivered) {
        return new MissingHistory.InThread(
                root,
                allDelivered,
                (maxMessages, limit) -> read(new ThreadKey(channel, root, reply), maxMessages, limit));
    }

    private record ThreadKey(String channel, String root, String reply) {}

    private PlatformHistory read(ThreadKey thread, int maxMessages, Duration limit) throws InterruptedException {
        SlackApi slack = api;
        if (slack == null) {
            return new PlatformHistory.Unread(
                    "Without slack-bot-token Slack cannot be asked for the thread's earlier messages.",
                    MISSING_TOKEN_RETRY_DELAY);
        }
        long deadline = HistoryCalls.deadlineAfter(limit);
        Pages pages = new Pages(thread, maxMessages);
        String cursor = "";
        for (int page = 0; page < MAX_PAGES; page++) {
            switch (ask(slack, thread, cursor, deadline)) {
                case SlackReply.Done(ObjectNode body) -> {
                    body.path("messages").forEach(pages::add);
                    cursor = SlackJson.text(body.path("response_metadata"), "next_cursor");
                    if (cursor.isEmpty()) {
                        return pages.toHistory(null);
                    }
                }
                case SlackReply.Failed(String error) -> {
                    return pages.orElse(sentence(error), GONE.contains(error) ? null : pause(error));
                }
                case SlackReply.Limited(Duration after) -> {
                    return pages.orElse("Slack limits how often a thread's earlier messages are read.", after);
                }
                case SlackReply.Lost(String reason, boolean maybeDone) -> {
                    return pages.orElse(
                            "Slack did not show the thread's earlier messages: " + reason, DEFAULT_RETRY_DELAY);
                }
            }
        }
        return pages.toHistory("The thread has more than " + PAGE * MAX_PAGES + " messages; no more were read.");
    }

    private SlackReply ask(SlackApi slack, ThreadKey thread, String cursor, long deadline) throws InterruptedException {
        Map<String, String> arguments = new TreeMap<>();
        arguments.put("channel", thread.channel());
        arguments.put("ts", thread.root());
        arguments.put("latest", thread.reply());
        arguments.put("include_all_metadata", "true");
        arguments.put("limit", Integer.toString(PAGE));
        if (!cursor.isEmpty()) {
            arguments.put("cursor", cursor);
        }
        try {
            return calls.call(
                    deadline,
                    remaining -> slack.query("conversations.replies", arguments, remaining),
                    SlackThreads::pause);
        } catch (HistoryCalls.TimeOver over) {
            return over.pause() == null
                    ? new SlackReply.Lost("The time limit was reached.", false)
                    : new SlackReply.Limited(over.pause());
        }
    }

    private static @Nullable Duration pause(SlackReply reply) {
        return reply instanceof SlackReply.Limited(Duration after)
                ? Objects.requireNonNullElse(after, DEFAULT_RETRY_DELAY)
                : null;
    }

    private static @Nullable Duration pause(String error) {
        return switch (SlackError.of(error)) {
            case TEMPORARY, SERVER -> DEFAULT_RETRY_DELAY;
            case CONFIGURATION, PERMANENT -> CONFIG_RETRY_DELAY;
        };
    }

    private static String sentence(String error) {
        String remedy = switch (error) {
            case "missing_scope" -> " Give the app the history scope of this kind of channel.";
            case "not_in_channel", "channel_not_found" -> " The app is not in the channel; invite it.";
            case "thread_not_found", "message_not_found" -> " The thread's first message was deleted.";
            default -> "";
        };
        return SlackError.sentence(error) + remedy;
    }

    /** The messages of the pages read so far: the root, and the newest replies. */
    private final class Pages {
        private final ThreadKey thread;
        private final int maxMessages;
        private final Deque<JsonNode> newest = new ArrayDeque<>();
        private @Nullable JsonNode root;
        private boolean rootDeleted;
        private final List<List<String>> skipped = new ArrayList<>();

        Pages(ThreadKey thread, int maxMessages) {
            this.thread = thread;
            this.maxMessages = maxMessages;
        }

        void add(JsonNode message) {
            String ts = SlackJson.text(message, "ts");
            boolean isRoot = ts.equals(thread.root());
            if (isRoot && SlackJson.text(message, "subtype").equals("tombstone")) {
                rootDeleted = true;
            }
            if (!SlackEvents.isMessage(message) || !isRoot && ts.compareTo(thread.reply()) >= 0) {
                return;
            }
            if (isRoot) {
                root = message;
                return;
            }
            newest.addLast(message);
            if (newest.size() > maxMessages) {
                skipped.add(ids(newest.removeFirst()));
            }
        }

        /** The messages that were read before a page failed; the failure if no message was read. */
        PlatformHistory orElse(String problem, @Nullable Duration retryAfter) throws InterruptedException {
            return root == null && newest.isEmpty()
                    ? new PlatformHistory.Unread(problem, retryAfter)
                    : toHistory(problem);
        }

        PlatformHistory toHistory(@Nullable String problem) throws InterruptedException {
            List<JsonNode> all = new ArrayList<>(newest);
            Optional.ofNullable(root).ifPresent(first -> all.add(0, first));
            names.lookUp(all.stream()
                    .map(message -> SlackJson.text(message, "user"))
                    .filter(user -> !user.isEmpty())
                    .collect(Collectors.toSet()));
            return new PlatformHistory.Read(
                    all.stream()
                            .map(this::message)
                            .filter(message -> !message.text().isBlank())
                            .toList(),
                    new PlatformHistory.Skipped(skipped, 0),
                    rootDeleted,
                    problem);
        }

        private static List<String> ids(JsonNode message) {
            return Stream.of(SlackJson.text(message, "ts"), SlackMessages.marker(message))
                    .filter(Objects::nonNull)
                    .toList();
        }

        private EarlierMessage message(JsonNode message) {
            SlackSender sender = SlackSender.of(message, id -> names.known(id).orElse(id));
            String text = SlackText.decode(SlackBlocks.text(message));
            String ts = SlackJson.text(message, "ts");
            return new EarlierMessage(
                    ts,
                    null,
                    SlackMessages.marker(message),
                    new EarlierMessage.Author(
                            SlackPlatform.SOURCE + ":" + sender.id(), sender.name(), sender.mentionToken()),
                    text.isBlank() ? SlackFiles.placeholder(message) : text,
                    SlackMessages.sentAt(ts).orElse(null),
                    ts.equals(thread.root()));
        }
    }
}
