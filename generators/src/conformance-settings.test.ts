import path from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "./conformance-settings.js";
import { houses } from "./conformance/testing.support.js";
import type { Settings } from "./conformance/settings.js";
import { apiOf, inFolder } from "./model/testing.support.js";
import { ProblemError } from "./problem.js";

const texts = {
  "openapi.yaml": houses,
  "requirements.yaml": `documents:
  only:
    title: The document
    sections: {Houses: {house.id: {line: 1, says: Houses have an id.}, house.name: {line: 2, says: And a name.}}}
`,
};

test("the settings say which requirements of the schemes are about what", async () => {
  const { callers, also } = await settingsOf(
    "callers: {token: [house.id], grants: []}\nalso: {house.name: ['*/*/accepts']}\n",
  );
  expect({ callers, also }).toEqual({
    callers: { token: ["house.id"], grants: [] },
    also: { "house.name": ["*/*/accepts"] },
  });
});

test("subjects and requirements that there are not are told, each where it stands", async () => {
  expect(await problemsOf("callers:\n  tokens: [house.id]\n  scopes: [house.id, house.nam]\n")).toEqual([
    'conformance.yaml:2:3 "tokens" is no subject of the requirements of security schemes. Did you mean token?',
    'conformance.yaml:3:22 "house.nam" is no requirement. Did you mean house.name?',
  ]);
  expect(await problemsOf("also: {house.nam: ['*/*/accepts']}\n")).toEqual([
    'conformance.yaml:1:8 "house.nam" is no requirement. Did you mean house.name?',
  ]);
});

test("what has to be a list and is none is told", async () => {
  expect(await problemsOf("callers: {token: house.id}\nalso: {house.id: '*/*/accepts'}\n")).toEqual([
    'conformance.yaml:1:11 "token" has no list. Write [house.id].',
    'conformance.yaml:2:8 "house.id" has no list. Write [*/*/accepts].',
  ]);
});

async function settingsOf(text: string): Promise<Settings> {
  const api = await apiOf(texts);
  return inFolder({ "conformance.yaml": text }, (folder) => readSettings(path.join(folder, "conformance.yaml"), api));
}

async function problemsOf(text: string): Promise<readonly string[]> {
  try {
    await settingsOf(text);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.problems.map(
      ({ origin: { file, line, column }, message, fix }) => `${file}:${line}:${column} ${message} ${fix}`,
    );
  }
  return [];
}
