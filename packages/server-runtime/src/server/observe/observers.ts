import { isPromiseLike } from "../handlers.js";
import type { HttpRequest } from "../http/http-request.js";
import type { OperationPlan } from "../operation-plan.js";
import type { ServerDefinition } from "../server-definition.js";
import { Observation } from "./observation.js";
import type { ObservedRequest, ObserveRequest, RequestObserver } from "./observe.js";

/** Begins the observation of a request. Undefined if nothing observes it. */
export type BeginObservation = (request: {
  readonly requestId: string;
  /** Absent for what is not HTTP. */
  readonly received: Pick<HttpRequest, "method"> & Partial<Pick<HttpRequest, "header" | "length" | "scheme">>;
  readonly plan?: OperationPlan | undefined;
}) => Observation | undefined;

interface ObserverContext {
  readonly definition: ServerDefinition;
  readonly routeOf: (plan: OperationPlan) => string;
  /** Logs the error of an observer. */
  readonly failed: (error: unknown, request: Parameters<BeginObservation>[0]) => void;
}

/** Compiles the option `observe`. Undefined without it. */
export function createObservers(
  observe: ObserveRequest | readonly ObserveRequest[] | undefined,
  { definition, routeOf, failed }: ObserverContext,
): BeginObservation | undefined {
  const all = typeof observe === "function" ? [observe] : (observe ?? []);
  if (all.length === 0) return undefined;
  const properties = new Set(definition.fieldNames);
  return (incoming) => {
    const { requestId, received, plan } = incoming;
    const fail = (error: unknown): void => failed(error, incoming);
    const request: ObservedRequest = {
      operation: plan?.name,
      method: methods.has(received.method) ? received.method : "_OTHER",
      route: plan && routeOf(plan),
      requestId,
      scheme: received.scheme ?? "http",
      header: (name) => received.header?.(name),
    };
    const observers: RequestObserver[] = [];
    for (const each of all) {
      const observer = begin(each, request, fail);
      if (observer !== undefined) observers.push(observer);
    }
    if (observers.length === 0) return undefined;
    const names = { properties, parameters: plan?.operation.definition.parameters ?? [] };
    return new Observation({ observers, names, requestBytes: received.length, failed: fail });
  };
}

function begin(
  observe: ObserveRequest,
  request: ObservedRequest,
  failed: (error: unknown) => void,
): RequestObserver | undefined {
  try {
    const observer: unknown = observe(request);
    if (!isPromiseLike(observer)) return observer as RequestObserver | undefined;
    observer.then(() => failed(new TypeError("The option `observe` returned a promise. Return an observer.")), failed);
  } catch (error) {
    failed(error);
  }
  return undefined;
}

/** The methods of RFC 9110 and RFC 5789. Others would be names that clients choose. */
const methods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "CONNECT",
  "OPTIONS",
  "TRACE",
  "PATCH",
]);
