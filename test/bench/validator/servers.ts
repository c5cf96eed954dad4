import { medianOf, spreadOf } from "../figures.js";
import type { Row } from "../report.js";

/** The validators of a framework, by the suffix of their programs; the first one does not validate. */
export const servers = [
  {
    host: "node:http",
    bare: "node-bare",
    validating: { plumbline: "node-plumbline", "openapi-backend": "node-openapi-backend" },
  },
  {
    host: "express",
    bare: "express-bare",
    validating: {
      plumbline: "express-plumbline",
      "plumbline on ajv": "express-ajv",
      "express-openapi-validator": "express-express-openapi-validator",
    },
  },
  {
    host: "fastify",
    bare: "fastify-bare",
    validating: {
      plumbline: "fastify-plumbline",
      "plumbline on ajv": "fastify-ajv",
      "its own schemas": "fastify-schemas",
    },
  },
  { host: "hono", bare: "hono-bare", validating: { plumbline: "hono-plumbline" } },
] as const satisfies readonly Hosted[];

interface Hosted {
  readonly host: string;
  readonly bare: string;
  readonly validating: Readonly<Record<string, string>>;
}

/** One that validates, and the same server that does not. */
export interface Pair {
  readonly host: string;
  readonly who: string;
  readonly program: string;
  readonly bare: string;
}

export const pairs: readonly Pair[] = servers.flatMap(({ host, bare, validating }: Hosted) =>
  Object.entries(validating).map(([who, program]) => ({ host, who, program, bare })),
);

/** All that are measured, in turns. */
export const programs: readonly string[] = servers.flatMap(({ bare, validating }: Hosted) => [
  bare,
  ...Object.values(validating),
]);

/** The middle one of the differences within a round. Throws when a round lacks one of them. */
export function above(theirs: readonly number[], bare: readonly number[]): number {
  if (theirs.length !== bare.length) throw new Error("The rounds of the two are not the same.");
  return medianOf(theirs.map((time, round) => time - (bare[round] ?? Number.NaN)));
}

/** The cost of each server, and the additional cost of validation. */
export function rowsOf(timesOf: (program: string) => readonly number[]): readonly Row[] {
  return servers.flatMap(({ host, bare, validating }: Hosted) => {
    const without = spreadOf(timesOf(bare));
    return [
      { name: `${host}, bare`, cells: { time: without } },
      ...Object.entries(validating).map(([who, program]) => {
        const time = spreadOf(timesOf(program));
        const cells = { time, above: above(timesOf(program), timesOf(bare)), least: time.min - without.min };
        return { name: `${host}, ${who}`, cells };
      }),
    ];
  });
}
