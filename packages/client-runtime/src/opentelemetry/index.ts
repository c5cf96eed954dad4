import { context, metrics, propagation, SpanKind, SpanStatusCode, trace, type Attributes } from "@opentelemetry/api";
import type { ObserveCall, ObservedCall } from "../observe/observe.js";

/**
 * Creates an observer for `withObservation`: a span and a duration for each request, and the context of the trace in its headers, by the stable semantic
 * conventions of OpenTelemetry for HTTP. The SDK that the program registers decides what is recorded.
 *
 * @example
 * const client = createClient({ token, fetch: withObservation({ observe: openTelemetry() }) });
 */
export function openTelemetry(): ObserveCall {
  const tracer = trace.getTracer(name);
  const durations = metrics.getMeter(name).createHistogram("http.client.request.duration", {
    description: "Duration of HTTP client requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: secondBoundaries },
  });
  return (call) => {
    const attributes = attributesOf(call);
    const span = tracer.startSpan(`${call.method} ${call.route ?? ""}`.trim(), {
      kind: SpanKind.CLIENT,
      attributes: call.attempt > 1 ? { ...attributes, "http.request.resend_count": call.attempt - 1 } : attributes,
    });
    const active = trace.setSpan(context.active(), span);
    propagation.inject(active, call, { set: (carrier, key, value) => carrier.setHeader(key, value) });
    return {
      run: (send) => context.with(active, send),
      end: ({ status, error, durationMs }) => {
        const errorType = error ?? (status !== undefined && status >= 400 ? String(status) : undefined);
        const outcome: Attributes = {
          ...(status === undefined ? {} : { "http.response.status_code": status }),
          ...(errorType === undefined ? {} : { "error.type": errorType }),
        };
        span.setAttributes(outcome);
        if (errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
        durations.record(durationMs / 1000, { ...attributes, ...outcome }, active);
      },
    };
  };
}

function attributesOf({ method, route, origin }: ObservedCall): Attributes {
  const { protocol, hostname, port } = new URL(origin);
  return {
    "http.request.method": method,
    "url.scheme": protocol.slice(0, -1),
    "server.address": hostname,
    "server.port": port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
    ...(route === undefined ? {} : { "url.template": route }),
  };
}

const name = "@plumbline/client-runtime";

// As the conventions advise.
const secondBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
