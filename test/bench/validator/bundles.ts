import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Compared } from "../report.js";
import { bundle } from "./place.js";

/** Who makes a bundle, and of what. */
const entries = {
  plumbline: {
    title: "plumbline, createInstance.body",
    text: `import { createInstance } from "@cloud-compute/validator/operations";
export const judge = (value) => createInstance.body(value);
`,
  },
  "plumbline-all": {
    title: "plumbline, requests of all operations",
    text: 'export * from "@cloud-compute/validator/operations";\n',
  },
  "plumbline-node": {
    title: "plumbline, all operations and node:http",
    text: 'export { validator } from "@cloud-compute/validator/node";\n',
  },
  ajv: {
    title: "ajv standalone, the body of createInstance",
    text: 'export { createInstance } from "./ajv-own.mjs";\n',
  },
  "ajv-all": { title: "ajv standalone, JSON bodies of all operations", text: 'export * from "./ajv-all.mjs";\n' },
} as const;

type Entry = keyof typeof entries;

/** What a validator adds to an application that is bundled. */
export async function compareBundles(folder: string): Promise<Compared> {
  const sizes = new Map<Entry, { readonly minified: number; readonly compressed: number }>();
  for (const name of Object.keys(entries) as readonly Entry[]) {
    const entry = `bundle-${name}.mjs`;
    await writeFile(path.join(folder, entry), entries[name].text);
    const file = await bundle(folder, { entry, out: `bundle-${name}.minified.mjs`, minify: "minify" });
    const compressed = gzipSync(await readFile(file), { level: 9 }).length;
    sizes.set(name, { minified: (await stat(file)).size, compressed });
  }
  return {
    table: {
      title: "Bundled with esbuild, minified",
      columns: { minified: { title: "bytes", digits: 0 }, compressed: { title: "gzip -9", digits: 0 } },
      rows: [...sizes].map(([name, cells]) => ({ name: entries[name].title, cells: { ...cells } })),
      notes: [
        "ajv's judge bodies alone; ours also read, decode and say what is wrong in words. Replies are loaded apart",
      ],
    },
    goals: [
      {
        what: "one operation, compressed",
        figure: sizes.get("plumbline")?.compressed ?? Number.NaN,
        limit: 3000,
        unit: "B",
      },
      {
        what: "requests of all operations, minified",
        figure: sizes.get("plumbline-all")?.minified ?? Number.NaN,
        limit: 200_000,
        unit: "B",
      },
    ],
  };
}
