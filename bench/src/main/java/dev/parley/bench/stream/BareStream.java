package dev.parley.bench.stream;

import dev.parley.bench.rig.BareProcess;
import dev.parley.bench.rig.HttpBytes;
import java.util.List;
import java.util.stream.Collectors;

/** The yardstick: a bare Vert.x server that writes posted frames to the run's viewers, and stores nothing. */
final class BareStream implements StreamRequests {
    private int generation;

    @Override
    public byte[] open(int run) {
        return post(run, ": opened\n\n");
    }

    @Override
    public byte[] view(int run) {
        return HttpBytes.get(BareProcess.HOST, path(run), "");
    }

    /** Posts frames in the form that Parley's viewers receive. */
    @Override
    public byte[] post(int run, long first, List<String> tokens) {
        return post(
                run,
                tokens.stream()
                        .map(token -> "id: " + first + "\nevent: TEXT_MESSAGE_CONTENT\ndata: "
                                + "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"" + token
                                + "\",\"metadata\":{\"runId\":\"" + path(run) + "\"}}\n\n")
                        .collect(Collectors.joining()));
    }

    @Override
    public byte[] end(int run, long first) {
        return post(run, ": ended\n\n");
    }

    private byte[] post(int run, String frames) {
        return HttpBytes.post(BareProcess.HOST, path(run), "", frames);
    }

    private String path(int run) {
        return "/run-" + generation + "-" + run;
    }

    @Override
    public void renew() {
        generation++;
    }
}
