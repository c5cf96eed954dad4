import { describe, expect, test } from "vitest";
import type { Caller } from "./call.js";
import type { Received } from "./received.js";
import { admit, covers, gateOf, type Alternative, type Gatekeeper } from "./scopes.js";

const known: Readonly<Record<string, Caller>> = { ann: { user: "ann" }, bob: { user: "bob", scopes: "read" } };

function received(headers: Readonly<Record<string, string>>): Received {
  const request = new Headers(headers);
  return {
    method: "GET",
    target: "/",
    length: 0,
    address: undefined,
    signal: new AbortController().signal,
    header: (name) => request.get(name) ?? undefined,
    bytes: () => Promise.resolve(new Uint8Array()),
    stream: () => new ReadableStream(),
  };
}

/** Who is admitted by a certificate, which Ann alone shows, or by a token. */
async function admitted(
  alternatives: readonly Alternative[],
  headers: Readonly<Record<string, string>>,
): Promise<string> {
  const credential = (user: string) => {
    const caller = Object.hasOwn(known, user) ? known[user] : undefined;
    return caller === undefined ? undefined : { caller };
  };
  const keeper: Gatekeeper = {
    schemes: { certificate: { kind: "mutualTLS" }, token: { kind: "bearer" } },
    grammar: undefined,
    authenticate: {
      certificate: (connection: Received) => credential(connection.header("certificate") ?? ""),
      token: credential,
    },
  };
  const given = received(headers);
  const asking = { operation: "a", requestId: "r", now: 0, address: undefined, header: given.header };
  const result = await admit(gateOf(alternatives, undefined), keeper, { received: given, asking });
  return result.kind === "admitted" ? String(result.caller?.user ?? "anybody") : result.kind;
}

describe("a certificate or a token", () => {
  const either = [[{ scheme: "certificate", scopes: [] }], [{ scheme: "token", scopes: [] }]];

  test.each([
    ["a certificate", { certificate: "ann" }, "ann"],
    ["a token over a connection without a certificate", { authorization: "Bearer bob" }, "bob"],
    ["neither", {}, "missing"],
    ["a token that is none", { authorization: "Bearer eve" }, "invalid"],
  ])("%s", async (_, headers, who) => {
    expect(await admitted(either, headers)).toBe(who);
  });

  test("or nothing", async () => {
    expect(await admitted([[{ scheme: "certificate", scopes: [] }], []], {})).toBe("anybody");
  });
});

test("a scope of a level that every object inherits is that one, and no more", () => {
  const grammar = {
    scheme: "token",
    areas: ["pets"],
    levels: { read: [], write: ["read"] },
    all: "*",
    separator: ",",
    errors: { missing: "", invalid: "", scope: "" },
  };
  expect(covers("pets:constructor,pets:write", ["pets:read"], grammar)).toBe(true);
  expect(covers("pets:constructor", ["pets:read"], grammar)).toBe(false);
});
