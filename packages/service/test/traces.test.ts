import * as api from "@cloud-compute/client";
import { context, propagation, SpanKind, SpanStatusCode, trace, type Attributes } from "@opentelemetry/api";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { openTelemetry } from "../src/opentelemetry/index.js";
import { optionsOf } from "../src/options.js";
import { startService } from "../src/service.js";
import { rowsOf } from "../src/store/database.js";
import { openPostgres, type PostgresOptions } from "../src/store/postgres.js";
import { sharedPostgres } from "../src/store/postgres.support.js";
import { openSqlite, type SqliteOptions } from "../src/store/sqlite.js";
import { token } from "./support/program.js";
import { inFile, onPostgres } from "./support/stores.js";

/** Registers an SDK that keeps spans. */
function registerSdk() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  onTestFinished(async () => {
    await provider.shutdown();
    for (const each of [trace, propagation, context]) each.disable();
  });
  const ofKind = (kind: SpanKind) => exporter.getFinishedSpans().filter((span) => span.kind === kind);
  return { provider, ofKind, reset: () => exporter.reset() };
}

/** A service whose spans are kept, of requests and of statements. */
async function startTraced(args: readonly string[]) {
  const sdk = registerSdk();
  const options = optionsOf([...args, "--port", "0", "--log", "silent"], { CLOUD_COMPUTE_TOKEN: token });
  const service = await startService(options, openTelemetry());
  onTestFinished(() => service.close());
  return { ...sdk, admin: api.createClient({ baseUrl: service.url, token }) };
}

test.each([
  ["sqlite", () => inFile()],
  ["postgresql", () => onPostgres()],
] as const)("a statement is a child of the span of its request, on %s", async (system, place) => {
  const { admin, ofKind, reset } = await startTraced((await place()).args);
  const labels = ["first-label", "second-label", "third-label"];
  // Writes that arrive together share a transaction of the embedded store.
  await Promise.all(labels.map((label) => api.createTag(admin, { body: { label } })));
  const requests = ofKind(SpanKind.SERVER).map((span) => span.spanContext());
  expect(requests).toHaveLength(3);
  const statements = ofKind(SpanKind.CLIENT);
  for (const { traceId, spanId } of requests) {
    const inserts = statements.filter(
      (span) => span.name === "insert tags" && span.parentSpanContext?.spanId === spanId,
    );
    expect(inserts.map((span) => span.spanContext().traceId)).toEqual([traceId]);
    expect(inserts[0]?.attributes).toEqual({
      "db.system.name": system,
      "db.operation.name": "insert",
      "db.collection.name": "tags",
      "db.query.text": expect.stringMatching(/^insert into "?tags"? .*values/) as string,
    } satisfies Attributes);
  }
  const ids = new Set(requests.map(({ spanId }) => spanId));
  expect(statements.filter(({ parentSpanContext }) => !ids.has(parentSpanContext?.spanId ?? ""))).toEqual([]);
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(["begin", "commit"]));
  const seen = JSON.stringify(statements.map(({ name, attributes, events }) => ({ name, attributes, events })));
  for (const value of [...labels, token]) expect(seen).not.toContain(value);
  reset();
  await api.listTags(admin);
  expect(ofKind(SpanKind.CLIENT).map(({ name }) => name)).toContain("select tags");
});

test.each([
  ["sqlite", async (options: SqliteOptions) => openSqlite(":memory:", options), "SQLITE_ERROR"],
  ["postgresql", async (options: PostgresOptions) => openPostgres(await sharedPostgres().database(), options), "42703"],
] as const)("a statement that fails has the code of the database, on %s", async (_, open, code) => {
  const { provider, ofKind } = registerSdk();
  const store = await open(openTelemetry());
  onTestFinished(() => store.close());
  await provider.getTracer("test").startActiveSpan("request", async (span) => {
    const secret = "s3cret";
    const asking = store.survey(0, ({ database }) =>
      rowsOf(sql`select nothing from tags where id = ${secret}`, database),
    );
    await expect(asking).rejects.toThrow();
    span.end();
  });
  expect(ofKind(SpanKind.CLIENT).map(({ name, status, attributes }) => ({ name, status, attributes }))).toEqual([
    {
      name: "select tags",
      status: { code: SpanStatusCode.ERROR },
      attributes: expect.objectContaining({ "error.type": code, "db.response.status_code": code }) as Attributes,
    },
  ]);
});
