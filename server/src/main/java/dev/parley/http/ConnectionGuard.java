package dev.parley.http;

import dev.parley.protocol.Alphabet;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.Http1ServerConfig;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.http.impl.http1.VertxHttpRequestDecoder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one connection's requests, refuses folded headers (RFC 9112, 5.2), and closes the connection if a head, a
 * body or the next request is late. Only the connection's event loop touches the guard.
 */
final class ConnectionGuard extends VertxHttpRequestDecoder {
    private static final AttributeKey<ConnectionGuard> KEY = AttributeKey.valueOf(ConnectionGuard.class, "guard");
    /** The characters of hosts and ports: RFC 3986, 3.2.2 and 3.2.3. */
    private static final Alphabet HOST = Alphabet.of("A-Za-z0-9._~%!$&'()*+,;=:[]-");

    private static final String DECODER = "httpDecoder";
    /** A time that is longer than any client waits, and far too short to overflow. */
    private static final long UNLIMITED = Duration.ofDays(1).toNanos();

    /** The part of a request that the decoder waits for. */
    private enum Awaiting {
        REQUEST,
        HEAD,
        BODY
    }

    private final LoopWatch watch;
    private final HttpSettings settings;
    private final Channel channel;
    private final HeadScan scan = new HeadScan();
    private Awaiting awaiting = Awaiting.HEAD;
    private long deadline;
    private long bodyTimeLeft;
    private int unanswered;
    private boolean stopped;
    private boolean streaming;
    private boolean inputEnded;
    private boolean uploading;
    private boolean listening;
    private long lastHeard;
    /** Receives the reason why the current body cannot be read to its end; null if no request waits for the body. */
    private @Nullable Consumer<ProblemException> bodyFailure;

    private ConnectionGuard(LoopWatch watch, HttpSettings settings, Http1ServerConfig limits, Channel channel) {
        super(limits);
        this.watch = watch;
        this.settings = settings;
        this.channel = channel;
        this.deadline = System.nanoTime() + settings.limits().headTimeout().toNanos();
    }

    /** Replaces the connection's own decoder, before its first byte is read. */
    static void install(HttpConnection connection, LoopWatch watch, HttpSettings settings, Http1ServerConfig limits) {
        Channel channel = channelOf(connection);
        ConnectionGuard guard = new ConnectionGuard(watch, settings, limits, channel);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.pipeline().replace(DECODER, DECODER, guard);
        channel.attr(KEY).set(guard);
        watch.add(guard);
        connection.closeHandler(closed -> watch.remove(guard));
    }

    static ConnectionGuard of(HttpConnection connection) {
        return channelOf(connection).attr(KEY).get();
    }

    private static Channel channelOf(HttpConnection connection) {
        return ((HttpServerConnection) connection).channelHandlerContext().channel();
    }

    LoopWatch watch() {
        return watch;
    }

    Channel channel() {
        return channel;
    }

    /** Records that one request has its whole answer, or that its connection is lost. */
    void answered() {
        unanswered--;
        streaming = false;
        if (inputEnded && unanswered == 0) {
            closeAfterWrites();
        }
        if (awaiting == Awaiting.REQUEST) {
            deadline = System.nanoTime() + settings.idleTimeout().toNanos();
        }
    }

    /**
     * Marks the answer as a stream. Returns false if the client has ended its side: the client of a stream has then
     * left.
     */
    boolean streams() {
        streaming = true;
        return !inputEnded;
    }

    /** Marks the body as an upload, which may take long unless the client is silent while the server wants bytes. */
    void uploads() {
        if (awaiting == Awaiting.BODY) {
            await(Awaiting.BODY, settings.limits().uploadTime().toNanos());
            uploading = true;
        }
    }

    /**
     * Sets whether the server wants bytes of the upload now. While it wants none, silence is not the client's fault.
     */
    void listens(boolean wanted) {
        listening = wanted;
        lastHeard = System.nanoTime();
    }

    /**
     * Stops reading from the client. If only the request were paused, Vert.x would read on until it holds a megabyte
     * for the request.
     */
    void pause(HttpServerRequest request) {
        request.pause();
        channel.config().setAutoRead(false);
    }

    void resume(HttpServerRequest request) {
        channel.config().setAutoRead(true);
        request.resume();
    }

    /** Stops the body's clock while the server does not read the body. */
    void bodyWaits() {
        if (awaiting == Awaiting.BODY && bodyTimeLeft == 0) {
            long now = System.nanoTime();
            bodyTimeLeft = Math.max(1, deadline - now);
            deadline = now + UNLIMITED;
        }
    }

    /** Starts the body's clock again with the time that was left. */
    void bodyGoesOn() {
        if (awaiting == Awaiting.BODY && bodyTimeLeft > 0) {
            deadline = System.nanoTime() + bodyTimeLeft;
            bodyTimeLeft = 0;
        }
    }

    /** Sets the callback that receives the problem if the body breaks off or does not arrive in time. */
    void bodyFailsInto(Consumer<ProblemException> taker) {
        bodyFailure = taker;
    }

    /** True if nothing more is read from the client. */
    boolean readsNoMore() {
        return stopped;
    }

    /** Gives the rest of an unwanted body only a short time to end. */
    void bodyRefused() {
        uploading = false;
        bodyFailure = null;
        if (awaiting == Awaiting.BODY) {
            long soon = System.nanoTime() + settings.limits().drainTime().toNanos();
            deadline = soon - deadline < 0 ? soon : deadline;
        }
    }

    /** Closes the connection if the client is late. */
    void check(long now) {
        // A client is late only after all earlier requests have been answered. Until then, the server does not read on
        // in a pipelined request, and the client may wait for its answers before it sends another request.
        int own = awaiting == Awaiting.BODY ? 1 : 0;
        boolean silent = uploading
                && listening
                && now - lastHeard > settings.limits().bodyTimeout().toNanos();
        if (unanswered <= own && (silent || now - deadline > 0)) {
            fail(new ProblemException(Problem.BODY_TIMEOUT, "The body did not arrive in time."));
        }
    }

    /** Reports the failure to the request that waits for the body, or closes the connection if no request waits. */
    private void fail(ProblemException failure) {
        Consumer<ProblemException> taker = bodyFailure;
        if (taker == null) {
            close();
            return;
        }
        stopped = true;
        // This deadline is for the answer. Without an answer, the connection is closed at the deadline.
        await(Awaiting.BODY, settings.limits().drainTime().toNanos());
        taker.accept(failure);
    }

    void close() {
        hangUp(channel);
    }

    /**
     * Closes the connection below all handlers, because handlers would first wait for queued writes. A client that
     * reads nothing would then keep its connection, and its queue, for ever.
     */
    static void hangUp(Channel channel) {
        ChannelHandlerContext lowest = channel.pipeline().firstContext();
        var unused = lowest == null ? channel.close() : lowest.close();
    }

    /**
     * Closes without lingering, so that the kernel also drops its buffer instead of holding it for a client that does
     * not read.
     */
    static void cut(Channel channel) {
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        hangUp(channel);
    }

    /** Completes when everything written before has left for the client, or the connection is lost. */
    Future<Void> flush() {
        Promise<Void> flushed = Promise.promise();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(done -> flushed.complete());
        return flushed.future();
    }

    /** The client's address, or the address of the proxy between the client and this server. */
    String remoteHost() {
        return channel.remoteAddress() instanceof InetSocketAddress address ? address.getHostString() : "";
    }

    void closeAfterWrites() {
        var unused = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /**
     * Handles the end of the client's input. A client that sent whole requests may still read their answers. A client
     * that reads a stream has left, and gives no other sign of this until the next write.
     */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        super.userEventTriggered(context, event);
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            if (unanswered == 0 || streaming || awaiting != Awaiting.REQUEST) {
                close();
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
        if (message instanceof ByteBuf bytes) {
            scan.arrived(bytes.readableBytes());
            lastHeard = uploading ? System.nanoTime() : lastHeard;
        }
        super.channelRead(context, message);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws Exception {
        if (stopped) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (awaiting == Awaiting.REQUEST && in.isReadable()) {
            await(Awaiting.HEAD, settings.limits().headTimeout().toNanos());
        }
        if (awaiting == Awaiting.HEAD && scan.findsFold(in)) {
            refuse(in, out);
        } else {
            super.decode(context, in, out);
        }
        scan.consumed(in);
        Throwable broken = out.isEmpty() || bodyFailure == null ? null : brokenBody(out.getLast());
        if (broken != null) {
            // The broken part goes no further, because the handlers after this one would close the connection before
            // its request is answered.
            out.removeLast();
            fail(ProblemRenderer.brokenBody(broken));
        }
        for (int i = 0; i < out.size(); i++) {
            decoded(out.get(i));
        }
    }

    private static @Nullable Throwable brokenBody(Object part) {
        return part instanceof HttpContent content
                        && !(part instanceof HttpRequest)
                        && content.decoderResult().isFailure()
                ? content.decoderResult().cause()
                : null;
    }

    private void decoded(Object part) {
        if (part instanceof HttpObject object && object.decoderResult().isFailure()) {
            stopped = true;
        }
        if (part instanceof HttpRequest request) {
            if (!stopped && isAmbiguous(request)) {
                request.setDecoderResult(DecoderResult.failure(
                        new IllegalArgumentException("The request's end or destination is ambiguous.")));
                // The refusal is written in a version that every client reads.
                request.setProtocolVersion(HttpVersion.HTTP_1_1);
                stopped = true;
            }
            unanswered++;
            await(Awaiting.BODY, settings.limits().bodyTimeout().toNanos());
        }
        if (part instanceof LastHttpContent) {
            await(Awaiting.REQUEST, settings.idleTimeout().toNanos());
        }
    }

    /**
     * True if another reader could understand the request differently (RFC 9112, 11.2). With an unknown coding, the
     * request's end is ambiguous. With two hosts, two callers or another version, its meaning is ambiguous. The bytes
     * after such a request must not be read as a request.
     */
    private static boolean isAmbiguous(HttpRequest request) {
        List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        boolean knownCoding = codings.isEmpty()
                || (codings.size() == 1
                        && "chunked".equalsIgnoreCase(codings.getFirst().strip()));
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        boolean version11 = HttpVersion.HTTP_1_1.equals(request.protocolVersion());
        boolean oneHost = hosts.size() == 1 || (hosts.isEmpty() && !version11);
        boolean knownVersion = version11 || HttpVersion.HTTP_1_0.equals(request.protocolVersion());
        boolean oneCaller =
                request.headers().getAll(HttpHeaderNames.AUTHORIZATION).size() <= 1;
        return !knownCoding
                || !oneHost
                || !hosts.stream().allMatch(HOST::spells)
                || !knownVersion
                || !oneCaller
                || request.headers().contains("");
    }

    private void await(Awaiting next, long nanos) {
        awaiting = next;
        uploading = false;
        listening = false;
        bodyTimeLeft = 0;
        bodyFailure = null;
        deadline = System.nanoTime() + nanos;
    }

    /** The placeholder for a request that cannot be read. The decoder's own placeholder speaks HTTP/1.0. */
    @Override
    protected HttpMessage createInvalidMessage() {
        return new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/", Unpooled.EMPTY_BUFFER);
    }

    private void refuse(ByteBuf in, List<Object> out) {
        HttpMessage refused = createInvalidMessage();
        refused.setDecoderResult(
                DecoderResult.failure(new IllegalArgumentException("A header is folded over several lines.")));
        in.skipBytes(in.readableBytes());
        out.add(refused);
    }
}
