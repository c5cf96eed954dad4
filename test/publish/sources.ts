const program = `import { createClient, getInstance, isApiError, toResult, type Instance } from "@cloud-compute/client";

const client = createClient({ token: "secret", baseUrl: "http://127.0.0.1:9/v4" });
const result = await toResult(getInstance(client, { path: { computeId: 5 } }));
const instance: Instance | undefined = result.ok ? result.data : undefined;
export const label: string | undefined = instance?.label;
if (!result.ok && !isApiError(result.error)) throw result.error;
`;
const requiring = `import { createClient, getInstance } from "@cloud-compute/client";

const client = createClient({ token: "secret" });
export const label = async (computeId: number): Promise<string> => (await getInstance(client, { path: { computeId } })).label;
`;
const validating = `import { createInstance, inputOf, type CreateInstanceInput } from "@cloud-compute/validator";
import { validator as forExpress } from "@cloud-compute/validator/express";
import { validator as forFastify } from "@cloud-compute/validator/fastify";
import { validator as forFetch } from "@cloud-compute/validator/fetch";
import { validator as forHono } from "@cloud-compute/validator/hono";
import { validator as forNode } from "@cloud-compute/validator/node";

export const all = [forExpress, forFastify, forFetch, forHono, forNode].map((validator) => validator({ basePath: "/v4" }));
const result = createInstance({ body: { region: "us-east" } });
export const issues: readonly string[] = result.ok ? [] : result.issues.map((issue) => issue.reason);
const input: CreateInstanceInput = inputOf(createInstance, {});
export const booted: boolean = input.body.booted;
`;
const serving = `import { createServer, errors, type Handlers, type Instance } from "@cloud-compute/server";
import { expressMiddleware } from "@cloud-compute/server/express";
import { fastifyPlugin } from "@cloud-compute/server/fastify";
import { fetchHandler } from "@cloud-compute/server/fetch";
import { honoMiddleware } from "@cloud-compute/server/hono";
import { nodeListener } from "@cloud-compute/server/node";
import type { Region } from "@cloud-compute/server/types";

const getInstance: Handlers["getInstance"] = async ({ target }) => ({ status: 200, body: target satisfies Instance });
const listRegions: Handlers["listRegions"] = () => {
  throw errors.unavailable();
};
const server = createServer({ getInstance, listRegions }, { missingHandlers: "not-implemented" });
export const all = [nodeListener, expressMiddleware, fastifyPlugin, honoMiddleware, fetchHandler].map((host) => host(server));
export const region: Region | undefined = undefined;
`;
const work = `const client = createClient({ token: "secret", baseUrl: "http://127.0.0.1:9/v4" });
const { ok, error } = await toResult(getInstance(client, { path: { computeId: 5 } }));
console.log(ok, error.code);
for (const { field, reason } of createInstance({ body: { region: "us-east", label: "a" } }).issues) console.log(field, reason);
const listRegions = () => {
  throw errors.unavailable();
};
const handle = fetchHandler(createServer({ listRegions }, { missingHandlers: "not-implemented" }));
console.log((await handle(new Request("http://127.0.0.1/v4/regions"))).status)
`;
const names = {
  "@cloud-compute/client": "createClient, getInstance, toResult",
  "@cloud-compute/server": "createServer, errors",
  "@cloud-compute/server/fetch": "fetchHandler",
  "@cloud-compute/validator": "createInstance",
};
const asImports = Object.entries(names).map(([from, what]) => `import { ${what} } from "${from}";\n`);
const asRequires = Object.entries(names).map(([from, what]) => `const { ${what} } = require("${from}");\n`);

/** The code of a user who has just installed client, validator and server, by file name. */
export const files: Readonly<Record<string, string>> = {
  "program.ts": program,
  "wrong.ts": program.replace("computeId: 5", 'computeId: "5"'),
  "validating.ts": validating,
  "serving.ts": serving,
  "common.cts": `${requiring}${validating}`,
  "script.mjs": `${asImports.join("")}${work}`,
  // Modules may be required; only they may wait at their top.
  "script.cjs": `${asRequires.join("")}(async () => {\n${work}})();\n`,
};

/** Goes on where the validator's example ends, with a request that lacks something. */
export const asking = `
const listening = app.listen(0, "127.0.0.1", async () => {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"region":"us-east"}' };
  const reply = await fetch(\`http://127.0.0.1:\${listening.address().port}/v4/compute/instances\`, init);
  console.log(reply.status, await reply.text());
  listening.close();
});
`;

/** Goes on where the server's example ends, without any handler. */
export const withoutHandlers = `
try {
  startServer({}, {});
} catch (error) {
  console.log(error.message.split(",")[0]);
}
`;
