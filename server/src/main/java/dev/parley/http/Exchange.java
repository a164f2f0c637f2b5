package dev.parley.http;

import dev.parley.http.RouteTree.Endpoint;
import dev.parley.protocol.Problem;
import dev.parley.protocol.ProblemException;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request from its head to its answer: route, then who is calling, then size, then the handler. It begins and ends
 * on its connection's event loop; {@link #run} is the blocking middle, on a virtual thread.
 */
final class Exchange<P> implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final byte[] NO_BYTES = new byte[0];

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
    private @Nullable RequestBody body;
    private boolean entered;
    private boolean dispatched;
    private boolean unreadable;

    Exchange(EdgeParts<P> edge, HttpServerRequest request) {
        this.edge = edge;
        this.request = request;
        this.guard = ConnectionGuard.of(request.connection());
        this.loop = guard.channel().eventLoop();
        this.requestId = RequestIds.choose(request.getHeader(ResponseWriter.REQUEST_ID));
    }

    /** The request's head is here. */
    void begin() {
        if (!guard.channel().isWritable()) {
            // It pipelines requests and does not read their answers: those would pile up here.
            guard.close();
            return;
        }
        Answer refusal = route();
        long declared = declaredLength();
        boolean takesBody =
                refusal == null && endpoint != null && endpoint.route().takesBody();
        if (declared != 0) {
            BodyLimit limit = takesBody && endpoint != null ? endpoint.route().bodyLimit() : BodyLimit.NO_BODY;
            body = new RequestBody(request, loop, limit, declared);
            body.start(takesBody ? this::dispatch : () -> {});
        }
        if (refusal != null) {
            answer(Rendered.of(refusal));
        } else if (body == null || !takesBody) {
            dispatch();
        } else {
            // A small body comes in the same read as its head: after that read, not before, is the time to hand over.
            loop.execute(this::dispatch);
        }
    }

    /** The request's head cannot be read. */
    void refuseUnreadable(Throwable cause) {
        unreadable = true;
        ProblemException problem = switch (cause) {
            case TooLongHttpHeaderException tooLong ->
                new ProblemException(Problem.HEADERS_TOO_LARGE, "The request's headers are too large.");
            case TooLongHttpLineException tooLong ->
                new ProblemException(Problem.HEADERS_TOO_LARGE, "The request's address is too long.");
            default ->
                new ProblemException(
                        Problem.MALFORMED_REQUEST, "The request's first line or headers are not proper HTTP.");
        };
        answer(Rendered.of(ProblemRenderer.render(problem, requestId)));
    }

    private @Nullable Answer route() {
        try {
            if (edge.stopping()) {
                throw shuttingDown();
            }
            RequestTarget target = RequestTarget.of(request.uri());
            path = target.path();
            switch (edge.routes().find(request.method().name(), path)) {
                case RouteTree.Found<P> found -> {
                    endpoint = found.endpoint();
                    values = found.values();
                    boolean stream = found.endpoint().route().opensStream();
                    head = new RequestHead(request, target, requestId, stream);
                }
                case RouteTree.OtherMethods<P> other -> {
                    if (edge.browsers().isPreflight(request)) {
                        return BrowserRules.preflight(other.allow());
                    }
                    return refusal(Problem.METHOD_NOT_ALLOWED, "This address takes " + other.allow() + ".")
                            .withHeader("Allow", other.allow());
                }
                case RouteTree.Nothing<P> nothing -> {
                    return refusal(Problem.ROUTE_NOT_FOUND, "There is nothing at this address.");
                }
            }
            entered = enter();
            return entered ? null : refusal(Problem.OVERLOADED, "Too many requests are being worked on.");
        } catch (RuntimeException e) {
            return ProblemRenderer.render(e, requestId);
        }
    }

    private boolean enter() {
        if (endpoint != null && endpoint.route().target() instanceof Route.Open<P> open && open.always()) {
            edge.inFlight().enter();
            return true;
        }
        return edge.inFlight().tryEnter();
    }

    private Answer refusal(Problem problem, String detail) {
        return ProblemRenderer.render(new ProblemException(problem, detail), requestId);
    }

    /** The body's length as announced; 0 for none, -1 for a chunked one. */
    private long declaredLength() {
        if (request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
            return -1;
        }
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? 0 : Long.parseLong(length.trim());
    }

    private void dispatch() {
        if (!dispatched) {
            dispatched = true;
            edge.workers().execute(this);
        }
    }

    @Override
    public void run() {
        Runnable ending;
        try {
            ending = switch (work()) {
                case Answer answer -> {
                    Rendered rendered = Rendered.of(answer);
                    yield () -> answer(rendered);
                }
                case StreamSource source -> () -> openStream(source);
            };
        } catch (RequestBody.Lost lost) {
            ending = this::abandon;
        } catch (Throwable failure) {
            Rendered rendered = Rendered.of(ProblemRenderer.render(explain(failure), requestId));
            ending = () -> answer(rendered);
        }
        try {
            loop.execute(ending);
        } catch (RejectedExecutionException e) {
            LOG.debug("Request {} outlived the server.", requestId);
        }
    }

    /** A handler that was interrupted because the server stops has not failed. */
    private Throwable explain(Throwable failure) {
        return failure instanceof InterruptedException && edge.stopping() ? shuttingDown() : failure;
    }

    private static ProblemException shuttingDown() {
        return new ProblemException(Problem.SHUTTING_DOWN, "The server is stopping; try again soon.");
    }

    private Reply work() throws Exception {
        RequestHead admitted = head;
        Endpoint<P> found = endpoint;
        if (admitted == null || found == null) {
            throw new IllegalStateException("A request without a route was handed over.");
        }
        Route<P> route = found.route();
        return switch (route.target()) {
            case Route.Guarded<P> guarded -> {
                P caller = edge.gate().admit(admitted);
                yield guarded.handler().open(call(admitted, caller, route));
            }
            case Route.Open<P> open -> open.handler().open(call(admitted, Anyone.ANYONE, route));
        };
    }

    private <C> Call<C> call(RequestHead admitted, C caller, Route<P> route) throws InterruptedException {
        byte[] bytes = body == null || !route.takesBody() ? NO_BYTES : body.take();
        return new Call<>(admitted, caller, route.parameters(), values, bytes, edge.inFlight());
    }

    private void answer(Rendered rendered) {
        boolean last = unreadable || (body == null || body.ended() ? edge.stopping() : body.mayNeverCome());
        Rendered written = rendered;
        try {
            written = ResponseWriter.write(request, edge.browsers(), rendered, requestId, last);
        } catch (RuntimeException e) {
            LOG.error("The answer to request {} could not be written.", requestId, e);
            guard.close();
        }
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
        // The closing part holds these few, not the whole exchange: idle streams are many.
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
            if (edge.stopping() || method.equals("HEAD")) {
                stream.close(Frames.NONE);
            }
        }
        stream.feedFrom(source);
    }

    /** The client left in the middle of its body: there is nobody to answer. */
    private void abandon() {
        guard.answered();
        leave(0);
        log(0, 0);
    }

    private void log(int status, long bytes) {
        AccessLog.answered(request.method().name(), path, status, System.nanoTime() - began, bytes, requestId);
    }

    private void leave(int status) {
        if (entered) {
            entered = false;
            edge.inFlight().leave();
        }
        if (endpoint != null) {
            endpoint.meter().record(status, System.nanoTime() - began);
        }
    }

    private void dropBody() {
        if (body != null && !body.ended()) {
            guard.bodyRefused();
            body.drop(edge.settings().drainBytes());
        }
    }
}
