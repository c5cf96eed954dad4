import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readModel, type Operation } from "../support/model.js";
import { caller, makeStubs, served, start, type Stubs } from "../support/stubs.js";

// The operations have no handlers: a 501 shows that the caller was admitted.
let stubs: Stubs;
let host: Awaited<ReturnType<typeof served>>;
let operations: readonly Operation[];

beforeAll(async () => {
  stubs = makeStubs("none");
  host = await served(stubs);
  operations = (await readModel()).operations;
});
afterAll(() => host.close());

/** Callers, by the relation of their token to the required scopes. */
const askers = {
  "no token": () => undefined,
  "an unknown token": () => "never-made",
  "a revoked token": () => {
    const token = admit("*");
    stubs.tokens.delete(token);
    return token;
  },
  "an expired token": () => admit("*", { expiry: new Date(start).toISOString() }),
  "a token that expires in a millisecond": () => admit("*", { expiry: new Date(start + 1).toISOString() }),
  "a token of another area": (wanted: readonly string[]) =>
    admit(areas.find((area) => wanted.every((scope) => !scope.startsWith(`${area}:`))) + ":read_write"),
  "a token that may read": (wanted: readonly string[]) => admit(withLevel(wanted, "read_only")),
  "a token with exactly the scopes": (wanted: readonly string[]) => admit(wanted.join(",")),
  "a token that may write": (wanted: readonly string[]) => admit(withLevel(wanted, "read_write")),
  "a token without the last of several scopes": (wanted: readonly string[]) => admit(wanted.slice(0, -1).join(",")),
  "a token for everything": () => admit("*"),
} satisfies Record<string, (wanted: readonly string[]) => string | undefined>;

const areas = ["longview", "databases", "ips"];

function withLevel(wanted: readonly string[], level: string): string {
  return wanted.map((scope) => `${scope.split(":")[0]}:${level}`).join(",");
}

let made = 0;

/** A token of a user of its own, so that no rate counts for two. */
function admit(scopes: string, { expiry }: { readonly expiry?: string } = {}): string {
  const token = `token-${(made += 1)}`;
  stubs.tokens.set(token, {
    caller: caller({ user: token, scopes }),
    ...(expiry === undefined ? {} : { expiresAt: expiry }),
  });
  return token;
}

/** The documented status: 501 means admission here. */
function expected(asker: keyof typeof askers, { security }: Operation): number {
  const wanted = wantedBy({ security });
  const isOpen = security.length === 0 || security.some((alternative) => alternative.length === 0);
  switch (asker) {
    case "no token":
      return isOpen ? 501 : 401;
    case "an unknown token":
    case "a revoked token":
    case "an expired token":
      return 401;
    case "a token that expires in a millisecond":
    case "a token with exactly the scopes":
    case "a token that may write":
    case "a token for everything":
      return 501;
    case "a token of another area":
    case "a token without the last of several scopes":
      return wanted.length === 0 ? 501 : 401;
    case "a token that may read":
      return wanted.every((scope) => scope.endsWith(":read_only")) ? 501 : 401;
  }
}

function wantedBy({ security }: Pick<Operation, "security">): readonly string[] {
  return security.flatMap((alternative) => alternative.flatMap(({ scopes }) => scopes));
}

const ids: Readonly<Record<string, string>> = {
  imageId: "private/1",
  regionId: "us-east",
  version: "1.24",
  label: "web",
  nodeId: "1-0123456789ab",
};

function pathOf({ path }: Operation): string {
  return `/v4${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "1")}`;
}

describe("every operation, for every kind of caller", () => {
  it("admits whom the description admits", async () => {
    const found: string[] = [];
    let asked = 0;
    for (const operation of operations) {
      for (const asker of Object.keys(askers) as (keyof typeof askers)[]) {
        const token = askers[asker](wantedBy(operation)) ?? null;
        const { status } = await host.ask(operation.method, pathOf(operation), { token });
        asked += 1;
        if (status !== expected(asker, operation)) found.push(`${operation.name}, ${asker}: ${status}`);
      }
    }
    expect(found).toEqual([]);
    expect(asked).toBe(operations.length * Object.keys(askers).length);
    expect(operations.length).toBe(94);
  });

  it("reports to the caller the required scopes and those of its token", async () => {
    const token = admit("images:read_write");
    const { status, body, headers } = await host.ask("POST", "/v4/images", { token });
    expect({ status, body }).toEqual({
      status: 401,
      body: { errors: [{ reason: "Your OAuth token is not authorized to use this endpoint." }] },
    });
    expect(headers.get("x-oauth-scopes")).toBe("images:read_write");
    expect(headers.get("x-accepted-oauth-scopes")).toBe("images:read_write,computes:read_only");
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });

  it("reads a token only from a valid header", async () => {
    const sent = async (authorization: string) => {
      const response = await fetch(`${host.url}/v4/regions`, { headers: { authorization } });
      return response.status;
    };
    const token = admit("*");
    expect(await sent(`Bearer ${token}`)).toBe(501);
    expect(await sent(`bearer   ${token}`)).toBe(501);
    expect(await sent(token)).toBe(401);
    expect(await sent(`Basic ${token}`)).toBe(401);
    expect(await sent(`Bearer ${token} ${token}`)).toBe(401);
    expect(await sent("Bearer")).toBe(401);
  });
});
