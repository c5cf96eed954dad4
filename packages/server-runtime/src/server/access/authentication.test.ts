import { describe, expect, it } from "vitest";
import type { SecurityRequirement, SecurityScheme } from "../../http/index.js";
import { WebServerRequest } from "../adapters/fetch/web-request.js";
import type { Caller } from "../request/request-context.js";
import { authenticateRequest, type Authenticate, type AuthenticationRequest } from "./authentication.js";
import { securityPolicyOf } from "./security.js";

const ann: Caller = { user: "ann" };
const bob: Caller = { user: "bob" };

/** Accepts `good`, as a token or as a password. */
const knows =
  (caller: Caller): Authenticate<never> =>
  (sent: unknown) =>
    sent === "good" || (sent as { readonly password?: string }).password === "good" ? { caller } : undefined;

interface Given {
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
  readonly alternatives: readonly SecurityRequirement[];
  readonly authenticate?: Readonly<Record<string, Authenticate<never>>>;
  readonly now?: number;
}

function admitting({ schemes, alternatives, authenticate, now = 0 }: Given) {
  const authenticator = {
    schemes,
    grammar: undefined,
    authenticate: authenticate ?? Object.fromEntries(Object.keys(schemes).map((each) => [each, knows(ann)])),
  };
  return async (headers: Readonly<Record<string, string>> = {}, query = "") => {
    const received = new WebServerRequest(new Request(`http://localhost/${query}`, { headers }), () => undefined);
    const asking: AuthenticationRequest = {
      operation: "get",
      requestId: "r",
      now,
      address: undefined,
      header: (name) => received.header(name),
    };
    const { kind, caller, ...rest } = await authenticateRequest(
      securityPolicyOf(alternatives, undefined),
      authenticator,
      {
        received,
        request: asking,
      },
    );
    return [kind, caller?.user, "auth" in rest ? rest.auth.scheme : undefined].filter((each) => each !== undefined);
  };
}

/** One required scheme. */
const needing = (scheme: SecurityScheme) => admitting({ schemes: { one: scheme }, alternatives: [of("one")] });

function of(...schemes: readonly string[]): SecurityRequirement {
  return schemes.map((scheme) => ({ scheme, scopes: [] }));
}

const yes = ["authenticated", "ann", "one"];
const basic = (text: string | Uint8Array) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });

describe("a credential is read", () => {
  it.each(["bearer", "oauth2", "openIdConnect"] as const)("from the Authorization header with %s", async (kind) => {
    const ask = needing({ kind });
    expect(await ask({ authorization: "Bearer good" })).toEqual(yes);
    expect(await ask({ authorization: "BEARER  good " })).toEqual(yes);
    expect(await ask()).toEqual(["missing"]);
    expect(await ask({ authorization: "" })).toEqual(["missing"]);
    for (const bad of ["Bearer bad", "Bearer", "Bearer ", "good", "Bearer good good", "Bearergood", "Basic good"])
      expect([bad, await ask({ authorization: bad })]).toEqual([bad, ["invalid"]]);
  });

  it("as a user name and a password, which may have colons", async () => {
    const ask = needing({ kind: "basic" });
    const seen: unknown[] = [];
    const asking = admitting({
      schemes: { one: { kind: "basic" } },
      alternatives: [of("one")],
      authenticate: {
        one: (sent: unknown) => {
          seen.push(sent);
          return { caller: ann };
        },
      },
    });
    await asking(basic("ann:a:b"));
    await asking(basic(":"));
    await asking(basic("ä:✓"));
    expect(seen).toEqual([
      { username: "ann", password: "a:b" },
      { username: "", password: "" },
      { username: "ä", password: "✓" },
    ]);
    expect(await ask(basic("ann:good"))).toEqual(yes);
    expect(await ask(basic("good"))).toEqual(["invalid"]);
    expect(await ask(basic(new Uint8Array([0xff, 0x3a])))).toEqual(["invalid"]);
    expect(await ask({ authorization: "Basic %%%" })).toEqual(["invalid"]);
  });

  it("of any other scheme, with its parameters", async () => {
    const seen: unknown[] = [];
    const ask = admitting({
      schemes: { one: { kind: "http", scheme: "digest" } },
      alternatives: [of("one")],
      authenticate: {
        one: (sent: unknown) => {
          seen.push(sent);
          return { caller: ann };
        },
      },
    });
    expect(await ask({ authorization: 'Digest username="ann", realm="x"' })).toEqual(yes);
    expect(await ask({ authorization: "Digest \u00e9" })).toEqual(["invalid"]);
    expect(seen).toEqual(['username="ann", realm="x"']);
  });

  it("as a key in any location, once", async () => {
    const header = needing({ kind: "apiKey", in: "header", key: "X-Key" });
    expect(await header({ "x-key": "good" })).toEqual(yes);
    expect(await header({ "x-key": "bad" })).toEqual(["invalid"]);
    expect(await header({ "x-key": "" })).toEqual(["missing"]);
    const query = needing({ kind: "apiKey", in: "query", key: "key" });
    expect(await query({}, "?key=good")).toEqual(yes);
    expect(await query({}, "?key=go%6Fd")).toEqual(yes);
    expect(await query({}, "?key=good&key=good")).toEqual(["invalid"]);
    expect(await query({}, "?key=%ff")).toEqual(["missing"]);
    expect(await query({}, "?key=")).toEqual(["missing"]);
    expect(await query({}, "?__proto__=good")).toEqual(["missing"]);
    const cookie = needing({ kind: "apiKey", in: "cookie", key: "sid" });
    expect(await cookie({ cookie: "a=b; sid=good" })).toEqual(yes);
    expect(await cookie({ cookie: "sid=good; sid=bad" })).toEqual(["invalid"]);
    expect(await cookie({ cookie: "sid=" })).toEqual(["missing"]);
  });

  it("from the connection, which may have none", async () => {
    const schemes = { one: { kind: "mutualTLS" } } as const;
    const asking = (caller: Caller | undefined) =>
      admitting({
        schemes,
        alternatives: [of("one")],
        authenticate: { one: () => (caller === undefined ? undefined : { caller }) },
      })();
    expect([await asking(ann), await asking(undefined)]).toEqual([yes, ["missing"]]);
  });
});

describe("a credential", () => {
  const until = async (expiresAt: Date | string | null | undefined, now: number) => {
    const authenticate = { one: () => ({ caller: ann, expiresAt }) };
    const schemes = { one: { kind: "bearer" } } as const;
    const [kind] = await admitting({ schemes, alternatives: [of("one")], authenticate, now })({
      authorization: "Bearer x",
    });
    return kind;
  };

  it("is valid until it expires", async () => {
    expect([await until(new Date(5), 4), await until(new Date(5), 5)]).toEqual(["authenticated", "invalid"]);
    const text = "1970-01-01T00:00:00.005Z";
    expect([await until(text, 4), await until(text, 5)]).toEqual(["authenticated", "invalid"]);
    const offset = "1970-01-01T01:00:00+01:00";
    expect([await until(offset, -1), await until(offset, 0)]).toEqual(["authenticated", "invalid"]);
    expect([await until(null, 9e15), await until(undefined, 9e15)]).toEqual(["authenticated", "authenticated"]);
  });

  it("expires in UTC if it names no zone, in any local zone", async () => {
    const before = process.env["TZ"];
    process.env["TZ"] = "America/New_York";
    try {
      for (const text of ["1970-01-01T00:00:10", "1970-01-01 00:00:10"])
        expect([await until(text, 9_999), await until(text, 10_000)]).toEqual(["authenticated", "invalid"]);
    } finally {
      if (before === undefined) delete process.env["TZ"];
      else process.env["TZ"] = before;
    }
  });

  it("is rejected if the end of its validity is not a valid date", async () => {
    expect([await until("soon", 0), await until(new Date(Number.NaN), 0), await until("", 0)]).toEqual([
      "invalid",
      "invalid",
      "invalid",
    ]);
  });

  it("is unknown if null or undefined is returned", async () => {
    const ask = admitting({
      schemes: { one: { kind: "bearer" } },
      alternatives: [of("one")],
      authenticate: { one: () => null as never },
    });
    expect(await ask({ authorization: "Bearer x" })).toEqual(["invalid"]);
  });

  it("of a scheme without a function is an error of the server", async () => {
    const ask = admitting({ schemes: { one: { kind: "bearer" } }, alternatives: [of("one")], authenticate: {} });
    await expect(ask({ authorization: "Bearer x" })).rejects.toThrow(
      "Missing option `authenticate.one`. Provide a function that authenticates credentials of this scheme.",
    );
  });
});

describe("of several security requirements", () => {
  const schemes = {
    token: { kind: "bearer" },
    key: { kind: "apiKey", in: "header", key: "x-key" },
    name: { kind: "basic" },
  } as const;
  const authenticate = { token: knows(ann), key: knows(bob), name: knows(ann) };
  const token = { authorization: "Bearer good" };

  it("the first one with all credentials applies", async () => {
    const ask = admitting({ schemes, authenticate, alternatives: [of("token"), of("key"), of("name")] });
    expect(await ask(token)).toEqual(["authenticated", "ann", "token"]);
    expect(await ask({ "x-key": "good" })).toEqual(["authenticated", "bob", "key"]);
    expect(await ask({ ...token, "x-key": "good" })).toEqual(["authenticated", "ann", "token"]);
    expect(await ask(basic("x:good"))).toEqual(["authenticated", "ann", "name"]);
    expect(await ask()).toEqual(["missing"]);
  });

  it("one may need several schemes, and accepts no fewer", async () => {
    const ask = admitting({ schemes, authenticate, alternatives: [of("key", "token")] });
    expect(await ask({ ...token, "x-key": "good" })).toEqual(["authenticated", "bob", "key"]);
    expect([await ask(token), await ask({ "x-key": "good" })]).toEqual([["missing"], ["missing"]]);
  });

  it("an invalid credential is an error", async () => {
    const ask = admitting({ schemes, authenticate, alternatives: [of("token"), of("key"), []] });
    expect(await ask({ ...token, "x-key": "bad" })).toEqual(["invalid"]);
    expect(await ask({ authorization: "Bearer bad", "x-key": "good" })).toEqual(["invalid"]);
    expect(await ask({ authorization: "Bearer bad" })).toEqual(["invalid"]);
    expect(await ask({ authorization: "Negotiate good" })).toEqual(["invalid"]);
  });

  it("an empty one accepts callers without credentials", async () => {
    const ask = admitting({ schemes, authenticate, alternatives: [of("token"), []] });
    expect(await ask()).toEqual(["authenticated"]);
    expect(await ask(token)).toEqual(["authenticated", "ann", "token"]);
  });

  it("two may have the same location: a credential is valid if one accepts it, and counts for that one only", async () => {
    const both = { app: { kind: "oauth2" }, token: { kind: "bearer" } } as const;
    const ask = (alternatives: readonly SecurityRequirement[]) =>
      admitting({ schemes: both, authenticate: { app: () => undefined, token: knows(ann) }, alternatives });
    expect(await ask([of("app"), of("token")])(token)).toEqual(["authenticated", "ann", "token"]);
    expect(await ask([of("app"), of("token")])({ authorization: "Bearer bad" })).toEqual(["invalid"]);
    expect(await ask([of("app", "token")])(token)).toEqual(["missing"]);
    expect(await ask([of("app")])(token)).toEqual(["invalid"]);
  });
});

describe("scopes", () => {
  const ask = async (scopes: string | undefined, alternatives: readonly SecurityRequirement[]) => {
    const caller = scopes === undefined ? ann : { ...ann, scopes };
    const schemes = { one: { kind: "bearer" } } as const;
    const asking = admitting({ schemes, alternatives, authenticate: { one: () => ({ caller }) } });
    return (await asking({ authorization: "Bearer x" }))[0];
  };

  it("all scopes of one requirement are needed", async () => {
    const both = [[{ scheme: "one", scopes: ["read", "write"] }]];
    expect([await ask("write read", both), await ask("read", both), await ask(undefined, both)]).toEqual([
      "authenticated",
      "scope",
      "scope",
    ]);
    const either = [[{ scheme: "one", scopes: ["read"] }], [{ scheme: "one", scopes: ["write"] }]];
    expect([await ask("write", either), await ask("other", either)]).toEqual(["authenticated", "scope"]);
  });

  it("are required of callers with a credential, even if others need none", async () => {
    expect(await ask("other", [[{ scheme: "one", scopes: ["read"] }], []])).toBe("scope");
  });
});
