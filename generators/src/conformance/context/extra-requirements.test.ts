import { expect, test } from "vitest";
import { generateCases } from "../generate-cases.js";
import { extraRequirements, matchesCaseId } from "./extra-requirements.js";
import { contextFromText, housesDescription } from "./fixture-context.support.js";
import { emptySettings, type ConformanceSettings } from "./settings.js";

test("`*` matches one segment, and at the end all that follow", () => {
  const fitting = (pattern: string): readonly string[] =>
    ["houses/getHouse", "houses/getHouse/accepts", "pets/updatePet/accepts", "houses/getHouse/http/houseId/odd"].filter(
      (id) => matchesCaseId(pattern)(id.split("/")),
    );
  expect(fitting("houses/getHouse/accepts")).toEqual(["houses/getHouse/accepts"]);
  expect(fitting("*/*/accepts")).toEqual(["houses/getHouse/accepts", "pets/updatePet/accepts"]);
  expect(fitting("houses/getHouse/*")).toEqual(["houses/getHouse/accepts", "houses/getHouse/http/houseId/odd"]);
  expect(fitting("*/*/http/*/odd")).toEqual(["houses/getHouse/http/houseId/odd"]);
  expect(fitting("*/odd")).toEqual([]);
});

test("a case has each requirement once, also when the settings repeat it", () => {
  const settings: ConformanceSettings = {
    ...emptySettings,
    also: { "a.b": ["x/y/z", "x/*"], "c.d": ["*/y/z"], "e.f": ["x/y/w"] },
  };
  expect(extraRequirements(settings, "x/y/z")).toEqual(["a.b", "c.d"]);
  expect(extraRequirements(settings, "x/y/v")).toEqual(["a.b"]);
});

test("cases have the requirements that the settings assign", async () => {
  const { api, options } = await contextFromText(housesDescription, { also: { "house.rest": ["*/*/accepts"] } });
  const named = generateCases(api, options).filter(({ requirements }) => requirements.includes("house.rest"));
  expect(named.map(({ id }) => id)).toEqual(api.operations.map(({ tag, name }) => `${tag}/${name}/accepts`));
});
