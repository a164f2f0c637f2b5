package dev.parley.limits;

import java.time.Duration;
import java.util.Map;

/**
 * Every limit of the server. The limits are grouped by the package that enforces them, from the bottom of the package
 * order to its top. Each limit is a setting with a default. The type gives the unit: {@code int} counts things, {@code
 * long} counts bytes.
 */
public record Limits(
        Storage storage,
        Http http,
        Requests requests,
        Rates rates,
        Lane lane,
        Threads threads,
        Objects objects,
        Agents agents,
        Contexts contexts,
        Runs runs,
        Agui agui,
        Streams streams,
        Delivery delivery,
        Sessions sessions,
        Ingest ingest) {
    /** Limits on waiting for the database. */
    public record Storage(
            // longest wait of a statement outside the lanes for a lock of the database
            @Limit(name = "limit-database-lock", value = "5s")
            Duration lockTimeout) {}

    /** Limits on one request, on one stream, and on all requests together. */
    public record Http(
            // bytes of a request's first line, and of all its headers together
            @Limit(name = "limit-header-bytes", value = "16KB")
            long headerBytes,
            // requests worked on at the same time
            @Limit(name = "limit-in-flight", value = "4_096")
            int inFlight,
            // requests that wait at the same time: for an event, a body, memory, or the end of an upload or download
            @Limit(name = "limit-waiting-polls", value = "16_384")
            int waiting,
            // part of the heap that all requests may hold together
            @Limit(name = "limit-request-memory-percent", value = "40")
            int memoryPercent,
            // longest wait of a request for memory
            @Limit(name = "limit-memory-timeout", value = "5s")
            Duration memoryTimeout,
            // time for a request's line and headers to arrive
            @Limit(name = "limit-head-timeout", value = "10s")
            Duration headTimeout,
            // time for a request's body to arrive; for an upload, the longest silence
            @Limit(name = "limit-body-timeout", value = "30s")
            Duration bodyTimeout,
            // time for an upload to arrive
            @Limit(name = "limit-upload-time", value = "5m") Duration uploadTime,
            // bytes read and dropped after an early refusal
            @Limit(name = "limit-drain-bytes", value = "16MB")
            long drainBytes,
            // time spent on reading and dropping after an early refusal
            @Limit(name = "limit-drain-time", value = "5s") Duration drainTime,
            // longest silence on a stream
            @Limit(name = "limit-heartbeat", value = "15s") Duration heartbeat,
            // time for which a reader may read nothing before its stream is cut
            @Limit(name = "limit-slow-reader", value = "10s")
            Duration slowReader,
            // time in which the reader of a download, or of a stream that catches up, must read another 64 KB
            @Limit(name = "limit-parcel-time", value = "5m") Duration parcelTime) {}

    /** Limits on the parts that requests of several APIs have in common. */
    public record Requests(
            // bytes of a request body, where a route names no other limit
            @Limit(name = "limit-other-body", value = "1MB") long body,
            // items of one page
            @Limit(name = "limit-page", value = "200") int page,
            // bytes of text after which a page of messages or events ends
            @Limit(name = "limit-page-bytes", value = "8MB") long pageBytes,
            // characters of an id that a caller chose
            @Limit(name = "limit-opaque-id", value = "128") int opaqueId,
            // code points of a display name
            @Limit(name = "limit-display-name", value = "200")
            int displayName,
            // bytes of a metadata object, as JSON
            @Limit(name = "limit-metadata-bytes", value = "16KB")
            long metadataBytes) {}

    /** Calls of one caller in a minute, by kind. */
    public record Rates(
            // messages and runs of one user
            @Limit(name = "limit-user-messages-per-minute", value = "600")
            int userMessages,
            // messages of one agent token
            @Limit(name = "limit-agent-messages-per-minute", value = "60")
            int agentMessages,
            // changes of threads by one credential
            @Limit(name = "limit-thread-operations-per-minute", value = "60")
            int threadOperations,
            // polls by one credential
            @Limit(name = "limit-polls-per-minute", value = "300")
            int polls,
            // posts of run events by one agent token
            @Limit(name = "limit-run-events-per-minute", value = "6_000")
            int runEvents,
            // uploads of one user or agent token
            @Limit(name = "limit-uploads-per-minute", value = "120")
            int uploads,
            // messages that one integration key delivers
            @Limit(name = "limit-ingest-per-minute", value = "6_000")
            int ingest) {}

    /** The queue of a lane and its transactions. */
    public record Lane(
            // commands waiting for one lane
            @Limit(name = "limit-lane-queue", value = "8_192")
            int queue,
            // bytes of the commands waiting for one lane
            @Limit(name = "limit-lane-queue-bytes", value = "64MB")
            long queueBytes,
            // commands in one transaction
            @Limit(name = "limit-lane-batch", value = "512") int batch,
            // bytes of the commands in one transaction
            @Limit(name = "limit-lane-batch-bytes", value = "8MB")
            long batchBytes,
            // longest wait for an append
            @Limit(name = "limit-append-deadline", value = "10s")
            Duration appendDeadline) {}

    /** A thread, its messages and its members. */
    public record Threads(
            // code points of a chat message
            @Limit(name = "limit-chat-content", value = "5_000")
            int content,
            // code points of a thread's title
            @Limit(name = "limit-title", value = "200") int title,
            // mentions in one message
            @Limit(name = "limit-mentions", value = "50") int mentions,
            // participants of one thread
            @Limit(name = "limit-participants", value = "100")
            int participants,
            // different emojis of one author on one message
            @Limit(name = "limit-reactions", value = "20") int reactions,
            // messages that one filtered read searches
            @Limit(name = "limit-filter-scan", value = "5_000")
            int filterScan,
            // messages of one page of a thread's history
            @Limit(name = "limit-history-day", value = "1_000")
            int historyDay) {}

    /** Uploads, and the objects that owners keep. */
    public record Objects(
            // bytes of one upload
            @Limit(name = "limit-upload-bytes", value = "10MB")
            long uploadBytes,
            // uploads that arrive at the same time
            @Limit(name = "limit-uploads-at-once", value = "256")
            int uploadsAtOnce,
            // uploads of one actor that arrive at the same time
            @Limit(name = "limit-uploads-per-actor", value = "64")
            int uploadsPerActor,
            // pixels that an image may have in all
            @Limit(name = "limit-image-pixels", value = "100_000_000")
            int imagePixels,
            // days after which an attachment that no message shows is removed
            @Limit(name = "limit-unused-attachment-days", value = "7")
            int unusedDays,
            // objects that one owner keeps
            @Limit(name = "limit-owned-objects", value = "10_000")
            int owned,
            // bytes of the objects that one owner keeps
            @Limit(name = "limit-owned-bytes", value = "1024MB")
            long ownedBytes) {}

    /** Calls of remote agents and of model providers. */
    public record Agents(
            // bytes of one event that a remote agent or a provider sends
            @Limit(name = "limit-remote-frame", value = "4MB")
            long frameBytes,
            // time for which a remote agent may send nothing
            @Limit(name = "limit-remote-silence", value = "2m")
            Duration remoteSilence,
            // time for which a model's provider may send nothing
            @Limit(name = "limit-model-silence", value = "2m")
            Duration modelSilence) {}

    /** The context that an agent is shown. */
    public record Contexts(
            // messages of the thread that an agent is shown
            @Limit(name = "limit-context-messages", value = "200")
            int messages,
            // estimated tokens in the context of an agent without a limit of its own
            @Limit(name = "limit-context-tokens", value = "200_000")
            int tokens,
            // approximate bytes of the cached contexts of agents, and as much again for stored contexts
            @Limit(name = "limit-context-memory", value = "64MB")
            long memory,
            // days for which the context of a model call is kept
            @Limit(name = "limit-context-days", value = "30")
            int days) {}

    /** A run, its input and its output. */
    public record Runs(
            // bytes of the body that starts a run
            @Limit(name = "limit-agent-body", value = "256KB")
            long body,
            // messages in a run's input
            @Limit(name = "limit-run-messages", value = "200")
            int messages,
            // code points in all text blocks of the user message that starts a run
            @Limit(name = "limit-run-text", value = "10_000")
            int text,
            // images that come with one run
            @Limit(name = "limit-attachments", value = "20") int attachments,
            // runs that this node executes at the same time
            @Limit(name = "limit-runs-executing", value = "256")
            int executing,
            // runs that wait in one thread
            @Limit(name = "limit-runs-queued", value = "100")
            int queued,
            // time that a run may take
            @Limit(name = "limit-run-time", value = "15m") Duration time,
            // time for an external agent to begin a run that it was asked for
            @Limit(name = "limit-run-claim", value = "5m") Duration claimTime,
            // characters that one run may emit
            @Limit(name = "limit-run-output", value = "4_000_000")
            int output,
            // days for which a run's own events are kept after its end
            @Limit(name = "limit-run-event-days", value = "30")
            int eventDays) {}

    /** Runs on the AG-UI face, whose clients send the whole conversation. */
    public record Agui(
            // bytes of a run's input
            @Limit(name = "limit-agui-body", value = "20MB") long body,
            // messages in a run's input
            @Limit(name = "limit-agui-messages", value = "10_000")
            int messages,
            // code points of a new message in a run's input
            @Limit(name = "limit-agui-text", value = "262_144")
            int text,
            // bytes of the conversation that a client is shown at once
            @Limit(name = "limit-snapshot-bytes", value = "8MB")
            long snapshotBytes) {}

    /** Streams and long polls, and the tails that feed them. */
    public record Streams(
            // open streams of one actor
            @Limit(name = "limit-streams-per-actor", value = "64")
            int perActor,
            // threads that one stream follows
            @Limit(name = "limit-stream-threads", value = "32")
            int threads,
            // longest wait of a polling request
            @Limit(name = "limit-long-poll", value = "30s") Duration longPoll,
            // bytes kept for the readers of one thread
            @Limit(name = "limit-tail-bytes", value = "256KB")
            long tailBytes,
            // bytes kept for the readers of all threads
            @Limit(name = "limit-tail-bytes-total", value = "64MB")
            long tailBytesTotal,
            // pages that are read at the same time for readers who catch up
            @Limit(name = "limit-page-reads", value = "32") int pageReads) {}

    /** Webhooks, and replies to other platforms. */
    public record Delivery(
            // webhooks of one thread
            @Limit(name = "limit-webhooks", value = "10") int webhooks,
            // time for a webhook's receiver to answer
            @Limit(name = "limit-webhook-answer", value = "15s")
            Duration webhookAnswer,
            // interval at which all webhooks are checked for events without a wake-up on this node
            @Limit(name = "limit-webhook-sweep", value = "10s")
            Duration webhookSweep,
            // parts that one message may be split into for a platform
            @Limit(name = "limit-delivery-parts", value = "50")
            int parts,
            // time for which a failing delivery is retried
            @Limit(name = "limit-delivery-patience", value = "24h")
            Duration patience,
            // webhooks that this node serves at the same time; the same limit applies to platform destinations
            @Limit(name = "limit-deliveries-at-once", value = "64")
            int atOnce,
            // time for which one destination is served before other destinations get its slot; an event in progress is
            // finished
            @Limit(name = "limit-delivery-turn", value = "1s")
            Duration turn,
            // time for which a sending node may be silent before another node takes over
            @Limit(name = "limit-delivery-lease", value = "30s")
            Duration lease) {}

    /** The sessions face. */
    public record Sessions(
            // bytes of a body, including the images of its messages
            @Limit(name = "limit-session-body", value = "32MB")
            long body,
            // messages in one post to a session
            @Limit(name = "limit-session-events", value = "1_000")
            int events,
            // messages of a session in one answer for a model
            @Limit(name = "limit-session-messages", value = "1_000")
            int messages,
            // bytes of an answer that has images inside it
            @Limit(name = "limit-session-answer", value = "64MB")
            long answerBytes,
            // bytes of the document that a session's client keeps besides messages
            @Limit(name = "limit-session-document", value = "4MB")
            long documentBytes,
            // agents that the sessions of one owner name
            @Limit(name = "limit-session-agents", value = "500")
            int agents,
            // events of a session's run in one post, which is stored in one transaction
            @Limit(name = "limit-session-run-events", value = "20_000")
            int runEvents) {}

    /** Limits on messages that integrations and chat platforms deliver. */
    public record Ingest(
            // bytes of a message that an integration delivers, with its files
            @Limit(name = "limit-ingest-body", value = "16MB")
            long body,
            // code points of a message's text
            @Limit(name = "limit-ingest-text", value = "40_000")
            int text,
            // bytes of an id that another platform gave
            @Limit(name = "limit-external-id", value = "256")
            long externalId,
            // code points of the token that mentions the bot on another platform
            @Limit(name = "limit-mention-token", value = "100")
            int mentionToken,
            // bytes of the earlier conversation that an integration sends with a message
            @Limit(name = "limit-thread-context", value = "8KB")
            long threadContext,
            // time for all files of one message to be fetched from their platform
            @Limit(name = "limit-platform-files-time", value = "8s")
            Duration filesTime,
            // time for a platform to return the names of a message's senders; a sender whose name is late keeps its id
            @Limit(name = "limit-platform-names-time", value = "1500ms")
            Duration namesTime,
            // time for a platform to return the messages before an inbound message
            @Limit(name = "limit-platform-history-time", value = "8s")
            Duration historyTime,
            // newest earlier messages that the server requests from a platform
            @Limit(name = "limit-platform-history-messages", value = "50")
            int historyMessages) {}

    private static final Limits DEFAULTS = with(Map.of());

    public static Limits defaults() {
        return DEFAULTS;
    }

    /**
     * The defaults with some limits replaced, each under the name of its setting and in its own type.
     *
     * @throws IllegalArgumentException if a name belongs to no limit, or a value does not have the type of its limit
     */
    public static Limits with(Map<String, Object> replaced) {
        return LimitSettings.build(Limits.class, replaced);
    }

    /** The defaults by the names of their settings, each in the type of its limit. */
    public static Map<String, Object> settings() {
        return LimitSettings.of(Limits.class);
    }
}
