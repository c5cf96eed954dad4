/** Who validates on a framework, by the ends of the names of their programs; what stands first does not. */
export const servers = [
  {
    host: "node:http",
    bare: "node-bare",
    validating: { plumbline: "node-plumbline", "openapi-backend": "node-openapi-backend" },
  },
  {
    host: "express",
    bare: "express-bare",
    validating: { plumbline: "express-plumbline", "express-openapi-validator": "express-express-openapi-validator" },
  },
  {
    host: "fastify",
    bare: "fastify-bare",
    validating: { plumbline: "fastify-plumbline", "its own schemas": "fastify-schemas" },
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
