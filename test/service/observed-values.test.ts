import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer as listen } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { nodeListener } from "@cloud-compute/server/node";
import { optionsOf, startService } from "@cloud-compute/service";
import { openTelemetry as observeService } from "@cloud-compute/service/opentelemetry";
import { context, metrics, propagation, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { openTelemetry } from "@plumbline/server-runtime/opentelemetry";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { jsonBody, readModel, type Operation, type Schema } from "../support/model.js";
import { repository } from "../support/places.js";
import { propertyRuns } from "../support/property-testing.js";
import { makeStubs } from "../support/stubs.js";

const api = await readModel();
const schemas = new Map(api.schemas.map(({ name, schema }) => [name, schema]));
const token = "0123456789abcdef".repeat(4);

/** A server, and everything that an operator can see of it. */
interface Observed {
  readonly url: string;
  seen(): Promise<string>;
}

/** A number stands by itself: durations and ids have its digits by chance. */
function isIn(text: string, value: string): boolean {
  return /^\d+$/.test(value) ? new RegExp(`(?<![\\w.])${value}(?!\\w)`).test(text) : text.includes(value);
}

test("no log line and no metric of the service has a value that a client sent", async () => {
  const service = await startProgram();
  await sendAll(service);
  const values = await sendAccepted(service.url);
  const seen = await service.seen();
  expect(values.filter((value) => isIn(seen, value))).toEqual([]);
  for (const expected of ['"operation":"createInstance"', '"slow statement"', "cloud_compute_validation_issues_total{"])
    expect(seen).toContain(expected);
  expect(seen).toContain('cloud_compute_limits_reached_total{limit="instance-creates"}');
});

test("no span of the service has one", async () => {
  const { seen } = startTracing();
  const options = optionsOf(["--data", ":memory:", "--pace", "0", "--port", "0", "--log", "silent"], {
    CLOUD_COMPUTE_TOKEN: token,
  });
  const service = await startService(options, observeService());
  onTestFinished(() => service.close());
  await sendAll({ url: service.url, seen });
  const values = await sendAccepted(service.url);
  const text = await seen();
  expect(values.filter((value) => isIn(text, value))).toEqual([]);
  for (const expected of ["db.query.text", "insert instances", "plumbline.issues"]) expect(text).toContain(expected);
});

test("no span and no metric of a generated server has one", async () => {
  const server = await startTraced();
  await sendAll(server);
  const seen = await server.seen();
  for (const expected of ["plumbline.issues", "plumbline.error", "http.server.request.duration"])
    expect(seen).toContain(expected);
});

/** Sends requests with marked values in every place, by all operations, and searches what is seen for the marks. */
async function sendAll({ url, seen }: Observed): Promise<void> {
  const marks: string[] = [];
  const statuses = new Set<number>();
  const send = async (operation: Operation, mark: string, authorization: string): Promise<void> => {
    marks.push(mark);
    statuses.add(await request(url, operation, { mark, authorization }));
  };
  for (const [index, operation] of api.operations.entries()) {
    await send(operation, `zq${index}first`, `Bearer ${token}`);
    await send(operation, `zq${index}other`, `Bearer zq${index}other`);
  }
  const property = fc.asyncProperty(
    fc.constantFrom(...api.operations),
    fc.stringMatching(/^[a-z0-9]{12}$/),
    fc.boolean(),
    async (operation, random, isKnown) => {
      const mark = `zq${random}`;
      await send(operation, mark, `Bearer ${isKnown ? token : mark}`);
    },
  );
  await fc.assert(property, propertyRuns(100, 3000));
  expect([...statuses]).toEqual(expect.arrayContaining([400, 401, 404]));
  const text = await seen();
  expect(marks.length).toBeGreaterThan(2 * 90);
  expect(marks.filter((mark) => text.includes(mark))).toEqual([]);
}

/** Sends what the service accepts, and what conflicts with it. Returns the values and secrets of the requests and of the responses. */
async function sendAccepted(url: string): Promise<readonly string[]> {
  const statuses = new Set<number>();
  const ask = async (line: string, body?: object): Promise<Readonly<Record<string, unknown>>> => {
    const [method = "", target = ""] = line.split(" ");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${url}${target}`, { method, headers, ...sent });
    statuses.add(response.status);
    return (await response.json()) as Readonly<Record<string, unknown>>;
  };
  const password = "c0rrect Horse battery";
  const instance = { region: "us-east", type: "g6-nanode-1", image: "compute/debian12", root_pass: password };
  for (let made = 0; made < 12; made += 1)
    await ask("POST /compute/instances", { ...instance, label: `zqweb-${made}` });
  for (let made = 0; made < 2; made += 1) await ask("POST /tags", { label: "zqtag" });
  await ask("GET /tags/zqtag");
  await ask("PUT /profile/preferences", { zqkey: "zqvalue" });
  for (let made = 0; made < 2; made += 1)
    await ask("POST /domains", { domain: "zqzone.example.org", type: "master", soa_email: "zq@example.org" });
  const made = await ask("POST /profile/tokens", { label: "zqtoken", scopes: "domains:read_only" });
  const answers = [1, 2, 3].map((id) => ({ question_id: id, response: `zqanswer-${id}` }));
  await ask("POST /profile/security-questions", { security_questions: answers });
  const factor = await ask("POST /profile/tfa-enable");
  await ask("POST /profile/tfa-enable-confirm", { tfa_code: "482917" });
  await ask("POST /profile/phone-number", { iso_code: "US", phone_number: "201-555-0182" });
  await ask("POST /profile/phone-number/verify", { otp_code: "739154" });
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 429]));
  const secrets = [made["token"], factor["secret"]].map(String);
  for (const secret of secrets) expect(secret).toMatch(/^[\w=]{16,}$/);
  return [
    token,
    password,
    "zqweb",
    "zqtag",
    "zqkey",
    "zqvalue",
    "zqzone",
    "zqtoken",
    "zqanswer",
    "482917",
    "739154",
    ...secrets,
  ];
}

interface Sent {
  readonly mark: string;
  readonly authorization: string;
}

/** Sends a request with the mark in its path, query, headers and body. Returns the status. */
async function request(url: string, operation: Operation, { mark, authorization }: Sent): Promise<number> {
  const { method, parameters, path: template } = operation;
  const target = template.replaceAll(/\{[^}]*\}/g, mark);
  const query = parameters.filter((each) => each.in === "query").map(({ name }) => `${name}=${mark}`);
  const schema = jsonBody(operation)?.json.schema;
  const body = schema === undefined ? undefined : JSON.stringify(sampleOf(schema, mark, 0));
  const response = await fetch(`${url}${target}?${[...query, `${mark}=${mark}`].join("&")}`, {
    method,
    headers: {
      authorization,
      "content-type": "application/json",
      "x-filter": JSON.stringify({ [mark]: mark }),
      "x-request-id": mark,
      traceparent: `00-${mark}`,
    },
    ...(body === undefined ? {} : { body }),
  });
  await response.text();
  return response.status;
}

/** A value in which every text and every further key has the mark. */
function sampleOf(schema: Schema, mark: string, depth: number): unknown {
  const { ref, allOf = [], oneOf = [], anyOf = [], properties = [], items, types } = schema;
  const target = ref === undefined ? undefined : schemas.get(ref);
  if (depth > 6) return mark;
  if (target !== undefined) return sampleOf(target, mark, depth + 1);
  const parts = [...allOf, ...oneOf.slice(0, 1), ...anyOf.slice(0, 1)].map((each) => sampleOf(each, mark, depth + 1));
  if (items !== undefined) return [sampleOf(items, mark, depth + 1)];
  if (types.includes("object") || properties.length > 0 || parts.length > 0) {
    const own = properties.map((each) => [each.name, sampleOf(each.schema, mark, depth + 1)]);
    return Object.assign({}, ...parts, { ...Object.fromEntries(own), [mark]: { [mark]: mark } });
  }
  return mark;
}

/** The program, with everything that it can log and count. */
async function startProgram(): Promise<Observed> {
  const program = path.join(repository, "packages", "service", "bin", "cloud-compute.js");
  const options = "--data :memory: --pace 0 --port 0 --admin-port 0 --log trace --log-requests --slow-ms 0".split(" ");
  const child = spawn(process.execPath, [program, "serve", ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CLOUD_COMPUTE_TOKEN: token },
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, "exit");
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  await expect.poll(() => log).toContain('"msg":"ready"');
  const [, admin = ""] = /"admin":"([^"]+)"/.exec(log) ?? [];
  return { url, seen: async () => log + (await (await fetch(`${admin}/metrics`)).text()) };
}

/** Registers an SDK that keeps spans and metrics. */
function startTracing(): Pick<Observed, "seen"> {
  const spans = new InMemorySpanExporter();
  const tracing = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 2 ** 30 });
  const metering = new MeterProvider({ readers: [reader] });
  tracing.register();
  metrics.setGlobalMeterProvider(metering);
  onTestFinished(async () => {
    await Promise.all([tracing.shutdown(), metering.shutdown()]);
    for (const each of [trace, metrics, propagation, context]) each.disable();
  });
  return {
    seen: async () => {
      await reader.forceFlush();
      const ended = spans.getFinishedSpans().map(({ name, attributes, events, status, links }) => {
        return { name, attributes, events, status, links };
      });
      return JSON.stringify([ended, measured.getMetrics().map(({ scopeMetrics }) => scopeMetrics)]);
    },
  };
}

/** A generated server whose requests are traced and measured. */
async function startTraced(): Promise<Observed> {
  const { seen } = startTracing();
  const stubs = makeStubs({}, { observe: openTelemetry(), unknown: "reject" });
  stubs.tokens.set(token, stubs.tokens.get("all") as { readonly caller: never });
  const host = listen(nodeListener(stubs.server));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    host.closeAllConnections();
    await new Promise((resolve) => host.close(resolve));
  });
  return { url: `http://127.0.0.1:${(host.address() as AddressInfo).port}/v4`, seen };
}
