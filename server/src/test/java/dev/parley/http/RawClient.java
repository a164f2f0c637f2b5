package dev.parley.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** A bare socket, for requests that no HTTP client would send. */
final class RawClient implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream in;

    /** @param receiveBuffer 0 for the usual size */
    RawClient(int port, int receiveBuffer) throws IOException {
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        socket.setSoTimeout(15_000);
        socket.connect(new InetSocketAddress("127.0.0.1", port), 10_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Ends the client's side of the connection. */
    RawClient finish() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Reads up to this many bytes and returns the number that came. */
    int take(int bytes) throws IOException {
        return in.readNBytes(bytes).length;
    }

    /** The next response's head. */
    String head() throws IOException {
        return until("\r\n\r\n");
    }

    /** The next response as text, its head and a body of known length. */
    String response() throws IOException {
        String head = head();
        int at = head.toLowerCase(Locale.ROOT).indexOf("content-length:");
        if (at < 0) {
            return head;
        }
        int length =
                Integer.parseInt(head.substring(at + 15, head.indexOf('\r', at)).trim());
        return head + new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    /** The text up to and with the mark, or up to the end. */
    String until(String mark) throws IOException {
        byte[] end = mark.getBytes(StandardCharsets.UTF_8);
        byte[] read = new byte[256];
        int size = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            read = size == read.length ? Arrays.copyOf(read, 2 * size) : read;
            read[size++] = (byte) next;
            if (size >= end.length && Arrays.equals(read, size - end.length, size, end, 0, end.length)) {
                break;
            }
        }
        return new String(read, 0, size, StandardCharsets.UTF_8);
    }

    /** Reads until the server closes; true if it did so within the socket's time limit. */
    boolean closedByServer() {
        try {
            in.readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
