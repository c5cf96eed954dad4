import { describe, expect, test } from "vitest";
import { apiOf, withPaths, withSchemas } from "../model/testing.support.js";
import { runtimeVersion } from "../emit/runtimes.js";
import { headerNames } from "../model/headers.js";
import { emitHosts } from "./hosts.js";
import { judgedMachines } from "./judged-machines.js";
import { emitPackage } from "./package.js";
import { basePathsOf, emitServer } from "./server.js";
import { emitStates } from "./states.js";
import { artifact, refusalOf, statementsOf } from "./testing.support.js";

const ok = "responses: {'200': {description: ok}}";

describe("the options of a server", () => {
  test("are the common ones for a minimal description", async () => {
    const [options] = (await statementsOf(emitServer(await apiOf(withPaths("/pets: {}"))))).split("\n\n");
    expect(options).toMatchInlineSnapshot(`
      "interface Options<Context extends Call, Rows extends Resources> extends CommonOptions {
        readonly limits?: LimitOptions;
      }"
    `);
  });

  test("are those that the description requires", async () => {
    const api = await apiOf(
      withPaths(
        `/homes/{home}/pets:
  parameters: [{name: home, in: path, required: true, schema: {type: string}, x-reference: {to: Home, by: name}}]
  put:
    operationId: setPet
    security: [{pass: []}, {certificate: []}, {odd: []}]
    requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}, size: {x-change: {rule: next, order: sizes}}}}}}}
    x-grants: [{global: add-pets}, {on: $request.path.home, level: read_write}]
    x-limits: [{id: pet-jobs, kind: concurrency, max: 1, per: $request.path.home}]
    x-errors: [{id: name-taken, status: 400}]
    ${ok}
  post: {operationId: createPet, x-limits: [{id: pet-jobs, kind: concurrency, max: 1, per: $request.path.home}], ${ok}}
`,
        `components:
  securitySchemes: {pass: {type: http, scheme: basic, description: As at the door.}, certificate: {type: mutualTLS}, odd: {type: http, scheme: digest}, unused: {type: http, scheme: bearer}}
  pathItems: {upload: {put: {operationId: putPicture, ${ok}}}}
  schemas:
    Home:
      type: object
      x-resource: {owner: [account], grants: homes}
      properties: {name: {type: string, x-limits: [{id: home-names, kind: unique, within: account, error: name-taken}]}}
`,
      ),
    );
    const statements = (await statementsOf(emitServer(api))).split(/\n\n(?=\/\*\*|export|interface)/);
    expect(statements.slice(0, 2).join("\n\n")).toMatchInlineSnapshot(`
      "/** The loader of each resource, with the owners of its rows. */
      export interface Stores<Context extends Call, Rows extends Resources> {
        readonly Home: Stored<Rows["Home"], string, Context> & Owned<Rows["Home"], "account">;
      }

      interface Options<Context extends Call, Rows extends Resources> extends CommonOptions {
        /** Returns the owner of a credential, or undefined if it is unknown or revoked. */
        readonly authenticate: {
          /** As at the door. */
          readonly pass: Authenticate<Basic, Caller, Context>;

          readonly certificate: Authenticate<Received, Caller, Context>;

          readonly odd: Authenticate<string, Caller, Context>;
        };
        /** Returns the grants of a restricted user. */
        grants(
          caller: Caller,
          context: Context,
        ): Awaitable<{
          readonly global: { readonly "add-pets"?: boolean | null };
          readonly homes: readonly EntityGrant[];
        }>;
        readonly resources: Stores<Context, Rows>;
        readonly limits: LimitOptions & {
          /** Counts the started jobs that have not ended. */
          readonly unsettled: {
            "pet-jobs"(key: string, context: Context): Awaitable<number>;
          };
          /** Returns whether another object has these values. */
          readonly taken: {
            "home-names"(
              values: { readonly name: string },
              context: Context,
              except: Rows["Home"] | undefined,
            ): Awaitable<boolean>;
          };
        };
        /** Returns the values in their order. */
        readonly orders: {
          sizes(context: Context): Awaitable<readonly unknown[]>;
        };
        /** The routes of operations without a path in the description. */
        readonly links: {
          readonly putPicture: Link<unknown, Context>;
        };
      }"
    `);
  });
});

test.each([
  ["", [""]],
  [
    "servers: [{url: 'https://a.example/v{n}/', variables: {n: {default: '2'}}}, {url: /v2}, {url: 'http://b.example'}]",
    ["/v2", ""],
  ],
  [
    "servers: [{url: '//a.example/v2'}, {url: nonsense}, {url: 'https://a.example/a b'}, {url: 'https://a.example/a?b#c'}]",
    ["/v2", "", "/a"],
  ],
  ["servers: [{url: 'https://a.example/v1/../x'}, {url: 'https://a.example/*'}, {url: 'https:///'}]", ["/x", ""]],
])("paths begin where the servers' do: %s", async (servers, paths) => {
  expect(basePathsOf(await apiOf(withPaths("/pets: {}", `${servers}\n`)))).toEqual(paths);
});

test("headers of every answer are called as the description calls them", async () => {
  const replying =
    "responses: {'200': {description: ok, headers: {x-ratelimit-LIMIT: {}, X-Request-ID: {}, Other: {}}}}";
  expect(headerNames(await apiOf(withPaths(`/a: {get: {operationId: a, ${replying}}}`)))).toEqual({
    requestId: "X-Request-ID",
    limit: "x-ratelimit-LIMIT",
  });
  expect(headerNames(await apiOf(withPaths("/a: {}")))).toEqual({ requestId: "X-Request-Id" });
});

test("a state machine is enforced if an operation is not allowed in every state", async () => {
  const transitions = (...all: readonly string[]): string =>
    `{states: [a, b], initial: [], transitions: [${all.join(", ")}]}`;
  const api = await apiOf(
    withPaths(
      `/pets: {post: {operationId: feed, ${ok}}}`,
      `components:
  schemas:
    Always: {type: object, x-state-machine: ${transitions("{by: feed, from: [a, b], to: a}")}}
    Never: {type: object, x-state-machine: ${transitions("{by: {platform: night}, from: [a], to: b}")}}
    Sometimes: {type: object, x-state-machine: ${transitions("{by: feed, from: [a], to: b}")}}
`,
    ),
  );
  expect(judgedMachines(api).map(({ resource }) => resource)).toEqual(["Sometimes"]);
});

test("the name of a state machine is unique", async () => {
  const machine = (name: string): string =>
    `x-state-machine: {x-name: ${name}, states: [a], initial: [], transitions: []}`;
  const api = await apiOf(
    withSchemas(
      `A: {type: object, ${machine("Limits")}}\nB: {type: object, ${machine("Mood")}}\nC: {type: object, ${machine("mood")}}`,
    ),
  );
  expect(refusalOf(() => emitStates(api, artifact))).toEqual([
    "names/collision Another export of the server has the name limits.",
    "names/collision Another export of the server has the name mood.",
  ]);
});

test("there is an entry for each kind of server", async () => {
  expect(emitHosts().map(({ path, text }) => `${path}: ${text.trim().split("\n").at(-1) ?? ""}`))
    .toMatchInlineSnapshot(`
    [
      "src/gen/node.ts: export { nodeListener, protectServer } from "@plumbline/server-runtime/node";",
      "src/gen/express.ts: export { expressMiddleware } from "@plumbline/server-runtime/express";",
      "src/gen/fastify.ts: export { fastifyPlugin } from "@plumbline/server-runtime/fastify";",
      "src/gen/hono.ts: export { honoMiddleware } from "@plumbline/server-runtime/hono";",
      "src/gen/fetch.ts: export { fetchHandler } from "@plumbline/server-runtime/fetch";",
    ]
  `);
});

test("the package names what hides types of the description, and what it needs", async () => {
  const [manifest, , index, readme] = emitPackage(
    await apiOf(
      withPaths(`/pets: {get: {operationId: listPets, ${ok}}}`, "components: {schemas: {Call: {type: string}}}\n"),
    ),
    artifact,
  );
  expect(manifest).toMatchObject({
    path: "package.json",
    owned: {
      name: "@pets/server",
      dependencies: { "@plumbline/server-runtime": runtimeVersion, "@plumbline/validator-runtime": runtimeVersion },
    },
  });
  expect(index).toMatchInlineSnapshot(`
    {
      "path": "src/index.ts",
      "text": "export { createServer, type PartialOptions, type ServerOptions } from "./gen/server.js";
    export type { Call, Caller, Handlers, ListPetsReply, ListPetsRequest, Resources } from "./gen/handlers.js";
    export { errors, type Errors } from "./gen/errors.js";
    export { limits, type Limits } from "./gen/limits.js";
    export { filterable, type Filterable } from "./gen/lists.js";
    export type * from "./gen/types.js";
    ",
    }
  `);
  expect(readme).toMatchObject({ path: "README.md", text: expect.stringContaining("listPets") as string });
});
