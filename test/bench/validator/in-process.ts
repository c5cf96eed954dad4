import { fastestRatioOf, spreadOf } from "../figures.js";
import { manifestOf, run, type Node } from "../peers.js";
import type { Compared } from "../report.js";

/** By the ends of the names of their programs. */
const judges = {
  plumbline: "plumbline, createInstance.body",
  "plumbline-check": "plumbline, the compiled check alone",
  "ajv-own": "ajv standalone, ownProperties",
  "ajv-any": "ajv standalone, without ownProperties",
  fastify: "fastify's ajv, first fault only",
  "express-openapi-validator": "express-openapi-validator, its chain",
  "openapi-backend": "openapi-backend, validateRequest",
} as const;

type Judge = keyof typeof judges;

const kinds = {
  valid: "A valid body of createInstance",
  faulty: "The same body with five faults",
} as const;

/** The number of short turns in a round. */
const turnsPerRound = 20;

/** The time to validate a parsed body. */
export async function compareInProcess(
  folder: string,
  { node, rounds }: { readonly node: Node; readonly rounds: number },
): Promise<readonly Compared[]> {
  const names = Object.keys(judges) as readonly Judge[];
  const said = await run(node.program, ["speed.mjs", String(rounds * turnsPerRound), ...names], folder);
  const found = JSON.parse(said) as Readonly<Record<keyof typeof kinds, Readonly<Record<Judge, readonly number[]>>>>;
  return (Object.keys(kinds) as readonly (keyof typeof kinds)[]).map((kind) => {
    const times = found[kind];
    const against = (of: Judge, to: Judge) => fastestRatioOf(times[of], times[to]);
    const on = `Node ${node.version}`;
    const goals =
      kind === "valid"
        ? [
            { what: `validating a body, against ajv, ${on}`, figure: against("plumbline", "ajv-own"), limit: 1.15 },
            { what: `the check alone, against ajv, ${on}`, figure: against("plumbline-check", "ajv-own"), limit: 1.15 },
            {
              what: `validating a body, against a sixtieth of express-openapi-validator, ${on}`,
              figure: against("plumbline", "express-openapi-validator") * 60,
              limit: 1,
            },
          ]
        : [{ what: `reporting five issues, against ajv, ${on}`, figure: against("plumbline", "ajv-own"), limit: 2 }];
    return {
      table: {
        title: `${kinds[kind]}, parsed, in process, ${on}`,
        columns: { time: { title: "µs", digits: 2 }, times: { title: "× ajv", digits: 2 } },
        rows: names.map((name) => ({
          name: judges[name],
          cells: { time: spreadOf(times[name]), times: against(name, "ajv-own") },
        })),
        notes: notesOf(kind),
      },
      goals: goals.map((goal) => ({ ...goal, unit: "×" })),
    };
  });
}

function notesOf(kind: keyof typeof kinds): readonly string[] {
  if (kind === "faulty") return ["createInstance.body returns five issues with messages, ajv its own errors"];
  const versions = ["ajv", "fastify", "express-openapi-validator", "openapi-backend"].map(
    (name) => `${name} ${manifestOf(name).version}`,
  );
  return [
    "middle turn (fastest–slowest); × compares the fastest turns, since interruptions only make one slower",
    "createInstance.body returns a copy with defaults and forced values, without nulls; ajv only validates, and accepts null as a value",
    `${versions.join(", ")}; the last two find the operation as well`,
  ];
}
