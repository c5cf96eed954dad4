import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { unremovedFolder } from "../support/places.js";
import { foreignDescriptions, runForeignSuite } from "./foreign-suites.js";

// A part of foreign-suites.full.test.ts: what the vocabulary states, tokens of several schemes, and bodies of several schemas.

let folder: string;

beforeAll(async () => {
  folder = await unremovedFolder();
});
afterAll(() => rm(folder, { recursive: true }));

it.each(["annotated/clinic", "annotated/garage", "annotated/library", "3.0/security", "3.0/discriminators"])(
  "the mock passes the suite of %s",
  async (name) => {
    const outcome = await runForeignSuite(name, foreignDescriptions().get(name) ?? "", folder);
    expect(outcome).toMatchObject({ others: [], broken: [] });
    expect(outcome?.total).toBeGreaterThan(30);
  },
);
