import { runtimeVersionRange } from "@plumbline/kit/codegen";
import { headerNames } from "@plumbline/kit/model";
import { buildFixtureApi, withPaths, withSchemas } from "@plumbline/kit/openapi/testing";
import { describe, expect, test } from "vitest";
import { emitServerAdapters } from "./adapters.js";
import { artifact, emittedDiagnostics, statementsOf } from "./generate-server.support.js";
import { emitServerPackage } from "./package.js";
import { basePathsOf, emitServer } from "./server.js";
import { enforcedStateMachines } from "./state-machines/enforced-state-machines.js";
import { emitServerStates } from "./state-machines/states.js";
import { carriedValidator } from "./validator.js";

const ok = "responses: {'200': {description: ok}}";

describe("the options of a server", () => {
  test("are the common ones for a minimal description", async () => {
    const [options] = (
      await statementsOf(emitServer(await buildFixtureApi(withPaths("/pets: {}")), carriedValidator))
    ).split("\n\n");
    expect(options).toMatchInlineSnapshot(`
      "interface Options<Context extends RequestContext, Rows extends Resources> extends CommonOptions {
        readonly limits?: LimitOptions;
      }"
    `);
  });

  test("are those that the description requires", async () => {
    const api = await buildFixtureApi(
      withPaths(
        `/homes/{home}/pets:
  parameters: [{name: home, in: path, required: true, schema: {type: string}, x-reference: {to: Home, by: name}}]
  put:
    operationId: setPet
    security: [{pass: []}, {certificate: []}, {odd: []}]
    requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}, size: {x-mutability: {rule: next, order: sizes}}}}}}}
    x-grants: [{grant: add-pets}, {on: $request.path.home, level: read_write}]
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
    const statements = (await statementsOf(emitServer(api, carriedValidator))).split(/\n\n(?=\/\*\*|export|interface)/);
    expect(statements.slice(0, 2).join("\n\n")).toMatchInlineSnapshot(`
      "/** The loader of each resource, with the owners of its rows. */
      export interface ResourceLoaders<Context extends RequestContext, Rows extends Resources> {
        readonly Home: ResourceLoader<Rows["Home"], string, Context> & HasOwner<Rows["Home"], "account">;
      }

      interface Options<Context extends RequestContext, Rows extends Resources> extends CommonOptions {
        /** Returns the owner of a credential, or undefined if it is unknown or revoked. */
        readonly authenticate: {
          /** As at the door. */
          readonly pass: Authenticate<BasicCredentials, Caller, Context>;

          readonly certificate: Authenticate<HttpRequest, Caller, Context>;

          readonly odd: Authenticate<string, Caller, Context>;
        };
        /** Returns the grants of a user who needs any. */
        grants(
          caller: Caller,
          context: Context,
        ): Awaitable<{
          readonly named: { readonly "add-pets"?: boolean | null };
          readonly homes: readonly EntityGrant[];
        }>;
        readonly resources: ResourceLoaders<Context, Rows>;
        readonly limits: LimitOptions & {
          /** Counts the started jobs that have not ended. */
          readonly countInProgress: {
            "pet-jobs"(key: string, context: Context): Awaitable<number>;
          };
          /** Returns whether another object has these values. */
          readonly isTaken: {
            "home-names"(
              values: { readonly name: string },
              context: Context,
              except: Rows["Home"] | undefined,
            ): Awaitable<boolean>;
          };
        };
        /** Returns the values in their order. */
        readonly orderedValues: {
          sizes(context: Context): Awaitable<readonly unknown[]>;
        };
        /** The routes of operations without a path in the description. */
        readonly operationRoutes: {
          readonly putPicture: OperationRoute<unknown, Context>;
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
    ["/v2", "", "/a%20b", "/a"],
  ],
  ["servers: [{url: 'https://a.example/v1/../x'}, {url: 'https://a.example/*'}, {url: 'https:///'}]", ["/x", "/*", ""]],
])("paths begin where the servers' do: %s", async (servers, paths) => {
  expect(basePathsOf(await buildFixtureApi(withPaths("/pets: {}", `${servers}\n`)))).toEqual(paths);
});

test("headers of every answer are called as the description calls them", async () => {
  const replying =
    "responses: {'200': {description: ok, headers: {x-ratelimit-LIMIT: {}, X-Request-ID: {}, Other: {}}}}";
  expect(headerNames(await buildFixtureApi(withPaths(`/a: {get: {operationId: a, ${replying}}}`)))).toEqual({
    requestId: "X-Request-ID",
    limit: "x-ratelimit-LIMIT",
  });
  expect(headerNames(await buildFixtureApi(withPaths("/a: {}")))).toEqual({ requestId: "X-Request-Id" });
});

test("a state machine is enforced if an operation is not allowed in every state", async () => {
  const transitions = (...all: readonly string[]): string =>
    `{states: [a, b], initial: [], transitions: [${all.join(", ")}]}`;
  const api = await buildFixtureApi(
    withPaths(
      `/pets: {post: {operationId: feed, ${ok}}}`,
      `components:
  schemas:
    Always: {type: object, x-state-machine: ${transitions("{event: feed, from: [a, b], to: a}")}}
    Never: {type: object, x-state-machine: ${transitions("{event: {platform: night}, from: [a], to: b}")}}
    Sometimes: {type: object, x-state-machine: ${transitions("{event: feed, from: [a], to: b}")}}
`,
    ),
  );
  expect(enforcedStateMachines(api).map(({ resource }) => resource)).toEqual(["Sometimes"]);
});

test("the name of a state machine is unique", async () => {
  const stateMachine = (name: string): string =>
    `x-state-machine: {x-name: ${name}, states: [a], initial: [], transitions: []}`;
  const api = await buildFixtureApi(
    withSchemas(
      `A: {type: object, ${stateMachine("Limits")}}\nB: {type: object, ${stateMachine("Mood")}}\nC: {type: object, ${stateMachine("mood")}}`,
    ),
  );
  expect(emittedDiagnostics(() => emitServerStates(api, artifact))).toEqual([
    "names/collision Another export of the server has the name limits.",
    "names/collision Another export of the server has the name mood.",
  ]);
});

test("there is an entry for each kind of server", async () => {
  expect(emitServerAdapters().map(({ path, text }) => `${path}: ${text.trim().split("\n").at(-1) ?? ""}`))
    .toMatchInlineSnapshot(`
    [
      "src/gen/node.ts: export { nodeListener, protectServer } from "@plumbline/server-runtime/node";",
      "src/gen/express.ts: export { expressMiddleware } from "@plumbline/server-runtime/express";",
      "src/gen/fastify.ts: export { fastifyPlugin } from "@plumbline/server-runtime/fastify";",
      "src/gen/hono.ts: export { honoMiddleware } from "@plumbline/server-runtime/hono";",
      "src/gen/fetch.ts: export { fetchHandler } from "@plumbline/server-runtime/fetch";",
      "src/gen/docs.ts: export { serveDocs } from "@plumbline/server-runtime/docs";",
    ]
  `);
});

test("the package names what hides types of the description, and what it needs", async () => {
  const [manifest, , index, readme] = emitServerPackage(
    await buildFixtureApi(
      withPaths(`/pets: {get: {operationId: listPets, ${ok}}}`, "components: {schemas: {Call: {type: string}}}\n"),
    ),
    artifact,
    carriedValidator,
  );
  expect(manifest).toMatchObject({
    path: "package.json",
    managedKeys: {
      name: "@pets/server",
      dependencies: { "@plumbline/server-runtime": runtimeVersionRange },
    },
  });
  expect(index).toMatchInlineSnapshot(`
    {
      "path": "src/index.ts",
      "text": "export { createServer, type PartialServerOptions, type ServerOptions } from "./gen/server.js";
    export type * from "./gen/handlers.js";
    export { errors, type Errors, NotImplementedError } from "./gen/errors.js";
    export { limits, type Limits } from "./gen/limits.js";
    export { filterable, type Filterable } from "./gen/lists.js";
    export type * from "./gen/types.js";
    ",
    }
  `);
  expect(readme).toMatchObject({ path: "README.md", text: expect.stringContaining("listPets") as string });
});
