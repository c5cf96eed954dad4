import * as client from "@cloud-compute/client";
import * as fc from "fast-check";
import type { Operation } from "../model.js";
import type { Call } from "./calls.js";

/** The parts of a request, each as sent on the wire. */
export interface Recorded {
  readonly method: string;
  readonly target: string;
  readonly headers: string;
  readonly body: string;
}

/** Requests exactly as the generated client sends them: some of each operation. */
export async function recordRequests(
  operations: readonly Operation[],
  callsOf: (operation: Operation) => fc.Arbitrary<Call>,
  { seed, each }: { readonly seed: number; readonly each: number },
): Promise<readonly Recorded[]> {
  const requests: Recorded[] = [];
  const caller = client.createClient({
    baseUrl: "http://localhost/v4",
    token: "token",
    fetch: (url, { method = "GET", headers, body }) => {
      const { pathname, search } = new URL(url);
      const lines = [...new Headers(headers)].map(([name, value]) => `${name}: ${value}`);
      requests.push({
        method,
        target: pathname + search,
        headers: ["Host: localhost", "Connection: close", ...lines].join("\r\n"),
        body: typeof body === "string" ? body : "",
      });
      return Promise.resolve(Response.json({}));
    },
  });
  for (const operation of operations) {
    const call = (client as Readonly<Record<string, unknown>>)[operation.name] as (
      client: unknown,
      given: Call,
    ) => Promise<unknown>;
    // The response does not belong to that operation, and is ignored.
    for (const given of fc.sample(callsOf(operation), { numRuns: each, seed }))
      await call(caller, given).catch(() => undefined);
  }
  return requests;
}

/** Inputs that have broken parsers, routers and validators. */
const strange: readonly string[] = [
  "\r\n",
  "\n",
  "\0",
  "\t",
  "%00",
  "%",
  "%2F",
  "%2e%2e",
  "%252e",
  "//",
  "/../",
  ";x=1",
  "#",
  "?",
  "&page=1",
  "&page_size[]=25&page[__proto__]=1",
  ",".repeat(4000),
  "a".repeat(9000),
  "[".repeat(20_000),
  '{"a":'.repeat(200),
  '"__proto__":{"a":1},',
  '"constructor":null,',
  '"label":"a","label":"b",',
  "1e400",
  "-0",
  "9007199254740993",
  '"\\ud800"',
  "\xff\xfe",
  "\xc0\xaf",
  "\xed\xa0\x80",
  "\r\nTransfer-Encoding: chunked",
  "\r\nContent-Length: 7",
  "\r\nContent-Type: text/plain",
  "\r\nContent-Encoding: gzip",
  "\r\nExpect: 100-continue",
  "\r\nUpgrade: h2c",
  "\r\nAccept: text/html",
  '\r\nX-Filter: {"+or":[{}]}',
  " HTTP/1.0\r\n",
];

/** One change of bytes, somewhere. */
interface Edit {
  /** The position, in parts of ten thousand of the length. */
  readonly at: number;
  readonly remove: number;
  readonly insert: Uint8Array;
}

/** A change of a request. */
export interface Damage {
  readonly part: "target" | "headers" | "body" | "request";
  readonly edits: readonly Edit[];
  /** True where Content-Length stays unchanged. */
  readonly lies: boolean;
}

const inserted = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.string({ maxLength: 4 }).map((text) => Buffer.from(text)),
  fc.constantFrom(...strange).map((text) => Buffer.from(text, "latin1")),
);

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.noBias(fc.nat({ max: 9999 })),
  remove: fc.oneof(fc.constant(0), fc.constant(1), fc.noBias(fc.nat({ max: 40 }))),
  insert: inserted,
});

export const damages: fc.Arbitrary<Damage> = fc.record({
  part: fc.constantFrom("target", "headers", "body", "body", "request"),
  edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
  lies: fc.noBias(fc.nat({ max: 7 })).map((dice) => dice === 0),
});

/** The bytes of an unchanged request. */
export function bytesOf(recorded: Recorded): Uint8Array {
  return assembled(recorded, Buffer.from(recorded.body), Buffer.byteLength(recorded.body));
}

/** The bytes of a request with a part damaged. */
export function damaged(recorded: Recorded, { part, edits, lies }: Damage): Uint8Array {
  if (part === "request") return edited(bytesOf(recorded), edits);
  const bytes = edited(Buffer.from(recorded[part]), edits);
  const body = part === "body" ? bytes : Buffer.from(recorded.body);
  const length = lies ? Buffer.byteLength(recorded.body) : body.length;
  return assembled(part === "body" ? recorded : { ...recorded, [part]: bytes.toString("latin1") }, body, length);
}

function assembled({ method, target, headers }: Recorded, body: Buffer, length: number): Uint8Array {
  const counted = body.length === 0 && length === 0 ? [] : [`Content-Length: ${length}`];
  const head = [`${method} ${target} HTTP/1.1`, headers, ...counted, "", ""].join("\r\n");
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

function edited(bytes: Uint8Array, edits: readonly Edit[]): Buffer {
  return edits.reduce<Buffer>((before, { at, remove, insert }) => {
    const from = Math.floor((at / 10_000) * (before.length + 1));
    return Buffer.concat([before.subarray(0, from), insert, before.subarray(from + remove)]);
  }, Buffer.from(bytes));
}
