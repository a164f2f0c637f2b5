package dev.parley.http;

/**
 * Opens a stream or a download for one request, or answers it plainly. Runs on a virtual thread and may block. A
 * problem thrown here is answered as such, since the stream is not open yet.
 */
public interface StreamHandler<P> {
    Reply open(Call<P> call) throws Exception;
}
