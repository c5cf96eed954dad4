import { once } from "node:events";
import { connect } from "node:net";
import { errors } from "@cloud-compute/server";
import { OperationError } from "@plumbline/server-runtime";
import { afterEach, describe, expect, it } from "vitest";
import { caller, instance, kept, lastInput, makeStubs, served, type Stubs } from "../support/stubs.js";

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function serving(stubs: Stubs) {
  const host = await served(stubs);
  open.push(() => host.close());
  return host;
}

describe("a request", () => {
  it("is answered with the described fields only", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)));
    const { ask } = await serving(stubs);
    const { status, body, headers } = await ask("GET", "/v4/compute/instances/1");
    expect({ status, body }).toEqual({ status: 200, body: instance(1) });
    expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith("x-")))).toEqual({
      "x-accepted-oauth-scopes": "computes:read_only",
      "x-oauth-scopes": "*",
      "x-request-id": expect.stringMatching(/^[0-9a-f]{18}$/),
    });
  });

  it("is checked in the documented order: the first failing step decides the response", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1, { status: "running" })));
    stubs.tokens.set("mean", { caller: caller({ user: "bob", scopes: "domains:read_write" }) });
    stubs.tokens.set("ann", { caller: caller({ restricted: true, scopes: "computes:read_write" }) });
    const { ask } = await serving(stubs);
    const make = (path: string, method: string, token: string | null, body: unknown) =>
      ask(method, path, { token, body }).then(({ status, body: reported }) => [status, reasonsOf(reported)]);
    const path = "/v4/compute/instances";

    expect(await make("/v4/compute/instants", "PATCH", null, { label: 1 })).toEqual([404, ["Not found"]]);
    expect(await make(path, "PATCH", null, { label: 1 })).toEqual([405, ["The path has no such method"]]);
    expect(await make(path, "POST", null, { label: 1 })).toEqual([401, ["Invalid Token"]]);
    expect(await make(path, "POST", "mean", { label: 1 })).toEqual([
      401,
      ["Your OAuth token is not authorized to use this endpoint."],
    ]);
    expect(await make(path, "POST", "ann", { label: 1 })).toEqual([
      400,
      ["region is required", "type is required", "label must be a string"],
    ]);
    const sent = { region: "nowhere", type: "g6-standard-1" };
    expect(await make(path, "POST", "ann", sent)).toEqual([403, [expect.stringContaining("lacks a grant")]]);
    stubs.grants.set("ann", { global: { add_computes: true } });
    expect(await make(path, "POST", "ann", sent)).toEqual([400, ["region There is no region with this id"]]);
    for (let count = 3; count < 10; count += 1) await make(path, "POST", "ann", {});
    expect(await make(path, "POST", "ann", { label: 1 })).toEqual([429, ["Too many requests"]]);

    stubs.grants.set("ann", { compute: [{ id: 1, permissions: "read_only" }] });
    const boot = "/v4/compute/instances/1/boot";
    expect(await make(boot, "POST", "ann", { config_id: 7 })).toEqual([
      403,
      [expect.stringContaining("lacks a grant")],
    ]);
    stubs.grants.set("ann", { compute: [{ id: 1, permissions: "read_write" }] });
    expect(await make(boot, "POST", "ann", { config_id: 7 })).toEqual([
      400,
      ["config_id This instance has no config with this id"],
    ]);
    expect(await make(boot, "POST", "ann", undefined)).toEqual([400, ["Instance busy."]]);
    expect(stubs.calls).toEqual([]);
  });

  it("finds the same operation under /v4beta, and with a trailing slash of a collection", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)));
    const { ask } = await serving(stubs);
    const here = await ask("GET", "/v4/compute/instances");
    for (const path of ["/v4beta/compute/instances", "/v4/compute/instances/", "/v4beta/compute/instances/?page=1"]) {
      expect((await ask("GET", path)).body).toEqual(here.body);
    }
    expect((await ask("GET", "/v5/compute/instances")).status).toBe(404);
  });

  it("by HEAD has the headers of a GET, and no body", async () => {
    const stubs = makeStubs();
    stubs.tables.Instance.push(kept(instance(1)));
    const { ask } = await serving(stubs);
    const got = await ask("GET", "/v4/compute/instances/1");
    const head = await ask("HEAD", "/v4/compute/instances/1");
    // fetch closes the connection after a HEAD.
    const others = /^(date|x-request-id|connection|keep-alive)$/;
    const own = ({ headers }: typeof got) => Object.fromEntries([...headers].filter(([name]) => !others.test(name)));
    expect({ status: head.status, body: head.body, headers: own(head) }).toEqual({
      status: 200,
      body: "",
      headers: own(got),
    });
    expect((await ask("HEAD", "/v4/compute/instances/2")).status).toBe(404);
  });

  it("with OPTIONS gets the allowed methods", async () => {
    const { ask } = await serving(makeStubs());
    const allowed = async (method: string, path: string) => {
      const { status, headers } = await ask(method, path, { token: null });
      return [status, headers.get("allow")];
    };
    expect(await allowed("OPTIONS", "/v4/compute/instances")).toEqual([204, "GET, POST, HEAD, OPTIONS"]);
    expect(await allowed("OPTIONS", "/v4/compute/instances/1/boot")).toEqual([204, "POST, OPTIONS"]);
    expect(await allowed("DELETE", "/v4/compute/instances")).toEqual([405, "GET, POST, HEAD, OPTIONS"]);
    expect(await allowed("OPTIONS", "/v4/nothing")).toEqual([404, null]);
  });

  it("is decoded, prepared and stripped of undocumented properties", async () => {
    const stubs = makeStubs();
    stubs.tables.Region.push(
      kept({ id: "us-east", country: "us", capabilities: [], resolvers: { ipv4: "", ipv6: "" }, status: "ok" }),
    );
    stubs.tables.InstanceType.push(
      kept({ id: "g6-standard-1", label: "", disk: 1, memory: 1, vcpus: 1, transfer: 1, gpus: 0 } as never),
    );
    const { ask } = await serving(stubs);
    const body = { region: "us-east", type: "g6-standard-1", image: null, ticket: 7, swap_size: 100 };
    expect((await ask("POST", "/v4/compute/instances", { body })).status).toBe(200);
    expect(stubs.calls.at(-1)?.input).toMatchObject({
      body: { region: "us-east", type: "g6-standard-1", booted: true },
      refs: { region: { id: "us-east" }, type: { id: "g6-standard-1" } },
    });
    expect(Object.keys(lastInput<{ readonly body: object }>(stubs).body)).not.toContain("ticket");
  });
});

describe("an error", () => {
  const failing = async (fail: () => never, given: Parameters<typeof makeStubs>[1] = {}) => {
    const stubs = makeStubs({ listRegions: fail }, given);
    const { ask } = await serving(stubs);
    return { stubs, response: await ask("GET", "/v4/regions") };
  };

  it("as documented gets the documented response", async () => {
    const { response: reported, stubs } = await failing(() => {
      throw errors.unavailable({ retryAfterSeconds: 7 });
    });
    expect([reported.status, reported.body, reported.headers.get("retry-after")]).toEqual([
      503,
      { errors: [{ reason: "The service is in maintenance, or what is asked for is not ready yet" }] },
      "7",
    ]);
    expect(stubs.log).toEqual([]);
  });

  it("as documented for another operation is a failure of the program", async () => {
    const { response: reported, stubs } = await failing(() => {
      throw new OperationError("too-many-clones");
    });
    expect([reported.status, reported.body]).toEqual([500, { errors: [{ reason: "The service failed" }] }]);
    expect(stubs.log.map(({ message }) => message)).toEqual([
      'listRegions threw the undocumented error "too-many-clones". Throw one that the description documents.',
    ]);
  });

  it("in any other way is logged once, and the response contains only the id of the request", async () => {
    const { response: reported, stubs } = await failing(() => {
      throw new Error("the password of the database is x");
    });
    expect([reported.status, reported.body]).toEqual([500, { errors: [{ reason: "The service failed" }] }]);
    expect(stubs.log).toEqual([
      {
        level: "error",
        message: "the password of the database is x",
        operation: "listRegions",
        requestId: reported.headers.get("x-request-id"),
        error: expect.objectContaining({ stack: expect.stringContaining("server.test.ts") }),
      },
    ]);
  });

  it("without an error that is one, too", async () => {
    const { response: reported, stubs } = await failing(() => {
      throw null;
    });
    expect([reported.status, stubs.log.length]).toEqual([500, 1]);
  });

  it("in a response names handler, status and field, and is not sent", async () => {
    const stubs = makeStubs({
      getInstance: ({ target }) => ({ status: 200, body: { ...target, id: "one" as never } }),
    });
    stubs.tables.Instance.push(kept(instance(1)));
    const { ask } = await serving(stubs);
    expect((await ask("GET", "/v4/compute/instances/1")).status).toBe(500);
    expect(stubs.log.map(({ message }) => message)).toEqual([
      "The handler of getInstance returned response 200, which the description does not allow: id must be an integer",
    ]);
  });

  it("in a response is trusted if configured, and undocumented fields are still removed", async () => {
    const stubs = makeStubs(
      { getInstance: ({ target }) => ({ status: 200, body: { ...target, label: "x" } }) },
      { validateResponses: "off" },
    );
    stubs.tables.Instance.push(kept(instance(1)));
    const { ask } = await serving(stubs);
    expect((await ask("GET", "/v4/compute/instances/1")).body).toEqual({ ...instance(1), label: "x" });
  });

  it("may have a custom response", async () => {
    const stubs = makeStubs({}, { errorBody: ({ status, errors: all }) => ({ code: status, detail: all[0]?.reason }) });
    const { ask } = await serving(stubs);
    expect((await ask("GET", "/v4/nothing")).body).toEqual({ code: 404, detail: "Not found" });
  });

  it("in the logger is reported all the same, and the request is answered", async () => {
    const { response: reported } = await failing(
      () => {
        throw new Error("first");
      },
      {
        log: () => {
          throw new Error("no space left");
        },
      },
    );
    expect(reported.status).toBe(500);
  });
});

describe("a client that disconnects", () => {
  it("aborts the signal of the handler, and does not count as an error", async () => {
    const [begun, left] = [deferred(), deferred()];
    const stubs = makeStubs({
      listRegions: async (_, { signal }) => {
        begun.resolve(undefined);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        left.resolve(undefined);
        throw errors.unavailable();
      },
    });
    const { url } = await serving(stubs);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("GET /v4/regions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\n\r\n");
    await begun.promise;
    socket.destroy();
    await left.promise;
    expect(stubs.log).toEqual([]);
  });

  it("in the middle of its body does not count as an error either", async () => {
    const stubs = makeStubs();
    const { url, ask } = await serving(stubs);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    const closed = new Promise((resolve) => socket.on("close", resolve));
    socket.write(
      "POST /v4/compute/instances HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer all\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
    );
    // What came before an answered request has been read.
    await once(socket, "connect");
    await ask("GET", "/v4/regions");
    socket.destroy();
    await closed;
    await ask("GET", "/v4/regions");
    expect([stubs.calls, stubs.log]).toEqual([[], []]);
  });
});

function deferred() {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function reasonsOf(body: unknown): readonly string[] {
  const { errors: all } = body as { readonly errors: readonly { readonly field?: string; readonly reason: string }[] };
  return all.map(({ field, reason }) => (field === undefined ? reason : `${field} ${reason}`));
}
