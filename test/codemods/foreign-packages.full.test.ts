import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { openForeignPackage, type DescriptionSource, type ForeignPackage } from "./foreign-packages.support.js";

const events: DescriptionSource = { file: "test/descriptions/foreign-packages/events.yaml" };
const nextEvents: DescriptionSource = {
  ...events,
  changes: [
    ["EventSearch", "EventPage"],
    ["EventRuleAction", "RuleAction"],
    ["name: limit,", "name: page_size,"],
  ],
};

interface Example extends ForeignPackage {
  /** The number of files in `src`. */
  readonly files: number;
  /** The last line of `diff --code`. */
  readonly concerns: string;
  /** The files that the migration changes, with the lines that it replaces. */
  readonly changed: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>>;
  /** The pattern of the files with handlers, and the file of others that gets some. */
  readonly handlers: { readonly pattern: string; readonly shared?: string };
}

const examples: readonly Example[] = [
  {
    name: "revolt-api",
    // Both packages contain the description of their version.
    old: { file: "node_modules/revolt-api/OpenAPI.json" },
    next: { file: "node_modules/stoat-api/OpenAPI.json" },
    types: { file: "schema.ts", from: "stoat-api" },
    files: 6,
    concerns: "16 breaking changes: 1 concerns this code, 0 may concern it.",
    changed: {
      "types.ts": [
        [
          "export type LegacyCreateVoiceUserResponse = components['schemas']['LegacyCreateVoiceUserResponse'];",
          "export type LegacyCreateVoiceUserResponse = components['schemas']['CreateVoiceUserResponse'];",
        ],
      ],
    },
    handlers: { pattern: "src/handlers/{tag}.ts" },
  },
  {
    name: "@fingerprint/node-sdk",
    old: events,
    next: nextEvents,
    types: { file: "generatedApiTypes.ts" },
    files: 11,
    concerns: "3 breaking changes: 2 concern this code, 0 may concern it.",
    changed: {
      "types.ts": [
        [
          "export type SearchEventsResponse = components['schemas']['EventSearch']",
          "export type SearchEventsResponse = components['schemas']['EventPage']",
        ],
        [
          "export type EventRuleAction = components['schemas']['EventRuleAction']",
          "export type EventRuleAction = components['schemas']['RuleAction']",
        ],
      ],
    },
    // The package has a file of this name.
    handlers: { pattern: "src/{tag}.ts", shared: "webhook.ts" },
  },
  {
    // It has types of its own, which our tools do not know: they find nothing, and change nothing.
    name: "meilisearch",
    old: events,
    next: nextEvents,
    files: 25,
    concerns: "3 breaking changes: 0 concern this code, 0 may concern it.",
    changed: {},
    handlers: { pattern: "src/handlers/{tag}.ts" },
  },
];

describe.each(examples)("the sources of $name", (example) => {
  it("are compared and migrated without a wrong edit", async () => {
    const project = await openForeignPackage(example);
    await project.putTypes("old");
    const before = await project.read();
    expect(Object.keys(before)).toHaveLength(example.files);
    const errors = await project.compile();

    const compared = await project.run("diff", "old.yaml", "next.yaml", "--code", "project/src", "--fail-on", "none");
    expect(compared).toMatchObject({ code: 0, error: "" });
    expect(compared.out.trimEnd().split("\n").at(-1)).toBe(example.concerns);

    const migrated = await project.run("migrate", "old.yaml", "next.yaml", "--code", "project/src", "--write");
    expect(migrated).toMatchObject({ code: 0, error: "" });
    const expected = Object.entries(before).map(([file, text]) => {
      const lines = example.changed[file] ?? [];
      return [file, lines.reduce((changed, [from, to]) => changed.replace(from, to), text)] as const;
    });
    expect(await project.read()).toEqual(Object.fromEntries(expected));

    // With the next types, they compile as before, and would not without the migration.
    await project.putTypes("next");
    expect(await project.compile()).toEqual(errors);
    for (const file of Object.keys(example.changed)) {
      await writeFile(path.join(project.folder, "project/src", file), before[file] ?? "");
      expect(await project.compile()).not.toEqual(errors);
    }
  });

  it("get handlers, and keep all that they have", async () => {
    const project = await openForeignPackage(example);
    const before = await project.read();
    const { pattern, shared } = example.handlers;
    await mkdir(path.join(project.folder, "spec"));
    await writeFile(
      path.join(project.folder, "spec/plumbline.yaml"),
      `ruleset: minimal
descriptions:
  - description: ../old.yaml
    artifacts:
      server: {package: '@foreign/server', out: ../server}
      handlers: {out: ../project, files: '${pattern}', index: src/all-handlers.ts, server: '@foreign/server'}
`,
    );
    const first = await project.run("generate", "--allow-outside");
    expect(first.code, first.error).toBe(0);
    const after = await project.read();
    for (const [file, text] of Object.entries(before))
      if (file !== shared) expect(after[file], file).toBe(text);
      else expect(isSubsequence(text.split("\n"), (after[file] ?? "").split("\n"))).toBe(true);
    if (shared !== undefined) expect(after[shared]).not.toBe(before[shared]);
    expect(Object.keys(after).length).toBeGreaterThan(Object.keys(before).length);

    const second = await project.run("generate", "--allow-outside");
    expect(second.code, second.error).toBe(0);
    expect(await project.read()).toEqual(after);
  });
});

/** Whether all lines occur among others, in order. */
function isSubsequence(lines: readonly string[], others: readonly string[]): boolean {
  let found = 0;
  for (const line of others) if (line === lines[found]) found++;
  return found === lines.length;
}
