package dev.parley.sdk;

import dev.parley.protocol.ThreadId;
import dev.parley.protocol.chat.Caller;
import dev.parley.protocol.chat.NewThread;
import dev.parley.protocol.chat.NewTicket;
import dev.parley.protocol.chat.ThreadView;
import dev.parley.protocol.chat.Ticket;
import dev.parley.protocol.ingest.IngestAnswer;
import dev.parley.protocol.ingest.IngestChat;
import dev.parley.protocol.ingest.IngestExplanation;
import dev.parley.protocol.ingest.IngestRevision;
import dev.parley.protocol.ingest.RevisionAnswer;
import java.net.URI;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of one Parley server. Many Java threads may share a client. Closing the client ends its streams and
 * connections.
 */
public final class Parley implements AutoCloseable {
    /** The path of the inbox stream, for {@link #streamTicket}. */
    public static final String INBOX_PATH = InboxSubscription.PATH;

    static final String ME = "/api/v1/auth/me";
    private static final String INGEST = "/api/v1/ingest/chat";
    private static final String EXPLAIN = "/api/v1/ingest/explain";
    private static final String REVISIONS = "/api/v1/ingest/revisions";

    private final Transport transport;

    private Parley(ClientSettings settings) {
        this.transport = new Transport(settings);
    }

    /** Makes a client without a token, which calls as the local user. No request is sent before the first call. */
    public static Parley connect(URI base) {
        return at(base).connect();
    }

    public static Parley connect(URI base, Token token) {
        return at(base).token(token).connect();
    }

    /** @param token the supplier of the token, called before every request, for tokens that expire */
    public static Parley connect(URI base, Supplier<String> token) {
        return at(base).token(token).connect();
    }

    public static Builder at(URI base) {
        return new Builder(base);
    }

    /** Creates a thread, as {@link Threads#create(NewThread)} does. */
    public ThreadView createThread(NewThread thread) {
        return threads().create(thread);
    }

    public Threads threads() {
        return new Threads(transport);
    }

    public ThreadClient thread(ThreadId id) {
        return new ThreadClient(transport, id);
    }

    /** The runs of agents, and their events. */
    public Runs runs() {
        return new Runs(transport);
    }

    /** The messages of the caller's threads, day by day. */
    public History history() {
        return new History(transport);
    }

    /** Images that go with messages. */
    public Attachments attachments() {
        return new Attachments(transport);
    }

    /** Follows all of the caller's threads at once, by hints of changes. */
    public InboxSubscription inbox(InboxListener listener) {
        return new InboxSubscription(transport, listener).start();
    }

    /** The caller's agents and tokens. */
    public Owner owner() {
        return new Owner(transport);
    }

    /** The calls that only operators may make. */
    public Operator operator() {
        return new Operator(transport);
    }

    /**
     * Sends a message from another platform, as the platform's integration. If the metadata has one of the platform's
     * own ids, the call is retried and safe to repeat, because a repeated message gets its first result.
     */
    public IngestAnswer ingest(IngestChat message) {
        Request request = Request.post(INGEST, message);
        boolean keyed = message.msgMetadata().hasNonNull("external_message_id")
                || message.msgMetadata().hasNonNull("external_event_id");
        return transport.call(keyed ? request : request.once(), IngestAnswer.class);
    }

    /** The result that {@link #ingest} would have for a message, and the reasons. The server stores nothing. */
    public IngestExplanation explain(IngestChat message) {
        return transport.call(Request.post(EXPLAIN, message), IngestExplanation.class);
    }

    /**
     * Reports an edit, a deletion or a reaction, as the message's integration. The call is retried and safe to repeat.
     */
    public RevisionAnswer revise(IngestRevision revision) {
        return transport.call(Request.post(REVISIONS, revision), RevisionAnswer.class);
    }

    /** The caller, as the server authenticates it. */
    public Caller whoAmI() {
        return transport.get(ME, Caller.class);
    }

    /**
     * A ticket that opens one stream without a header, as {@code ?ticket=}, for browsers.
     *
     * @param path the path of the stream, such as {@link ThreadClient#streamPath} or {@link #INBOX_PATH}
     */
    public String streamTicket(String path) {
        return transport
                .call(Request.post("/api/v1/auth/stream-tickets", new NewTicket(path)), Ticket.class)
                .ticket();
    }

    @Override
    public void close() {
        transport.close();
    }

    /** Builds a client; a setting that is not given has a sensible default. */
    public static final class Builder {
        private final ClientSettings defaults;
        private @Nullable Supplier<String> token;
        private Duration connectLimit;
        private Duration answerLimit;
        private Duration silenceLimit;
        private RetryPolicy calls;
        private RetryPolicy streams;

        private Builder(URI base) {
            this.defaults = ClientSettings.of(base);
            this.connectLimit = defaults.connectLimit();
            this.answerLimit = defaults.answerLimit();
            this.silenceLimit = defaults.silenceLimit();
            this.calls = defaults.calls();
            this.streams = defaults.streams();
        }

        public Builder token(Token given) {
            return token(given::value);
        }

        public Builder token(Supplier<String> given) {
            this.token = given;
            return this;
        }

        public Builder connectLimit(Duration limit) {
            this.connectLimit = limit;
            return this;
        }

        /** The maximum duration of one attempt, up to the end of its answer. */
        public Builder answerLimit(Duration limit) {
            this.answerLimit = limit;
            return this;
        }

        /** The server's heartbeat interval. A stream without a byte for three intervals is replaced. */
        public Builder heartbeat(Duration interval) {
            this.silenceLimit = interval.multipliedBy(3);
            return this;
        }

        public Builder retryCalls(RetryPolicy policy) {
            this.calls = policy;
            return this;
        }

        public Builder retryStreams(RetryPolicy policy) {
            this.streams = policy;
            return this;
        }

        public Parley connect() {
            return new Parley(new ClientSettings(
                    defaults.base(), token, connectLimit, answerLimit, silenceLimit, calls, streams));
        }
    }
}
