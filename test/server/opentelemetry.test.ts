import { createServer as createListener, type Server as Host } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, createInstance, getInstance, isApiError, type Client } from "@cloud-compute/client";
import { nodeListener } from "@cloud-compute/server/node";
import { metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type HistogramMetricData,
} from "@opentelemetry/sdk-metrics";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-node";
import { withObservation, withRetry } from "@plumbline/client-runtime";
import { openTelemetry as observeCalls } from "@plumbline/client-runtime/opentelemetry";
import { openTelemetry as observeRequests } from "@plumbline/server-runtime/opentelemetry";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { instance, kept, makeStubs, type Stubs } from "../support/stubs.js";

const spans = new InMemorySpanExporter();
const tracing = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 2 ** 30 });
const metering = new MeterProvider({ readers: [reader] });

const secret = "s3cret-in-a-body";
let host: Host;
let port: number;
let client: Client;
let stubs: Stubs;
let refusals = 0;

beforeAll(async () => {
  tracing.register();
  metrics.setGlobalMeterProvider(metering);
  const handlers = {
    listRegions: () => {
      if (refusals > 0) {
        refusals -= 1;
        return { status: 200, body: secret } as never;
      }
      trace.getTracer("handler").startSpan("query").end();
      return { status: 200 as const, body: { data: [], page: 1, pages: 1, results: 0 } };
    },
  };
  stubs = makeStubs(handlers, { observe: observeRequests() });
  stubs.tables.Instance.push(kept(instance(1)));
  host = createListener(nodeListener(stubs.server));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  ({ port } = host.address() as AddressInfo);
  client = clientFor(port);
});
afterAll(async () => {
  host.closeAllConnections();
  await new Promise((resolve) => host.close(resolve));
  await Promise.all([tracing.shutdown(), metering.shutdown()]);
  trace.disable();
  metrics.disable();
  propagation.disable();
});
beforeEach(async () => {
  spans.reset();
  await reader.forceFlush();
  measured.reset();
});

function clientFor(at: number): Client {
  const fetch = withRetry({ maxAttempts: 2, baseDelayMs: 1, fetch: withObservation({ observe: observeCalls() }) });
  return createClient({ baseUrl: `http://127.0.0.1:${at}/v4`, token: "all", fetch });
}

/** The code of the error of a call. */
async function failureOf(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    return isApiError(error) ? [error.code, error.status] : error;
  }
}

function summaryOf({ name, kind, attributes, status, events }: ReadableSpan) {
  return { name, kind, attributes, status: status.code, steps: events.map((event) => event.name) };
}

const spanOf = (kind: SpanKind) => spans.getFinishedSpans().filter((span) => span.kind === kind);

const called = {
  "http.request.method": "GET",
  "url.scheme": "http",
  "url.template": "/compute/instances/{computeId}",
  "server.address": "127.0.0.1",
};
const handled = {
  "http.request.method": "GET",
  "url.scheme": "http",
  "http.route": "/v4/compute/instances/{computeId}",
  "plumbline.operation": "getInstance",
};

describe("a call", () => {
  it("is one trace, from the client to the server", async () => {
    await getInstance(client, { path: { computeId: 1 } });
    const [server] = spanOf(SpanKind.SERVER);
    const [sent] = spanOf(SpanKind.CLIENT);
    expect(sent?.spanContext().traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(server?.spanContext().traceId).toBe(sent?.spanContext().traceId);
    expect(server?.parentSpanContext?.spanId).toBe(sent?.spanContext().spanId);
    expect(sent && summaryOf(sent)).toEqual({
      name: "GET /compute/instances/{computeId}",
      kind: SpanKind.CLIENT,
      attributes: { ...called, "server.port": port, "http.response.status_code": 200 },
      status: SpanStatusCode.UNSET,
      steps: [],
    });
    expect(server && summaryOf(server)).toEqual({
      name: "GET /v4/compute/instances/{computeId}",
      kind: SpanKind.SERVER,
      attributes: {
        ...handled,
        "http.response.status_code": 200,
        "http.request.body.size": 0,
        "http.response.body.size": expect.any(Number) as number,
      },
      status: SpanStatusCode.UNSET,
      steps: expect.arrayContaining(["authentication", "path-resources", "handler", "response"]) as string[],
    });
  });

  it("that the server rejects is an error of the client only", async () => {
    expect(await failureOf(getInstance(client, { path: { computeId: 2 } }))).toEqual(["http", 404]);
    expect(spanOf(SpanKind.SERVER).map(summaryOf)).toMatchObject([
      { status: SpanStatusCode.UNSET, attributes: { "plumbline.error": "not-found" } },
    ]);
    expect(spanOf(SpanKind.SERVER)[0]?.attributes).not.toHaveProperty("error.type");
    expect(spanOf(SpanKind.CLIENT).map(summaryOf)).toMatchObject([
      { status: SpanStatusCode.ERROR, attributes: { "error.type": "404" } },
    ]);
  });

  it("has the fields and codes of findings, and no value", async () => {
    const body = { region: secret, type: 7, configs: [{ label: secret }], [secret]: secret } as never;
    expect(await failureOf(createInstance(client, { body }))).toEqual(["http", 400]);
    const [server] = spanOf(SpanKind.SERVER);
    expect(server?.attributes["plumbline.issues"]).toContain("body/type type");
    expect(JSON.stringify(spans.getFinishedSpans().map(summaryOf))).not.toContain(secret);
  });

  it("that fails in the server is an error of both, by the name of its class", async () => {
    refusals = 1;
    expect((await fetch(`http://127.0.0.1:${port}/v4/regions`)).status).toBe(500);
    const [server] = spanOf(SpanKind.SERVER);
    expect(server && summaryOf(server)).toMatchObject({
      status: SpanStatusCode.ERROR,
      attributes: { "error.type": "InvalidResponseError", "http.response.status_code": 500 },
    });
  });

  it("that gets no response is an error of the client, once for each attempt", async () => {
    // Port 1 of this machine has no server.
    expect(await failureOf(getInstance(clientFor(1), { path: { computeId: 1 } }))).toEqual(["network", 0]);
    expect(spanOf(SpanKind.CLIENT).map(({ attributes }) => attributes)).toEqual([
      { ...called, "server.port": 1, "error.type": "network" },
      { ...called, "server.port": 1, "error.type": "network", "http.request.resend_count": 1 },
    ]);
  });
});

describe("the span of a request", () => {
  it("is the parent of spans that its handler starts", async () => {
    await fetch(`http://127.0.0.1:${port}/v4/regions`);
    const query = spans.getFinishedSpans().find(({ name }) => name === "query");
    expect(query?.parentSpanContext?.spanId).toBe(spanOf(SpanKind.SERVER)[0]?.spanContext().spanId);
  });

  it("has no path and no method that the client made up", async () => {
    await fetch(`http://127.0.0.1:${port}/v4/${secret}`, { method: "PROPFIND" });
    expect(spanOf(SpanKind.SERVER).map(summaryOf)).toMatchObject([
      { name: "HTTP", attributes: { "http.request.method": "_OTHER", "http.response.status_code": 404 } },
    ]);
    expect(spanOf(SpanKind.SERVER)[0]?.attributes).not.toHaveProperty("http.route");
  });
});

it("durations have the conventions' buckets and few attributes", async () => {
  await getInstance(client, { path: { computeId: 1 } });
  await reader.forceFlush();
  const histograms = measured
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics)) as HistogramMetricData[];
  const byName = Object.fromEntries(
    histograms.map(({ descriptor: { name, unit }, dataPoints }) => [name, { unit, dataPoints }]),
  );
  const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
  const point = { value: { count: 1, buckets: { boundaries } } };
  expect(byName).toMatchObject({
    "http.server.request.duration": { unit: "s", dataPoints: [point] },
    "http.client.request.duration": { unit: "s", dataPoints: [point] },
  });
  const ok = { "http.response.status_code": 200 };
  expect(byName["http.server.request.duration"]?.dataPoints[0]?.attributes).toEqual({ ...handled, ...ok });
  expect(byName["http.client.request.duration"]?.dataPoints[0]?.attributes).toEqual({
    ...called,
    ...ok,
    "server.port": port,
  });
});
