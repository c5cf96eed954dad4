import { expect, it } from "vitest";
import { isScopeString } from "./scopes.js";

const grammar = { areas: ["pets", "shops"], levels: ["read", "write"], all: "*", separator: "," };

it.each([
  ["*", true],
  ["pets:read", true],
  ["pets:read,pets:read", true],
  ["pets:read,shops:write", true],
  ["*,*", false],
  ["pets:read,*", false],
  ["*,pets:read", false],
  ["pets:read, shops:write", false],
  ["pets:read,", false],
  ["pets:all", false],
  ["", false],
])("%j are scopes: %j", (text, is) => {
  expect(isScopeString(text, grammar)).toBe(is);
});
