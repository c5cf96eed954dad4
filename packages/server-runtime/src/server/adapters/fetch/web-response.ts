import { createChunkSource, type ChunkSource } from "../../http/chunk-source.js";
import type { HttpResponse } from "../../http/http-response.js";
import { internalErrorResponse, bareErrorResponse } from "../../http/internal-error.js";
import { cancelBody, frameResponse, isStreamBody } from "../../http/message-framing.js";
import type { Server } from "../../http/server.js";
import type { WebServerRequest } from "./web-request.js";

interface WebServerExchange {
  readonly server: Server;
  readonly received: WebServerRequest;
}

/** Handles a web request. Undefined if its path is not below the base paths. The promise rejects only if the server has closed the connection. */
export function handleWebRequest(exchanged: WebServerExchange): Promise<Response> | undefined {
  const { server, received } = exchanged;
  try {
    return server.handle(received)?.then(
      (answer) => {
        if (received.disconnectError !== undefined) throw received.disconnectError;
        return toResponseOrError(answer, exchanged);
      },
      (error: unknown) => toErrorResponse(error, exchanged),
    );
  } catch (error) {
    return Promise.resolve(toErrorResponse(error, exchanged));
  }
}

/** The 404 for a request outside the base paths, if no other handler exists. */
export function notFoundResponse(exchanged: WebServerExchange): Response {
  try {
    return toResponseOrError(exchanged.server.notFound(exchanged.received), exchanged);
  } catch (error) {
    return toErrorResponse(error, exchanged);
  }
}

function toResponseOrError(answer: HttpResponse, exchanged: WebServerExchange): Response {
  try {
    return toResponse(answer, exchanged);
  } catch (error) {
    cancelBody(answer.body);
    return toErrorResponse(error, exchanged);
  }
}

function toErrorResponse(error: unknown, exchanged: WebServerExchange): Response {
  try {
    return toResponse(internalErrorResponse(error, exchanged), exchanged);
  } catch {
    return toResponse(bareErrorResponse, exchanged);
  }
}

function toResponse(answer: HttpResponse, exchanged: WebServerExchange): Response {
  const { status, headers, body, declared } = frameResponse(answer, exchanged.received.method);
  if (body === undefined) cancelBody(answer.body);
  const sent = isStreamBody(body)
    ? reportFailures(createChunkSource(body, declared), (error) => internalErrorResponse(error, exchanged))
    : body;
  return new Response((sent as BodyInit | undefined) ?? null, { status, headers });
}

/** The same chunks with back-pressure. */
function reportFailures(source: ChunkSource, failing: (error: unknown) => void): ReadableStream<Uint8Array> {
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
