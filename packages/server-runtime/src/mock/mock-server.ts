import type { HttpRequest, HttpResponse, Server } from "../server/index.js";
import { runDueEvents } from "./behavior/state-machines.js";
import type { MockContext } from "./mock-context.js";
import { withDocumentedError } from "./responses/documented-errors.js";
import { withReason } from "./responses/error-reasons.js";
import type { ErrorInjector, NamedOperation } from "./responses/injected-errors.js";
import { preferredResponse } from "./responses/preferred-response.js";

/** Creates a server that responds as the generated one, after faults and what a client prefers. */
export function createMockServer<Handlers>(
  mock: MockContext,
  { server, faults }: { readonly server: Server; readonly faults: ErrorInjector<Handlers> },
): Server {
  const { definition } = mock;

  /** Undefined for HEAD, which is not an operation, though the server responds to it as to GET. */
  const operationOf = (received: HttpRequest): NamedOperation | undefined => {
    const name = server.operationOf?.(received) ?? "";
    const operation = definition.operations[name];
    return operation?.method === received.method ? { name, operation } : undefined;
  };

  const complete = (response: HttpResponse, received: HttpRequest): HttpResponse => {
    const completed = withExampleHeader(mock, response);
    if (response.status < 400) return completed;
    return (
      capacityResponse(mock, completed) ??
      withReason(response, withDocumentedError(definition, operationOf(received)?.operation, completed))
    );
  };

  const respond = (received: HttpRequest): Promise<HttpResponse> | undefined =>
    server.handle(received)?.then((response) => complete(response, received));

  const notFound = (received: HttpRequest): HttpResponse => complete(server.notFound(received), received);

  const respondAfterFaults = async (received: HttpRequest, matched: NamedOperation): Promise<HttpResponse> =>
    (await faults.meet(matched, received)) ??
    preferredResponse(matched.operation, received.header("prefer")) ??
    (await respond(received)) ??
    notFound(received);

  return {
    ...(server.rejection === undefined ? {} : { rejection: server.rejection.bind(server) }),
    unreadTimeoutMs: server.unreadTimeoutMs,
    operationOf: (request) => server.operationOf?.(request),
    notFound,
    internalError: (error, received) => server.internalError(error, received),
    handle: (received) => {
      mock.origin ??= originOf(received);
      runDueEvents(mock);
      const isPlain = !faults.hasFaults && received.header("prefer") === undefined;
      const matched = isPlain ? undefined : operationOf(received);
      return matched === undefined ? respond(received) : respondAfterFaults(received, matched);
    },
  };
}

/** Where the URL of a request begins. Undefined without a valid one. */
function originOf(received: HttpRequest): string | undefined {
  const url = received.url ?? `http://${received.header("host") ?? ""}`;
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** Responds with 507 to a request that would exceed the maximum number of objects, and says so. */
function capacityResponse({ capacityErrors }: MockContext, { headers }: HttpResponse): HttpResponse | undefined {
  if (capacityErrors.size === 0) return undefined;
  const requestId = requestIdOf(headers);
  const detail = capacityErrors.get(requestId);
  if (detail === undefined) return undefined;
  capacityErrors.delete(requestId);
  const status = 507;
  return {
    status,
    headers: { "Content-Type": "application/problem+json", "X-Request-Id": requestId },
    body: JSON.stringify({ title: "Insufficient Storage", status, detail }),
  };
}

/** Says that no state explains a response: `Plumbline-Mock: example`. */
function withExampleHeader({ exampleResponses }: MockContext, response: HttpResponse): HttpResponse {
  if (exampleResponses.size === 0) return response;
  const isExample = exampleResponses.delete(requestIdOf(response.headers)) && response.status < 300;
  return isExample ? { ...response, headers: { ...response.headers, "Plumbline-Mock": "example" } } : response;
}

/** The description chooses the case of the name. */
function requestIdOf(headers: HttpResponse["headers"]): string {
  const name = Object.keys(headers).find((each) => each.toLowerCase() === "x-request-id");
  return (name !== undefined && headers[name]) || "";
}
