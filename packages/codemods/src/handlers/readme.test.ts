import { readFile, readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { addPetHandlers } from "./readme.support.js";

const read = (file: string) => readFile(new URL(file, import.meta.url), "utf8");

test("the README's example is the one below", async () => {
  const [, example] = /```ts\n([^]*?)```/.exec(await read("../../README.md")) ?? [];
  expect(example).toBe((await read("readme.support.ts")).replace("./index.js", "@plumbline/codemods/handlers"));
});

test("the README's example works", () => {
  const written = `import type { Handlers } from "@pets/server";

export const petsHandlers = {
  listPets: () => ({ status: 200, body: [] }), // all of them
} satisfies Pick<Handlers, "listPets">;
`;
  const { files, issues } = addPetHandlers(written);
  expect(issues).toEqual([]);
  expect(files.find(({ path }) => path === "handlers/pets.ts")?.text)
    .toBe(`import type { Handlers } from "@pets/server";
import { NotImplementedError } from "@pets/server";

export const petsHandlers = {
  listPets: () => ({ status: 200, body: [] }), // all of them

  /** Next: write it. */
  createPet: () => {
    throw new NotImplementedError("createPet");
  },
} satisfies Pick<Handlers, "listPets" | "createPet">;
`);
});

test("the README's tables list the exports, and the steps", async () => {
  const page = await read("../../README.md");
  const { updateHandlers, ...others } = await import("./index.js");
  for (const name of ["updateHandlers", ...Object.keys(others)]) expect(page).toContain(`| \`${name}\` |`);
  expect(updateHandlers).toBeTypeOf("function");
  const steps = (await readdir(new URL("steps", import.meta.url))).filter((file) => !/test|target/.test(file));
  expect(steps.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});
