import path from "node:path";
import { DiagnosticsError } from "@plumbline/kit/model";
import { buildFixtureApi, withFixtureFolder } from "@plumbline/kit/openapi/testing";
import { expect, test } from "vitest";
import { housesDescription } from "./context/fixture-context.support.js";
import type { ConformanceSettings } from "./context/settings.js";
import { readConformanceSettings } from "./read-settings.js";

const texts = {
  "openapi.yaml": housesDescription,
  "requirements.yaml": `documents:
  only:
    title: The document
    sections: {Houses: {house.id: {line: 1, says: Houses have an id.}, house.name: {line: 2, says: And a name.}}}
`,
};

test("the settings assign requirements of the security schemes to subjects", async () => {
  const { callers, also } = await settingsOf(
    "callers: {token: [house.id], grants: []}\nalso: {house.name: ['*/*/accepts']}\n",
  );
  expect({ callers, also }).toEqual({
    callers: { token: ["house.id"], grants: [] },
    also: { "house.name": ["*/*/accepts"] },
  });
});

test("unknown subjects and requirements are reported with their locations", async () => {
  expect(await problemsOf("callers:\n  tokens: [house.id]\n  scopes: [house.id, house.nam]\n")).toEqual([
    'conformance.yaml:2:3 Unknown subject of the requirements of security schemes "tokens". Did you mean token?',
    'conformance.yaml:3:22 Unknown requirement "house.nam". Did you mean house.name?',
  ]);
  expect(await problemsOf("also: {house.nam: ['*/*/accepts']}\n")).toEqual([
    'conformance.yaml:1:8 Unknown requirement "house.nam". Did you mean house.name?',
  ]);
});

test("a value that is not a list is reported", async () => {
  expect(await problemsOf("callers: {token: house.id}\nalso: {house.id: '*/*/accepts'}\n")).toEqual([
    'conformance.yaml:1:11 "token" is not a list. Write [house.id].',
    'conformance.yaml:2:8 "house.id" is not a list. Write [*/*/accepts].',
  ]);
});

test("unknown keys of steps, and calls without the body that they require, are reported", async () => {
  const steps = (text: string) => `fixtures: {A: {steps: [${text}], outputs: 1}}\n`;
  expect(await problemsOf(steps("{call: listHouses, bodie: {n: x}, nonsense: 1}"))).toEqual([
    'conformance.yaml:1:43 Unknown key of a step with `call`: "bodie". Did you mean body?',
    'conformance.yaml:1:58 Unknown key of a step with `call`: "nonsense". Known: call, by, path, query, headers, cookies, body, raw, method, address, as, expect.',
  ]);
  expect(await problemsOf(steps("{make: House, as: a, body: {}}"))).toEqual([
    'conformance.yaml:1:45 Unknown key of a step with `make`: "body". Did you mean by?',
  ]);
  expect(await problemsOf(steps("{repeat: [{call: createHouse, as: a}], times: 2}"))).toEqual([
    "conformance.yaml:1:35 createHouse requires a body, and the step has none. Add `body: {…}` to the step.",
  ]);
  expect(await problemsOf(steps("{call: createHouse, body: {name: Ann}, as: a}"))).toEqual([]);
});

test("a fixture of a state makes an object of its own", async () => {
  const { fixtures } = await settingsOf(
    "fixtures: {House@sold: {steps: [{make: House, as: a}, {make: House@old, as: b, fresh: true}, {make: Pet, as: c}], outputs: 1}}\n",
  );
  expect(fixtures["House@sold"]?.steps).toEqual([
    { make: "House", as: "a", fresh: true },
    { make: "House@old", as: "b", fresh: true },
    { make: "Pet", as: "c" },
  ]);
});

async function settingsOf(text: string): Promise<ConformanceSettings> {
  const api = await buildFixtureApi(texts);
  return withFixtureFolder({ "conformance.yaml": text }, (folder) =>
    readConformanceSettings(path.join(folder, "conformance.yaml"), api),
  );
}

async function problemsOf(text: string): Promise<readonly string[]> {
  try {
    await settingsOf(text);
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    return error.diagnostics.map(
      ({ origin: { file, line, column }, message, fix }) => `${file}:${line}:${column} ${message} ${fix}`,
    );
  }
  return [];
}
