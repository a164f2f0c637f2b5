package dev.parley.http;

import dev.parley.http.RouteTree.Endpoint;
import dev.parley.limits.ActingCaller;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request from its head to its answer: route, then caller, then size, then rate, then the handler. It begins and
 * ends on its connection's event loop; {@link #run} is the blocking middle, on a virtual thread.
 */
final class Exchange<P> implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    private static final Set<String> READ_METHODS = Set.of("GET", "HEAD");

    private final EdgeParts<P> edge;
    private final HttpServerRequest request;
    private final ConnectionGuard guard;
    private final EventLoop loop;
    private final long began = System.nanoTime();
    private final String requestId;
    private String path = "-";
    private @Nullable RequestHead head;
    private @Nullable Endpoint<P> endpoint;
    private List<String> values = List.of();
    private @Nullable IncomingBody body;
    private @Nullable RequestSlot slot;
    private @Nullable RequestMemory memory;
    private boolean dispatched;
    private boolean unreadable;
    private boolean lastOnConnection;

    Exchange(EdgeParts<P> edge, HttpServerRequest request) {
        this.edge = edge;
        this.request = request;
        this.guard = ConnectionGuard.of(request.connection());
        this.loop = guard.channel().eventLoop();
        this.requestId = RequestIds.choose(request.getHeader(ResponseWriter.REQUEST_ID));
    }

    /** Routes the request after its head has arrived. */
    void begin() {
        if (!guard.channel().isWritable()) {
            // The client pipelines requests and does not read their answers. The answers would pile up here.
            guard.close();
            return;
        }
        Answer refusal = route();
        boolean takesBody =
                refusal == null && endpoint != null && endpoint.route().takesBody();
        if (IncomingBody.declaredLength(request) != 0) {
            body = IncomingBody.receive(
                    request, guard, takesBody && endpoint != null ? endpoint.route() : null, this::dispatch);
        }
        if (refusal != null) {
            answer(Rendered.of(refusal));
        } else if (body == null || !takesBody || body instanceof UploadBody) {
            dispatch();
        } else {
            // A small body comes in the same read as its head, so the request is handed over after that read.
            loop.execute(this::dispatch);
        }
    }

    /** Answers a request whose head cannot be read. */
    void refuseUnreadable(Throwable cause) {
        unreadable = true;
        answer(Rendered.of(render(ProblemRenderer.unreadable(cause))));
    }

    private @Nullable Answer route() {
        try {
            RequestTarget target = RequestTarget.of(request.uri());
            path = RouteTree.maskUnmatched(target.path());
            if (edge.stopping()) {
                throw shuttingDown();
            }
            switch (edge.routes().find(request.method().name(), target.path())) {
                case RouteTree.MatchedRoute<P> match -> {
                    path = edge.routes().maskSecret(target.path());
                    endpoint = match.endpoint();
                    values = match.values();
                    boolean stream = match.endpoint().route().opensStream();
                    head = new RequestHead(request, target, requestId, stream);
                }
                case RouteTree.OtherMethods<P> other -> {
                    path = edge.routes().maskSecret(target.path());
                    if (edge.browsers().isPreflight(request)) {
                        return BrowserRules.preflight(request, other.allow());
                    }
                    return refusal(Problem.METHOD_NOT_ALLOWED, "This address takes " + other.allow() + ".")
                            .withHeader("Allow", other.allow());
                }
                case RouteTree.Nothing<P> nothing -> {
                    return refusal(Problem.ROUTE_NOT_FOUND, "There is nothing at this address.");
                }
            }
            slot = enter();
            return slot != null ? null : refusal(Problem.OVERLOADED, "Too many requests are being worked on.");
        } catch (RuntimeException e) {
            return render(e);
        }
    }

    private @Nullable RequestSlot enter() {
        if (endpoint != null && endpoint.route().target() instanceof Route.Open<P> open && open.always()) {
            edge.inFlight().enter();
            return new RequestSlot(edge.inFlight());
        }
        return edge.inFlight().tryEnter() ? new RequestSlot(edge.inFlight()) : null;
    }

    private Answer refusal(Problem problem, String detail) {
        return render(new ProblemException(problem, detail));
    }

    private Answer render(Throwable failure) {
        return edge.problems().render(failure, requestId, path);
    }

    private void dispatch() {
        if (!dispatched) {
            dispatched = true;
            edge.workers().execute(this);
        }
    }

    @Override
    public void run() {
        try {
            Runnable ending;
            try {
                ending = conclude(work());
            } catch (RequestBody.Lost lost) {
                ending = this::abandon;
            } catch (Throwable failure) {
                Rendered rendered = Rendered.of(render(explain(failure)));
                ending = () -> answer(rendered);
            }
            loop.execute(ending);
        } catch (RejectedExecutionException e) {
            LOG.debug("Request {} ended after the server had stopped; it is not answered.", requestId);
        }
    }

    /** Returns the rest of the work, which the event loop does. A download is sent before this method returns. */
    private Runnable conclude(Reply reply) throws IOException, InterruptedException {
        return switch (reply) {
            case Answer answer -> {
                Rendered rendered = Rendered.of(answer);
                holdAnswer(rendered.bytes().length);
                yield () -> answer(rendered);
            }
            case StreamSource source -> () -> openStream(source);
            case Download download -> send(download);
        };
    }

    /**
     * Holds memory for an answer. The answer to a write is never refused for lack of memory, because the write is done.
     */
    private void holdAnswer(long bytes) throws InterruptedException {
        boolean reads = READ_METHODS.contains(request.method().name());
        if (memory != null && reads) {
            memory.resize(bytes, Problem.ANSWER_TOO_LARGE);
        } else if (memory != null) {
            memory.holdAnyway(bytes);
        }
    }

    /** Sets the memory that the request holds from now on, until its client has taken the download. */
    private void hold(long bytes) throws InterruptedException {
        if (memory != null) {
            memory.resize(bytes);
        }
    }

    private Runnable send(Download download) throws IOException, InterruptedException {
        Selection selected = Selection.of(Objects.requireNonNull(head), download);
        Rendered first = selected.head();
        if (selected.length() == 0) {
            hold(0);
            return () -> answer(first);
        }
        hold(Math.min(selected.length(), Transfer.MEMORY));
        // The request counts as waiting from here on, because the download takes as long as its reader needs.
        Objects.requireNonNull(slot).beginToWait("Too many downloads are under way, or other requests are waiting.");
        Transfer transfer =
                new Transfer(request.response(), guard, sent -> finish(first.status(), sent), edge::stopping);
        transfer.run(download.source(), selected.from(), selected.length(), () -> begin(transfer, first));
        return () -> {};
    }

    private void begin(Transfer transfer, Rendered first) {
        HttpServerResponse response = request.response();
        if (response.closed()) {
            transfer.over();
            return;
        }
        try {
            ResponseWriter.putHeaders(request, edge.browsers(), first, requestId);
        } catch (IllegalArgumentException e) {
            transfer.abandon();
            response.headers().clear();
            answer(Rendered.of(render(e)));
            return;
        }
        lastOnConnection = isLast();
        if (lastOnConnection) {
            response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
        }
        transfer.begin();
        dropBody();
    }

    private void finish(int status, long sent) {
        guard.answered();
        releaseMemory();
        leave(status);
        log(status, sent);
        if (lastOnConnection) {
            guard.closeAfterWrites();
        }
    }

    /** A handler that was interrupted because the server stops has not failed. */
    private Throwable explain(Throwable failure) {
        boolean interrupted = failure instanceof InterruptedException || failure instanceof InterruptedIOException;
        return interrupted && edge.stopping() ? shuttingDown() : failure;
    }

    private static ProblemException shuttingDown() {
        return new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping; try again soon.");
    }

    private Reply work() throws Exception {
        RequestHead begun = head;
        Endpoint<P> matched = endpoint;
        if (begun == null || matched == null) {
            throw new IllegalStateException("A request without a route was handed over.");
        }
        Route<P> route = matched.route();
        return switch (route.target()) {
            case Route.Guarded<P> guarded ->
                handle(guarded.handler(), edge.admitted(edge.gate().admit(begun)), begun, route);
            case Route.Open<P> open -> handle(open.handler(), edge.anyone(guard.remoteHost()), begun, route);
        };
    }

    private <C> Reply handle(StreamHandler<C> handler, Admitted<C> admitted, RequestHead begun, Route<P> route)
            throws Exception {
        RequestSlot own = Objects.requireNonNull(slot);
        if (!(route.target() instanceof Route.Open<P> open && open.always())) {
            own.takeShareOf(admitted.metered());
        }
        RequestMemory reserved = new RequestMemory(admitted.memory(), admitted.metered(), own);
        memory = reserved;
        if (route.takesBody() && body instanceof RequestBody collected) {
            collected.requireWithinLimit();
        }
        CallBody held = new CallBody(route, body, own, reserved, edge.json());
        try {
            Call<C> call = new Call<>(begun, admitted, route.parameters(), values, held, own, reserved);
            return ActingCaller.call(admitted.metered(), () -> handler.open(call));
        } finally {
            held.release();
        }
    }

    /** True if the connection cannot be used for another request. */
    private boolean isLast() {
        return unreadable
                || guard.readsNoMore()
                || (body == null || body.ended() ? edge.stopping() : body.mayNeverCome());
    }

    private void answer(Rendered rendered) {
        boolean last = isLast();
        Rendered written = rendered;
        try {
            written = ResponseWriter.write(request, edge.browsers(), rendered, requestId, last, this::render);
        } catch (RuntimeException e) {
            LOG.error("Could not write the answer to request {}; its connection is closed.", requestId, e);
            guard.close();
        }
        releaseMemoryWhenTaken();
        guard.answered();
        leave(written.status());
        log(written.status(), written.bytes().length);
        dropBody();
        if (last) {
            guard.closeAfterWrites();
        }
    }

    private void openStream(StreamSource source) {
        HttpServerResponse response = request.response();
        String method = request.method().name();
        // The end of a stream holds these few fields instead of the whole exchange, because there are many idle
        // streams.
        StreamEnd whenOver = new StreamEnd(guard, method, path, requestId, began);
        SseConnection stream = new SseConnection(response, guard.channel(), whenOver);
        leave(200);
        if (!guard.streams()) {
            guard.close();
            stream.over();
        } else if (response.closed()) {
            stream.over();
        } else {
            ResponseWriter.putCommonHeaders(request, edge.browsers(), requestId);
            stream.open(edge.settings().sseQueueBytes());
            guard.watch().add(stream);
            AccessLog.streamOpened(method, path, System.nanoTime() - began, requestId);
            dropBody();
            if (method.equals("HEAD")) {
                stream.close(Frames.NONE);
            }
        }
        stream.feedFrom(source);
        releaseMemoryWhenTaken();
        if (edge.stopping()) {
            // The end comes after the source is attached, because the source may send a last frame.
            stream.end(Frames.NONE);
        }
    }

    /** Ends a request whose client left in the middle of its body; it gets no answer. */
    private void abandon() {
        guard.answered();
        releaseMemory();
        leave(0);
        log(0, 0);
    }

    /**
     * Keeps the memory reserved until everything written has left for the client. A client that takes nothing is cut,
     * like the reader of a stream.
     */
    private void releaseMemoryWhenTaken() {
        if (memory == null || memory.reserved() == 0) {
            return;
        }
        Future<Void> taken = guard.flush();
        taken.onComplete(done -> releaseMemory());
        if (!taken.isComplete()) {
            guard.watch().add(Farewells.of(guard.channel(), taken));
        }
    }

    private void releaseMemory() {
        if (memory != null) {
            memory.close();
        }
    }

    private void log(int status, long bytes) {
        AccessLog.answered(request.method().name(), path, status, System.nanoTime() - began, bytes, requestId);
    }

    private void leave(int status) {
        if (slot != null) {
            slot.leave();
        }
        if (endpoint != null) {
            endpoint.meter().record(status, System.nanoTime() - began);
        }
    }

    private void dropBody() {
        if (body != null && !body.ended()) {
            guard.bodyRefused();
            body.drop(edge.settings().limits().drainBytes());
        }
    }
}
