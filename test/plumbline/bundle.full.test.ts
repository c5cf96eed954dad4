import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createConfig, lint } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { repository, unremovedFolder } from "../support/places.js";
import { plumbline } from "../support/run.js";

const forms = ["complete.json", "complete.yaml", "plain.json", "plain.yaml"] as const;
let folder: string;

beforeAll(async () => {
  folder = await unremovedFolder();
  for (const form of forms) {
    const more = form.startsWith("plain") ? ["--without-extensions"] : [];
    const made = await plumbline(["bundle", "-o", path.join(folder, form), ...more], { in: repository });
    expect(made).toMatchObject({ code: 0, error: "" });
  }
});
afterAll(() => rm(folder, { recursive: true }));

describe("the bundled description of Cloud Compute", () => {
  it.each(forms)("%s is valid for Redocly", async (form) => {
    const config = await createConfig({ extends: ["spec"] });
    const problems = await lint({ ref: path.join(folder, form), config });
    expect(problems.map(({ message, location }) => `${location[0]?.pointer ?? ""} ${message}`)).toEqual([]);
  });

  it("has the complaints of Redocly found", async () => {
    const broken = path.join(folder, "broken.json");
    const text = await readFile(path.join(folder, "plain.json"), "utf8");
    await writeFile(broken, text.replace('"operationId": "listInstances"', '"operationId": 1'));
    expect(await lint({ ref: broken, config: await createConfig({ extends: ["spec"] }) })).not.toEqual([]);
  });

  it.each(["complete.json", "complete.yaml"])("%s has the operations and schemas of its source", async (form) => {
    const read = async (args: readonly string[]) => {
      const { code, out } = await plumbline(["model", ...args], { in: repository });
      expect(code).toBe(0);
      return JSON.parse(out) as {
        readonly operations: readonly { readonly name: string; readonly limits: readonly object[] }[];
        readonly stateMachines: readonly { readonly name: string }[];
        readonly schemas: readonly { readonly name: string }[];
      };
    };
    const [source, bundled] = [await read([]), await read([path.join(folder, form)])];
    const summaryOf = ({ operations, stateMachines }: typeof source) => ({
      operations: operations.map(({ name, limits }) => [name, limits.length]),
      machines: stateMachines.map(({ name }) => name).toSorted(),
    });
    expect(summaryOf(bundled)).toEqual(summaryOf(source));
    expect(bundled.schemas.length).toBeGreaterThanOrEqual(source.schemas.length);
  });

  it("has a sample of each operation in each language", async () => {
    const document = JSON.parse(await readFile(path.join(folder, "complete.json"), "utf8")) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
    };
    const operations = Object.values(document.paths)
      .flatMap((item) => Object.values(item))
      .filter(({ operationId }) => operationId !== undefined) as readonly {
      readonly "x-codeSamples"?: readonly { readonly label: string }[];
    }[];
    expect(operations.length).toBeGreaterThan(90);
    const labels = operations.map((each) => (each["x-codeSamples"] ?? []).map(({ label }) => label).join());
    expect([...new Set(labels)]).toEqual(["curl,fetch,client"]);
  });
});
