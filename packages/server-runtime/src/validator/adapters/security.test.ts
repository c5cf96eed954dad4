import { describe, expect, it, onTestFinished } from "vitest";
import { createSecurityCheck, type SecurityContext, type SecurityDecision } from "../security/index.js";
import { adapters, type AdapterName, type AdapterTestOptions } from "./adapters.support.js";
import { request, sendRaw, type RawHttpResponse } from "./raw-http.support.js";

const table = createSecurityCheck({
  schemes: {
    token: { kind: "bearer" },
    login: { kind: "basic" },
    key: { kind: "apiKey", in: "query", key: "api_key" },
    certificate: { kind: "mutualTLS" },
  },
  requirements: {
    listPets: [[{ scheme: "token", scopes: ["pets:read"] }], []],
    createPet: [[{ scheme: "token", scopes: ["pets:write"] }]],
    getPet: [
      [
        { scheme: "login", scopes: [] },
        { scheme: "key", scopes: [] },
      ],
      [{ scheme: "token", scopes: ["pets:read"] }],
    ],
    deletePet: [[{ scheme: "certificate", scopes: [] }], []],
    updatePet: [[]],
    feedPet: [],
  },
});

const bearer = (token: string) => `Authorization: Bearer ${token}`;
const basic = (text: string) => `Authorization: Basic ${btoa(text)}`;
const json = "Content-Type: application/json";

describe.each(Object.keys(adapters) as AdapterName[])("%s", (name) => {
  async function run(sends: readonly (string | Uint8Array)[], options: AdapterTestOptions = {}) {
    const calls: SecurityContext<unknown>[] = [];
    const decide = (decision: (credential: unknown, scopes: readonly string[]) => SecurityDecision) => {
      return async (_: object, context: SecurityContext<unknown>) => {
        calls.push(context);
        return decision(context.credential, context.scopes);
      };
    };
    const host = await adapters[name]({
      securityCheck: async () => table,
      security: {
        token: decide((credential, scopes) => {
          if (credential === "broken") throw new Error("The store is away.");
          const granted = String(credential).split("+");
          return granted[0] === "good" && (scopes.every((each) => granted.includes(each)) || "forbidden");
        }),
        login: decide((credential) => (credential as { readonly password: string }).password === "secret"),
        key: decide((credential) => credential === "k1"),
        certificate: decide(() => false),
      },
      ...options,
    });
    onTestFinished(host.close);
    const response = await sendRaw(host.port, sends);
    return { ...summaryOf(response), calls };
  }

  it("lets a request with a valid credential pass, with its body", async () => {
    const sends = [request("POST /pets", [json, bearer("good+pets:write")], '{"name":"Rex"}')];
    const { status, body, calls } = await run(sends);
    expect({ status, body }).toMatchObject({ status: 200, body: { operation: "createPet", body: { name: "Rex" } } });
    expect(calls).toEqual([
      { credential: "good+pets:write", scheme: "token", scopes: ["pets:write"], operation: "createPet" },
    ]);
  });

  it.each([
    ["no credential", [json]],
    ["one of another scheme", [json, basic("eve:secret")]],
    ["two in one header", [json, "Authorization: Bearer a, Bearer b"]],
  ])("rejects %s without a handler", async (_, headers) => {
    const { status, challenge, body, calls } = await run([request("POST /pets", headers, '{"name":"Rex"}')]);
    expect({ status, challenge, body, calls }).toEqual({
      status: 401,
      challenge: "Bearer",
      body: { errors: [{ reason: "A valid credential is required" }] },
      calls: [],
    });
  });

  it("rejects what a handler rejects, before it validates", async () => {
    const { status, calls } = await run([request("POST /pets", [json, bearer("bad")], "{")]);
    expect({ status, calls: calls.length }).toEqual({ status: 401, calls: 1 });
  });

  it("says which scopes are missing", async () => {
    const { status, challenge, body } = await run([request("POST /pets", [json, bearer("good")], '{"name":"Rex"}')]);
    expect({ status, challenge, body }).toEqual({
      status: 403,
      challenge: undefined,
      body: { errors: [{ reason: "The credential lacks a permission: pets:write" }] },
    });
  });

  it.each([
    ["none", [], 200],
    ["a valid one", [bearer("good+pets:read")], 200],
    ["an invalid one", [bearer("bad")], 401],
  ])("lets %s pass where credentials are optional: %s", async (_, headers, status) => {
    expect(await run([request("GET /pets", headers)])).toMatchObject({ status });
  });

  it.each([
    ["/pets/5?api_key=k1", [basic("eve:secret")], 200],
    ["/pets/5?api_key=k2", [basic("eve:secret")], 401],
    ["/pets/5", [basic("eve:secret")], 401],
    ["/pets/5?api_key=k1", [], 401],
    ["/pets/5", [bearer("good+pets:read")], 200],
  ])("asks for all of one alternative: %s %s", async (target, headers, status) => {
    const result = await run([request(`GET ${target}`, headers)]);
    expect(result).toMatchObject({ status });
    if (status === 401) expect(result.challenge).toBe('Basic realm="api", charset="UTF-8", ApiKey, Bearer');
  });

  it("counts a connection without a known certificate as anonymous", async () => {
    expect(await run([request("DELETE /pets/5")])).toMatchObject({ status: 200, calls: [{ scheme: "certificate" }] });
  });

  it.each(["PATCH /pets/5", "POST /pets/5/feed", "GET /dogs"])("calls no handler for %s", async (line) => {
    expect((await run([request(line, [bearer("bad")])])).calls).toEqual([]);
  });

  it("passes on what a handler throws", async () => {
    expect(await run([request("POST /pets", [json, bearer("broken")], "{}")])).toMatchObject({ status: 500 });
  });

  it.each([
    ["GET /pets/x", undefined],
    ["POST /pets", '{"name":"R"}'],
  ])("passes on what `onError` throws, and serves the next request: %s", async (line, text) => {
    const onError = () => {
      throw new Error("There is no page for this.");
    };
    const host = await adapters[name]({ securityCheck: async () => table, security: { token: () => true }, onError });
    onTestFinished(host.close);
    const sends = [request(line, [json, bearer("good")], text)];
    for (const attempt of [await sendRaw(host.port, sends), await sendRaw(host.port, sends)])
      expect(attempt).toMatchObject({ status: 500, body: expect.stringContaining("There is no page") as string });
  });

  it("fails where a handler is missing, or what operations require", async () => {
    expect(await run([request("GET /pets")], { securityCheck: undefined as never })).toMatchObject({ status: 500 });
    expect(await run([request("GET /pets", [bearer("good")])], { security: {} })).toMatchObject({ status: 500 });
  });

  it("rejects unknown query parameters, if asked to", async () => {
    const options = { security: undefined, unknownQuery: "reject", queryCredentials: ["api_key"] } as const;
    const unknown = (...fields: string[]) => ({
      status: 400,
      body: { errors: fields.map((field) => ({ field, reason: "is not a known parameter" })) },
    });
    expect(await run([request("GET /pets?page=1&tags=abc&api_key=k1")], options)).toMatchObject({ status: 200 });
    expect(await run([request("GET /pets?page=1&pages=2&constructor=1")], options)).toMatchObject(
      unknown("pages", "constructor"),
    );
    expect(await run([request("GET /pets/5?x=1")], options)).toMatchObject(unknown("x"));
    expect(await run([request("GET /pets/5?x=1")], { security: undefined })).toMatchObject({ status: 200 });
  });
});

function summaryOf({ status, headers, body }: RawHttpResponse) {
  return { status, challenge: headers["www-authenticate"], body: parsed(body) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
