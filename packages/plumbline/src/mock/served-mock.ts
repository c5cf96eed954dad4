import type { HttpRequest, HttpResponse, Server } from "@plumbline/server-runtime";
import { controlsPath } from "@plumbline/server-runtime/mock/controls";
import { allowCrossOrigin, preflightResponse } from "./cross-origin.js";
import type { DescribedMock } from "./described-mock.js";
import { helpPage } from "./help-page.js";

/** A handled request, for a log. */
export interface HandledRequest {
  readonly method: string;
  /** The path with its query, as the client has sent it. */
  readonly target: string;
  /** The name of the operation. Undefined if the API has none for the request. */
  readonly operation: string | undefined;
  readonly status: number;
  readonly milliseconds: number;
  /** True if no state explains the response: it is the documented example. */
  readonly isExample: boolean;
  /** Why the request is rejected, where the documented body does not say so. */
  readonly reason?: string | undefined;
}

export interface ServedMockOptions {
  /** Returns the mock of the latest version of the description. */
  readonly current: () => DescribedMock;
  /** Returns where the server listens, such as `http://127.0.0.1:4010`. */
  readonly origin: () => string;
  readonly handled: (request: HandledRequest) => void;
  /** Called for an error of the mock, to which the server responds with 500. */
  readonly failed: (error: unknown) => void;
}

/**
 * Creates the server of the command: the mock, the help page at `/` if the API has no operation there, and a log. Pages of every origin may call
 * the API, but not the controls.
 */
export function createServedMock({ current, origin, handled, failed }: ServedMockOptions): Server {
  const internalError = (error: unknown): HttpResponse => {
    failed(error);
    return { status: 500, headers: { "Content-Type": "application/json" }, body: '{"title":"Internal error"}' };
  };

  const respond = (received: HttpRequest, mock: DescribedMock): Promise<HttpResponse> => {
    const isHelp = received.method === "GET" && /^\/(?:\?|$)/.test(received.target) && !mock.hasPath("/");
    return isHelp ? Promise.resolve(helpResponse(mock, origin())) : mock.handle(received);
  };

  return {
    handle: (received) => {
      const isControl = received.target.startsWith(controlsPath);
      const preflight = isControl ? undefined : preflightResponse(received);
      if (preflight !== undefined) return Promise.resolve(preflight);
      const started = performance.now();
      const mock = current();
      const { method, target } = received;
      const log = (response: HttpResponse): HttpResponse => {
        const { status, headers } = response;
        const operation = mock.operationOf(method, target)?.name;
        const milliseconds = performance.now() - started;
        handled({
          method,
          target,
          operation,
          status,
          milliseconds,
          isExample: headers["Plumbline-Mock"] === "example",
          reason: headers["Plumbline-Mock-Reason"],
        });
        return isControl ? response : allowCrossOrigin(received, response);
      };
      return respond(received, mock).catch(internalError).then(log);
    },
    notFound: () => ({ status: 404, headers: {} }),
    internalError,
  };
}

function helpResponse({ api, basePath }: DescribedMock, origin: string): HttpResponse {
  return {
    status: 200,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
    body: helpPage(api, `${origin}${basePath}`),
  };
}
