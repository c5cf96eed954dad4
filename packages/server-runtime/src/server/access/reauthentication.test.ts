import { describe, expect, it } from "vitest";
import type { BaseServerOptions } from "../options.js";
import type { RequestContext } from "../request/request-context.js";
import { callers, createTestServer, describeApi, type TestCaller } from "../test-server.support.js";
import type { AuthenticationRequest, AuthenticatedCaller } from "./authentication.js";

const lines = { getHouse: "GET /houses/{house}", changeHouse: "PUT /houses/{house}", paint: "POST /paint" };

/** A body whose second half waits, and a promise that the first half was read. */
function halves(): { readonly raw: ReadableStream<Uint8Array>; readonly asked: Promise<void>; goOn(): void } {
  let goOn = (): void => {};
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  const rest = new Promise<void>((resolve) => (goOn = resolve));
  const chunks = ['{"color":', '"red"}'].map((each) => new TextEncoder().encode(each));
  const raw = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (chunks.length === 1) {
          isAsked();
          await rest;
        }
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
  return { raw, asked, goOn: () => goOn() };
}

const json = { "content-type": "application/json" };

describe("while a body arrives", () => {
  it.each([
    ["was revoked", (): undefined => undefined],
    ["has expired", (): AuthenticatedCaller => ({ caller: { user: "ann" }, expiresAt: new Date(500) })],
  ])("a token that %s is rejected", async (_, later) => {
    let now = 0;
    let credential: () => AuthenticatedCaller | undefined = () => ({
      caller: { user: "ann" },
      expiresAt: new Date(900),
    });
    const options: BaseServerOptions = { clock: () => now, authenticate: { bearer: () => credential() } };
    const { ask, calls } = createTestServer(describeApi({ lines }), {}, options);
    const { raw, asked, goOn } = halves();
    const answer = ask("PUT /v1/houses/5", { raw, headers: json });
    await asked;
    [now, credential] = [600, later];
    goOn();
    expect((await answer).status).toBe(401);
    expect(calls).toEqual([]);
  });

  it("a token that expires is rejected", async () => {
    let now = 0;
    const authenticate = { bearer: () => ({ caller: { user: "ann" }, expiresAt: new Date(500) }) };
    const { ask, calls } = createTestServer(describeApi({ lines }), {}, { clock: () => now, authenticate });
    const { raw, asked, goOn } = halves();
    const answer = ask("PUT /v1/houses/5", { raw, headers: json });
    await asked;
    now = 500;
    goOn();
    expect((await answer).status).toBe(401);
    expect(calls).toEqual([]);
  });

  it("a user who needs grants since then needs them", async () => {
    let caller: TestCaller = { user: "ann" };
    const authenticate = { bearer: () => ({ caller }) };
    const grants = { paint: [{ kind: "named", name: "add_paint" }] } as const;
    const api = describeApi({ lines, grants });
    const { ask, calls } = createTestServer(api, {}, { authenticate, grants: () => ({ named: {} }) });
    const { raw, asked, goOn } = halves();
    const answer = ask("POST /v1/paint", { raw, headers: json });
    await asked;
    caller = { user: "ann", limited: true };
    goOn();
    expect((await answer).status).toBe(403);
    expect(calls).toEqual([]);
    expect((await ask("POST /v1/paint", { body: {} })).status).toBe(403);
  });
});

describe("a caller is authenticated", () => {
  const asking = (): { readonly asked: AuthenticationRequest[]; readonly options: BaseServerOptions } => {
    const asked: AuthenticationRequest[] = [];
    const bearer = (token: string, each: AuthenticationRequest): AuthenticatedCaller | undefined => {
      asked.push(each);
      return callers[token] && { caller: callers[token] };
    };
    return { asked, options: { authenticate: { bearer } } };
  };

  it("once by an operation that reads, and again in the transaction of one that may change data", async () => {
    const { asked, options } = asking();
    const transaction = <T>(_: RequestContext, run: (added: object) => Promise<T>): Promise<T> =>
      run({ database: "here" });
    const { ask, calls } = createTestServer(describeApi({ lines }), {}, { ...options, transaction });
    expect((await ask("GET /v1/houses/5")).status).toBe(200);
    expect(asked.map(({ context }) => context)).toEqual([undefined]);
    expect((await ask("PUT /v1/houses/5", { body: {} })).status).toBe(200);
    expect(asked.map(({ context }) => context)).toEqual([undefined, undefined, calls[1]?.call]);
    expect(calls[1]?.call).toMatchObject({ caller: callers["ann"], database: "here" });
  });

  it("again by each attempt of a retried transaction", async () => {
    const { asked, options } = asking();
    const transaction = async <T>(_: RequestContext, run: (added: object) => Promise<T>): Promise<T> => {
      await run({ attempt: 1 });
      return run({ attempt: 2 });
    };
    const { ask } = createTestServer(describeApi({ lines }), {}, { ...options, transaction });
    expect((await ask("PUT /v1/houses/5", { body: {} })).status).toBe(200);
    expect(asked).toHaveLength(3);
  });

  it("once if authentication fails", async () => {
    const { asked, options } = asking();
    const { ask } = createTestServer(describeApi({ lines }), {}, options);
    expect((await ask("PUT /v1/houses/5", { token: "mallory", body: {} })).status).toBe(401);
    expect(asked).toHaveLength(1);
  });
});
