import { describe, expect, it } from "vitest";
import { includesScopes, isWithinScopes } from "./scope-sets.js";
import type { ScopeGrammar } from "./security.js";

const grammar: ScopeGrammar = {
  scheme: "bearer",
  areas: ["pets", "shops"],
  levels: { read: [], write: ["read"], admin: ["write"], loop: ["pool"], pool: ["loop"] },
  all: "*",
  separator: ",",
  errors: { missing: "", invalid: "", scope: "" },
};

describe("the scopes of a token", () => {
  it.each([
    ["pets:read", ["pets:read"], true],
    ["pets:read", ["pets:write"], false],
    ["pets:write", ["pets:read"], true],
    ["pets:admin", ["pets:read"], true],
    ["pets:write", ["pets:admin"], false],
    ["pets:admin", ["shops:read"], false],
    ["pets:read, shops:read", ["pets:read", "shops:read"], true],
    ["pets:read", ["pets:read", "shops:read"], false],
    ["*", ["pets:admin", "shops:admin"], true],
    ["pets:read,*", ["shops:admin"], true],
    ["pets:*", ["pets:read"], false],
    ["**", ["pets:read"], false],
    ["", ["pets:read"], false],
    ["", [], true],
    ["pets", ["pets:read"], false],
    ["pets:read:x", ["pets:read"], false],
    ["PETS:read", ["pets:read"], false],
    ["pets:constructor", ["pets:read"], false],
    ["pets:loop", ["pets:pool"], true],
  ])("%j cover %j: %j", (held, wanted, isCovered) => {
    expect(includesScopes(held, wanted, grammar)).toBe(isCovered);
  });

  it("without a grammar are plain texts", () => {
    expect([includesScopes("a b", ["a", "b"], undefined), includesScopes("a,b", ["b"], undefined)]).toEqual([
      true,
      true,
    ]);
    expect([includesScopes("*", ["a"], undefined), includesScopes("a:write", ["a:read"], undefined)]).toEqual([
      false,
      false,
    ]);
  });
});

describe("requested scopes", () => {
  it.each([
    ["pets:read", "pets:write", true],
    ["pets:write", "pets:read", false],
    ["pets:read,shops:read", "pets:read", false],
    ["*", "*", true],
    ["*", "pets:admin,shops:admin", false],
    ["pets:admin,shops:read", "*", true],
    ["", "pets:read", false],
    ["pets:read,", "pets:read", false],
    ["pets:read , pets:write", "pets:write", true],
  ])("%j are within %j: %j", (wish, ceiling, is) => {
    expect(isWithinScopes(wish, ceiling, grammar)).toBe(is);
  });
});
