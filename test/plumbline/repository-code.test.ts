import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { pets, place } from "../support/pets.js";
import { repository, temporaryFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

/** Arguments with which each command reads the repository. */
const commands: Readonly<Record<string, readonly string[]>> = {
  init: ["openapi.yaml", "--scope", "@pets", "--yes"],
  generate: [],
  mock: ["--help"],
  lint: [],
  model: [],
  bundle: ["openapi.yaml"],
  trace: [],
  diff: ["openapi.yaml", "openapi.yaml"],
  migrate: ["openapi.yaml", "openapi.yaml", "."],
  schema: [],
  completion: ["bash"],
};

const planted = (canary: string): string =>
  `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(canary)}, "");
export default { files: () => [{ path: "a.txt", text: "a" }] };
`;

test("these are all commands", async () => {
  const { out } = await plumbline(["--help"], { in: repository });
  const listed = [...out.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = ""]) => name);
  expect([...new Set(listed)].toSorted()).toEqual(Object.keys(commands).toSorted());
});

test.each(Object.entries(commands))("%s runs code of the repository only if its help says so", async (name, args) => {
  const folder = await temporaryFolder();
  const canary = path.join(folder, "canary");
  await place(folder, {
    "openapi.yaml": pets,
    "package.json": "{}",
    "wiki.mjs": planted(canary),
    "plumbline.yaml":
      "ruleset: minimal\ngenerators: {wiki: ./wiki.mjs}\ndescriptions: [{description: openapi.yaml, artifacts: {wiki: {}}}]\n",
  });
  await plumbline([name, ...args], { in: folder });
  const { out: help } = await plumbline([name, "--help"], { in: folder });
  const says = help.includes("Runs the custom generators");
  // This one is that of every program, and reads no repository.
  const denies = help.includes("Runs no code of the repository.") || name === "completion";
  expect([existsSync(canary), says, denies]).toEqual([says, says, !says]);
  expect(says).toBe(name === "generate");
});
