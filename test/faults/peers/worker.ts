import { EventEmitter } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import type { ToolJob, ToolTest } from "./jobs.js";

// A separate process, since both tools print and keep global state.
const { PEERS: peers = "" } = process.env;
const require = createRequire(path.join(peers, "here.js"));

process.on("message", (job: ToolJob) => {
  void (async () => {
    const tests = job.tool === "dredd" ? await dredd(job) : await newman(job);
    process.send?.({ tests });
  })().catch((error: unknown) => process.send?.({ error: error instanceof Error ? error.message : String(error) }));
});

/** A completed test. Its title has an address that differs in each run. */
interface Ended {
  readonly title: string;
  readonly message?: string;
}

async function dredd({
  server,
  description,
  hooks,
  request,
}: Extract<ToolJob, { tool: "dredd" }>): Promise<readonly ToolTest[]> {
  process.env["DREDD_REQUEST"] = request;
  const Dredd = require("dredd") as new (options: object) => { run(done: (error: unknown) => void): void };
  const emitter = new EventEmitter();
  const tests: ToolTest[] = [];
  const on = (event: string, failed: boolean): void => {
    emitter.on(event, ({ title, message }: Ended) =>
      tests.push({
        name: title.split(" ").slice(0, 2).join(" "),
        failed,
        ...(failed ? { reason: short(message) } : {}),
      }),
    );
  };
  on("test pass", false);
  on("test fail", true);
  on("test error", true);
  const options = { path: [description], hookfiles: [hooks], loglevel: "silent", reporter: [], "inline-errors": true };
  await new Promise<void>((resolve, reject) => {
    new Dredd({ server, options, emitter }).run((error) => (error ? reject(error) : resolve()));
  });
  return tests;
}

interface Summary {
  readonly run: {
    readonly executions: readonly {
      readonly item: { readonly name: string };
      readonly requestError?: unknown;
      readonly assertions?: readonly { readonly assertion: string; readonly error?: { readonly message: string } }[];
    }[];
  };
}

async function newman({ collection, variables }: Extract<ToolJob, { tool: "newman" }>): Promise<readonly ToolTest[]> {
  const { run } = require("newman") as {
    run(options: object, done: (error: Error | null, summary: Summary) => void): void;
  };
  const values = Object.entries(variables).map(([key, value]) => ({ key, value, enabled: true }));
  const options = { collection, environment: { name: "run", values }, reporters: [], timeoutRequest: 10_000 };
  const summary = await new Promise<Summary>((resolve, reject) => {
    run(options, (error, found) => (error === null ? resolve(found) : reject(error)));
  });
  return summary.run.executions.flatMap(({ item, requestError, assertions = [] }) => [
    ...(requestError === undefined ? [] : [{ name: `${item.name}: a request gets a response`, failed: true }]),
    ...assertions.map(({ assertion, error }) => ({
      name: `${item.name}: ${assertion}`,
      failed: error !== undefined,
      ...(error === undefined ? {} : { reason: short(error.message) }),
    })),
  ]);
}

function short(message = ""): string {
  return message.slice(0, 300);
}
