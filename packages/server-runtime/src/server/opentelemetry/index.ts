import {
  context,
  metrics,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type TextMapGetter,
} from "@opentelemetry/api";
import type { ObservedOutcome, ObservedRequest, ObserveRequest } from "../observe/observe.js";

/**
 * Creates a function for the option `observe`: a span and a duration for each request, in the trace of the client, by the stable semantic conventions of
 * OpenTelemetry for HTTP. The SDK that the program registers decides what is recorded.
 *
 * @example
 * const server = createServer(handlers, { observe: openTelemetry() });
 */
export function openTelemetry(): ObserveRequest {
  const tracer = trace.getTracer(name);
  const durations = metrics.getMeter(name).createHistogram("http.server.request.duration", {
    description: "Duration of HTTP server requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: secondBoundaries },
  });
  return (request) => {
    const attributes = attributesOf(request);
    const parent = propagation.extract(context.active(), request, headers);
    const { method, route } = request;
    const spanMethod = method === "_OTHER" ? "HTTP" : method;
    const span = tracer.startSpan(
      route === undefined ? spanMethod : `${spanMethod} ${route}`,
      { kind: SpanKind.SERVER, attributes },
      parent,
    );
    const active = trace.setSpan(parent, span);
    return {
      run: (handle) => context.with(active, handle),
      step: ({ name: step, durationMs }) =>
        void (span.isRecording() && span.addEvent(step, { "plumbline.step.duration": durationMs / 1000 })),
      end: (outcome) => {
        const ended = outcomeAttributes(outcome);
        span.setAttributes({ ...ended, ...detailsOf(outcome) });
        if (ended["error.type"] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        durations.record(outcome.durationMs / 1000, { ...attributes, ...ended }, active);
      },
    };
  };
}

function attributesOf({ method, scheme, route, operation }: ObservedRequest): Attributes {
  return {
    "http.request.method": method,
    "url.scheme": scheme,
    ...(route === undefined ? {} : { "http.route": route }),
    ...(operation === undefined ? {} : { "plumbline.operation": operation }),
  };
}

/** A status from 400 to 499 is no error of the server. */
function outcomeAttributes({ status, thrown }: ObservedOutcome): Attributes {
  const isError = status === undefined || status >= 500;
  return {
    ...(status === undefined ? {} : { "http.response.status_code": status }),
    ...(isError ? { "error.type": thrown ?? String(status) } : {}),
  };
}

/** What a span has in addition: names and codes of the description. */
function detailsOf({ error, limits, issues, transitions, requestBytes, responseBytes }: ObservedOutcome): Attributes {
  return {
    "http.response.body.size": responseBytes,
    ...(requestBytes === undefined ? {} : { "http.request.body.size": requestBytes }),
    ...(error === undefined ? {} : { "plumbline.error": error }),
    ...(limits.length === 0 ? {} : { "plumbline.limits": [...limits] }),
    ...(issues.length === 0
      ? {}
      : { "plumbline.issues": issues.map(({ in: location, field, code }) => `${location}${field} ${code}`) }),
    ...(transitions.length === 0
      ? {}
      : { "plumbline.states": transitions.map(({ stateMachine, from }) => `${stateMachine} ${from}`) }),
  };
}

const headers: TextMapGetter<ObservedRequest> = {
  get: (request, key) => request.header(key),
  // Only Jaeger's propagator lists names.
  keys: () => [],
};

const name = "@plumbline/server-runtime";

// As the conventions advise.
const secondBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
