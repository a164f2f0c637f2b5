package dev.parley.http;

/** Answers one request. Runs on a virtual thread and may block. */
public interface Handler<P> {
    Answer handle(Call<P> call) throws Exception;
}
