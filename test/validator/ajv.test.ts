import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ajvValidator } from "@cloud-compute/validator/ajv";
import { validator } from "@cloud-compute/validator/fetch";
import * as fc from "fast-check";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createUserAjv } from "../support/ajv.js";
import { checkTypes, examplesOf, projectOf } from "../support/examples.js";
import { listen } from "../support/hosts.js";
import { Maker } from "../support/making/arbitraries.js";
import { callsOf } from "../support/making/calls.js";
import { recordRequests, type Recorded } from "../support/making/corpus.js";
import { fitting } from "../support/making/fitting.js";
import { jsonBody, readModel, type Api } from "../support/model.js";
import { startOracle, type Oracle } from "../support/oracle.js";
import { repository } from "../support/places.js";
import { seed } from "../support/property-testing.js";

const isFull = process.env["MODE"] === "full";
const bodiesEach = isFull ? 200 : 3;

const onAjv = ajvValidator(createUserAjv());
const handlers = {
  compiled: validator({ basePath: "/v4" })(() => new Response("{}")),
  ajv: onAjv.fetch({ basePath: "/v4" })(() => new Response("{}")),
};

let api: Api;
let oracle: Oracle;
let recorded: readonly Recorded[];
beforeAll(async () => {
  api = await readModel();
  oracle = await startOracle();
  const maker = new Maker(api);
  recorded = await recordRequests(api.operations, (each) => callsOf(each, maker, oracle), {
    seed,
    each: isFull ? 3 : 2,
  });
});

interface KnownDifference {
  readonly because: string;
  /** A request about which the engines differ for this reason alone. */
  readonly example: Recorded;
  readonly explains: (outcomes: Outcomes) => boolean;
}

/** Why the two engines may differ about a request. `docs/validator.md` of `@plumbline/server-runtime` has the same list for users. */
const differences: readonly KnownDifference[] = [
  {
    because: "Ajv accepts integers that a double cannot distinguish",
    example: jsonRequest("PUT /v4/compute/instances/1", '{"alerts":{"network_in":9007199254740992}}'),
    explains: ({ compiled, ajv }) =>
      compiled.status === 400 && ajv.status === 200 && compiled.reasons.every((each) => /representable/.test(each)),
  },
  {
    because: "ajv-formats accepts a space between a date and a time",
    example: jsonRequest("POST /v4/profile/tokens", '{"expiry":"2030-01-31 12:00:00Z"}'),
    explains: ({ compiled, ajv }) =>
      compiled.status === 400 &&
      ajv.status === 200 &&
      compiled.reasons.every((each) => each.startsWith("must be a date")),
  },
];

interface Outcome {
  readonly status: number;
  readonly fields: readonly string[];
  readonly reasons: readonly string[];
}

type Outcomes = Readonly<Record<keyof typeof handlers, Outcome>>;

it("validates as the example of the package's README", async () => {
  const readme = await readFile(path.join(repository, "packages", "validator", "README.md"), "utf8");
  const example = examplesOf(readme).filter((text) => text.includes("Ajv2020"));
  const project = await projectOf(example);
  expect(await checkTypes(project)).toMatchObject({ code: 0, out: "" });
  const { app } = (await import(pathToFileURL(path.join(project, "example-1.js")).href)) as { app: RequestListener };
  const { port, close } = await listen(app);
  onTestFinished(close);
  const response = await fetch(`http://127.0.0.1:${port}/v4/tags`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"label":""}',
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    { errors: [{ field: "label", reason: "must be 3 to 50 characters" }] },
  ]);
});

describe(`the validator on Ajv (SEED=${seed})`, () => {
  it("compiles the schemas of all operations on a strict instance", () => {
    expect(() => onAjv.compile()).not.toThrow();
  });

  it("accepts what the compiled one accepts", async () => {
    expect(recorded.length).toBeGreaterThanOrEqual(isFull ? 270 : 180);
    for (const each of recorded) {
      const { compiled, ajv } = await exchangeBoth(each);
      expect([each, ajv]).toEqual([each, compiled]);
      expect(ajv.status).toBe(200);
    }
  });

  it.each(differences.map((each) => [each.because, each] as const))("differs: %s", async (_, { example, explains }) => {
    const outcomes = await exchangeBoth(example);
    expect(outcomes).toMatchObject({ compiled: { status: 400 }, ajv: { status: 200 } });
    expect(explains(outcomes)).toBe(true);
  });

  it("finds a validator that accepts everything", async () => {
    const broken = jsonRequest("POST /v4/tags", "{}");
    const accepting = { ajv: { status: 200, fields: [], reasons: [] } };
    const { compiled } = await exchangeBoth(broken);
    expect(compiled.status).toBe(400);
    expect(differences.some(({ explains }) => explains({ compiled, ...accepting }))).toBe(false);
  });

  it("rejects bodies that the compiled one rejects, for the same fields, with known differences", async () => {
    const maker = new Maker(api);
    const seen = { cases: 0, sameFields: 0 };
    for (const operation of api.operations) {
      const shape = jsonBody(operation)?.json.schema;
      const sample = recorded.find(
        ({ method, target, body }) => method === operation.method && matches(operation.path, target) && body !== "",
      );
      if (shape === undefined || sample === undefined) continue;
      const made = fitting(maker.of(shape), oracle.body(operation.method, operation.path));
      for (const one of fc.sample(made, { numRuns: bodiesEach, seed })) {
        for (const broken of one.breaks().slice(0, 40)) {
          const request = { ...sample, body: JSON.stringify(broken.value()) };
          const outcomes = await exchangeBoth(request);
          seen.cases += 1;
          if (outcomes.ajv.status !== outcomes.compiled.status) {
            const difference = differences.find(({ explains }) => explains(outcomes));
            expect(difference, `${operation.name} ${request.body} ${JSON.stringify(outcomes)}`).toBeDefined();
          } else if (outcomes.ajv.fields.join() === outcomes.compiled.fields.join()) seen.sameFields += 1;
        }
      }
    }
    expect(seen.cases).toBeGreaterThan(1500);
    // Of a union, either engine may report another branch.
    expect(seen.sameFields / seen.cases).toBeGreaterThan(0.85);
  });
});

function jsonRequest(line: string, body: string): Recorded {
  const [method = "", target = ""] = line.split(" ");
  return { method, target, headers: "content-type: application/json", body };
}

async function exchangeBoth(request: Recorded): Promise<Outcomes> {
  return { compiled: await exchange(handlers.compiled, request), ajv: await exchange(handlers.ajv, request) };
}

async function exchange(
  handle: (request: Request) => Promise<Response>,
  { method, target, headers, body }: Recorded,
): Promise<Outcome> {
  const lines = headers.split("\r\n").map((line) => line.split(": ") as [string, string]);
  const response = await handle(
    new Request(`http://localhost${target}`, { method, headers: lines, ...(body === "" ? {} : { body }) }),
  );
  const { errors = [] } = (await response.json()) as {
    readonly errors?: readonly { readonly field?: string; readonly reason: string }[];
  };
  return {
    status: response.status,
    fields: [...new Set(errors.map(({ field = "" }) => field))].toSorted(),
    reasons: errors.map(({ reason }) => reason),
  };
}

function matches(template: string, target: string): boolean {
  const pattern = template
    .split("/")
    .map((part) => (part.startsWith("{") ? "[^/]+" : part))
    .join("/");
  return new RegExp(`^/v4${pattern}$`).test(target);
}
