import { buildFixtureApi, withPaths } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { artifact, statementsOf } from "../generate-server.support.js";
import { emitGrants } from "./grants.js";
import { emitServerScopes } from "./scopes.js";

const ok = "responses: {'200': {description: ok}}";

test("no grammar where the description has none", async () => {
  const api = await buildFixtureApi(withPaths(`/a: {get: {operationId: a, ${ok}}}`));
  expect(await statementsOf(emitServerScopes(api))).toMatchInlineSnapshot(`
    "/** The syntax of scopes, and the levels that they imply. */
    export const scopeGrammar: ScopeGrammar | undefined = undefined;

    /** Scopes in a body that may not exceed other scopes. */
    export const scopeCeilings: Readonly<Record<string, readonly ScopeCeilingRule[]>> = {};"
  `);
});

test("a grammar, and a field that may ask for no more than its caller has", async () => {
  const api = await buildFixtureApi(
    withPaths(
      `/tokens: {post: {operationId: createToken, requestBody: {content: {application/json: {schema: {type: object, properties: {scopes: {type: string, x-scopes: {atMost: $caller.scopes, error: too-much}}}}}}}, ${ok}}}`,
      `components:
  securitySchemes:
    token: {type: http, scheme: bearer, x-scopes: {areas: [pets], levels: {read: [], write: [read]}, all: '*', separator: ',', errors: {missing: no-token, invalid: bad-token, scope: no-scope}}}
`,
    ),
  );
  expect(await statementsOf(emitServerScopes(api))).toMatchInlineSnapshot(`
    "/** The syntax of scopes, and the levels that they imply. */
    export const scopeGrammar: ScopeGrammar | undefined = {
      scheme: "token",
      areas: ["pets"],
      levels: { read: [], write: ["read"] },
      all: "*",
      separator: ",",
      errors: { missing: "no-token", invalid: "bad-token", scope: "no-scope" },
    };

    /** Scopes in a body that may not exceed other scopes. */
    export const scopeCeilings: Readonly<Record<string, readonly ScopeCeilingRule[]>> = {
      createToken: [{ pointer: ["scopes"], atMost: { root: "caller", name: "scopes", pointer: [] }, error: "too-much" }],
    };"
  `);
});

test("grants, each with its condition", async () => {
  const grants = `[{grant: add_pets, error: not-yours}, {caller: {role: [owner, vet]}, when: {changes: [name]}}, {on: '$request.body#/pets/*', level: read_write}]`;
  const api = await buildFixtureApi(
    withPaths(
      `/pets: {get: {operationId: listPets, ${ok}}, post: {operationId: createPet, x-grants: ${grants}, ${ok}}}`,
    ),
  );
  expect(await statementsOf(emitGrants(api, artifact))).toMatchInlineSnapshot(`
    "/** Which callers need no grant, and where the grants of a user have names. */
    export const callers: CallerRules = { namedGrants: "named" };

    /** The grants that a caller needs for each operation. All of them are required. */
    export const grants: Readonly<Record<string, readonly Grant[]>> = {
      createPet: [
        { kind: "named", name: "add_pets", error: "not-yours" },
        { kind: "caller", caller: { role: ["owner", "vet"] }, when: { changes: ["name"] } },
        { kind: "entity", on: { root: "request", part: "body", pointer: ["pets", "*"] }, level: "read_write" },
      ],
    };"
  `);
});
