import { rm } from "node:fs/promises";
import path from "node:path";
import type { MigratedTool } from "@plumbline/codemods/migrate";
import { describe, expect, it } from "vitest";
import { openApplication, type Application } from "./migrate-clients.support.js";

interface Sample {
  readonly tool: MigratedTool;
  /** The folder that the tool has generated, and that nothing needs any longer. */
  readonly generated: string | undefined;
  /** What is left to decide, with the lines before the migration. */
  readonly toDecide: readonly string[];
  /** The files with the set-up of clients. */
  readonly setUp: readonly string[];
}

const samples: readonly Sample[] = [
  // The types stay for openapi-msw.
  {
    tool: "openapi-fetch",
    generated: undefined,
    toDecide: ["src/mocks.ts:2"],
    setUp: ["src/client.ts", "src/queries.ts"],
  },
  { tool: "hey-api", generated: "src/client", toDecide: ["src/plots.ts:47"], setUp: ["src/setup.ts"] },
];

/** Migrates a sample application, with an edit of what the command has written. Returns the requests before and after. */
async function migrateSample(
  { tool, generated, toDecide }: Sample,
  edit: (application: Application) => Promise<void>,
): Promise<{ readonly before: readonly string[]; readonly after: readonly string[] }> {
  const application = await openApplication(tool);
  const before = await application.check();
  expect(before.length).toBeGreaterThan(10);
  const unwritten = await application.migrate();
  expect(await application.check()).toEqual(before);
  const result = await application.migrate("--write");
  expect(result).toEqual(unwritten);
  expect((await application.migrate()).done).toEqual([]);
  expect(result).toMatchObject({ toDecide: toDecide.map((each) => expect.stringContaining(`app/${each} `) as string) });
  expect(result.notUnderstood).toEqual([]);
  expect(result.done.length).toBeGreaterThan(10);
  // Nothing that the tool has generated is needed any longer.
  if (generated !== undefined) await rm(path.join(application.folder, generated), { recursive: true });
  await edit(application);
  return { before, after: await application.check() };
}

it.each(samples)(
  "an application with $tool compiles, passes its checks and sends the same requests after its migration",
  async (sample) => {
    const { before, after } = await migrateSample(sample, async () => undefined);
    expect(after).toEqual(before);
  },
);

it.each([
  {
    what: "a wrong type",
    tool: "openapi-fetch" as const,
    file: "src/plots.ts",
    from: "result.data.name",
    to: "result.data.title",
  },
  {
    what: "a wrong condition",
    tool: "hey-api" as const,
    file: "src/plots.ts",
    from: "if (!result.ok) continue",
    to: "if (result.ok) continue",
  },
])("a rewrite with $what is found", async ({ tool, file, from, to }) => {
  const sample = samples.find((each) => each.tool === tool);
  if (sample === undefined) throw new Error(`There is no sample of ${tool}.`);
  const failing = migrateSample(sample, async ({ read, write }) => {
    const text = await read(file);
    expect(text).toContain(from);
    await write(file, text.replace(from, to));
  });
  await expect(failing).rejects.toThrow();
});

it("a request that changes is found", async () => {
  const sample = samples.find((each) => each.tool === "hey-api");
  if (sample === undefined) throw new Error("There is no sample.");
  const { before, after } = await migrateSample(sample, async ({ read, write }) => {
    const text = await read("src/setup.ts");
    expect(text).toContain('"X-App", "kiosk"');
    await write("src/setup.ts", text.replace('"X-App", "kiosk"', '"X-App", "shed"'));
  });
  expect(after).not.toEqual(before);
});

/** The orders in which people may migrate files. */
const orders: Readonly<Record<string, (files: readonly string[], setUp: readonly string[]) => readonly string[]>> = {
  "the set-up first": (files, setUp) => [...setUp, ...files.filter((each) => !setUp.includes(each))],
  "the set-up last": (files, setUp) => [...files.filter((each) => !setUp.includes(each)).toReversed(), ...setUp],
};

describe.each(samples)("an application with $tool that is migrated file by file", ({ tool, setUp }) => {
  it.each(Object.keys(orders))("compiles and sends the same requests after each file, %s", async (order) => {
    const application = await openApplication(tool);
    const before = await application.check();
    const changed = new Set<string>();
    const migrate = async (files: readonly string[]): Promise<number> => {
      const written = await application.migrateFiles(files);
      for (const each of written) changed.add(each);
      if (written.length > 0) expect(await application.check(), files.join()).toEqual(before);
      return written.length;
    };
    const texts = await Promise.all(application.files.map((each) => application.read(each)));
    const users = application.files.filter((_, index) =>
      /from "(\.\/client|\.\/queries|openapi-)/.test(texts[index] ?? ""),
    );
    for (const each of orders[order]?.(users, setUp) ?? []) await migrate([each]);
    // What is left needs several files at once. Then the old set-up goes.
    expect(await migrate(application.files)).toBeGreaterThan(0);
    expect(changed.size).toBeGreaterThan(4);
    for (const each of application.files.filter((file) => file !== "src/mocks.ts"))
      expect(await application.read(each), each).not.toMatch(/openapi-fetch|openapi-react-query|\.gen"/);
  });
});
