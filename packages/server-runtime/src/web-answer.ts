import type { Answer } from "./answer.js";
import { failure, lastResort } from "./failure.js";
import { drop, framed, isStream } from "./framed.js";
import type { Received } from "./received.js";
import type { Server } from "./server.js";
import { sourceOf, type Source } from "./source.js";

interface Exchanged {
  readonly server: Server;
  readonly received: Received;
}

/** Handles a web request. Undefined if its path is not below the base paths. The promise never rejects. */
export function respond(exchanged: Exchanged): Promise<Response> | undefined {
  const { server, received } = exchanged;
  try {
    return server.answer(received)?.then(
      (answer) => responseTo(answer, exchanged),
      (error: unknown) => failed(error, exchanged),
    );
  } catch (error) {
    return Promise.resolve(failed(error, exchanged));
  }
}

/** The 404 for a request outside the base paths, if no other handler exists. */
export function nowhere(exchanged: Exchanged): Response {
  try {
    return responseTo(exchanged.server.nowhere(exchanged.received), exchanged);
  } catch (error) {
    return failed(error, exchanged);
  }
}

function responseTo(answer: Answer, exchanged: Exchanged): Response {
  try {
    return responseOf(answer, exchanged);
  } catch (error) {
    drop(answer.body);
    return failed(error, exchanged);
  }
}

function failed(error: unknown, exchanged: Exchanged): Response {
  try {
    return responseOf(failure(error, exchanged), exchanged);
  } catch {
    return responseOf(lastResort, exchanged);
  }
}

function responseOf(answer: Answer, exchanged: Exchanged): Response {
  const { status, headers, body, declared } = framed(answer, exchanged.received.method);
  if (body === undefined) drop(answer.body);
  const sent = isStream(body) ? watched(sourceOf(body, declared), (error) => failure(error, exchanged)) : body;
  return new Response((sent as BodyInit | undefined) ?? null, { status, headers });
}

/** The same chunks with back-pressure. */
function watched(source: Source, failing: (error: unknown) => void): ReadableStream<Uint8Array> {
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const chunk = await source.next();
          if (isOver) return;
          if (chunk === undefined) controller.close();
          else controller.enqueue(chunk);
        } catch (error) {
          // A client that disconnects is not an error.
          if (isOver) return;
          source.cancel(error);
          failing(error);
          // The runtime may print this error or send it to the client, so it has no details.
          controller.error(new Error("The response ended early."));
        }
      },
      cancel: (reason) => {
        isOver = true;
        source.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
