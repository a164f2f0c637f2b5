import { createServer } from "node:http";

/**
 * A server of this machine that answers as it is told to, closed when the test is over.
 *
 * @param answer gets the request with its `text`, the response, and the number of the request, from 1
 */
export async function serving(test, answer) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    request.text = Buffer.concat(chunks).toString();
    requests.push(request);
    await answer(request, response, requests.length);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${server.address().port}`, requests };
}

/** Answers with JSON. */
export function json(response, status, body, headers = {}) {
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Begins an event stream. */
export function stream(response, ...frames) {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.flushHeaders();
  frames.forEach((frame) => response.write(frame));
}

/** Patience that suits a test. */
export const QUICK = { attempts: 20, limit: 20_000, firstPause: 1, longestPause: 20 };
