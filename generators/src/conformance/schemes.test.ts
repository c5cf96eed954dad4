import { expect, test } from "vitest";
import { flatCases, flatRequirements, flats } from "./flats.support.js";
import { casesOf } from "./index.js";
import { scopeCases } from "./scopes.js";
import { contextFrom } from "./testing.support.js";

const cases = {
  token: "flats/getFlat/security/revoked-token",
  good: "tokens/getMe/security/forms/good",
  anonymous: "flats/listTowns/security/anonymous",
  scopes: "flats/getFlat/scopes/exact",
  grants: "flats/updateFlat/grants/exact",
} as const;

const listed = flats.replace("x-resource: {owner: [user], read", "x-resource: {owner: [user], list: getMe, read");

test("what the schemes carry is said of all callers, unless the settings say of which", async () => {
  const all = await flatCases(scopeCases, listed, {});
  for (const id of [cases.good, cases.anonymous, cases.scopes, cases.grants])
    expect(all.get(id)?.requirements).toContain("token.header");
  const told = await flatCases(scopeCases, listed, {
    callers: { anonymous: [], scopes: ["scope.form"], grants: ["flat.owner"] },
  });
  expect(told.get(cases.good)?.requirements).toEqual(["token.header"]);
  expect(told.get(cases.anonymous)?.requirements).toEqual([]);
  expect(told.get(cases.scopes)?.requirements).toEqual(["scope.form"]);
  expect(told.get(cases.grants)?.requirements).toEqual(["flat.owner"]);
});

test("a case of scopes is laid to all that is said of its operation, unless the settings say to what", async () => {
  const id = "flats/listFlats/scopes/exact";
  const callers = { scopes: [] };
  const wide = await flatCases(scopeCases, flats, { callers });
  expect(wide.get(id)?.requirements).toEqual(["scope.form", "flat.list.scope"]);
  // The settings' own requirements are laid to it where the suite is put together.
  const exact = await flatCases(scopeCases, flats, { callers, also: { "token.end": ["flats/listFlats/scopes/*"] } });
  expect(exact.get(id)?.requirements).toEqual(["scope.form"]);
});

test("no case is laid to a requirement by the words of its text", async () => {
  const laid = async (requirements: string): Promise<readonly unknown[]> => {
    const { api, options } = await contextFrom({ "openapi.yaml": listed, "requirements.yaml": requirements });
    return casesOf(api, options).map(({ id, requirements: ids }) => [id, ids]);
  };
  const said = await laid(flatRequirements);
  expect(said.length).toBeGreaterThan(100);
  expect(await laid(flatRequirements.replaceAll(/says: '.*?'/g, "says: Words."))).toEqual(said);
});
