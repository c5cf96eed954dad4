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

/** What the API answers; undefined where the request is not for it. Never rejects. */
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

/** What is told where nobody else is there to answer. */
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

/** The same chunks, asked for one by one; whoever carries them to the client says how fast. */
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
          // A client that leaves is no failure.
          if (isOver) return;
          source.cancel(error);
          failing(error);
          // The host may print what it is given, or tell it.
          controller.error(new Error("The answer broke off."));
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
