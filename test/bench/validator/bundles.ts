import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Compared } from "../report.js";
import { bundle } from "./place.js";

/** The modules that are bundled, by validator. */
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
  "plumbline-ajv": {
    title: "plumbline on the user's ajv, all operations, without ajv",
    text: 'export { ajvValidator } from "@cloud-compute/validator/ajv";\n',
  },
  "plumbline-standard": {
    title: "plumbline, Standard Schema of createInstance's input",
    text: 'export { createInstanceInput } from "@cloud-compute/validator/standard";\n',
  },
  "plumbline-schemas": {
    title: "plumbline, JSON Schemas of createInstance",
    text: 'export { createInstanceSchemas } from "@cloud-compute/validator/schemas";\n',
  },
  ajv: {
    title: "ajv standalone, the body of createInstance",
    text: 'export { createInstance } from "./ajv-own.mjs";\n',
  },
  "ajv-all": { title: "ajv standalone, JSON bodies of all operations", text: 'export * from "./ajv-all.mjs";\n' },
} as const;

type Entry = keyof typeof entries;

interface Size {
  readonly minified: number;
  readonly compressed: number;
}

/** What a validator adds to an application that is bundled. */
export async function compareBundles(folder: string): Promise<Compared> {
  const sizes = new Map<Entry, Size>();
  for (const name of Object.keys(entries) as readonly Entry[]) {
    const entry = `of-${name}.mjs`;
    await writeFile(path.join(folder, entry), entries[name].text);
    const file = await bundle(folder, { entry, minify: "minify" });
    sizes.set(name, await sizeOf(path.dirname(file), file));
  }
  return {
    table: {
      title: "Bundled with esbuild, minified",
      columns: { minified: { title: "bytes", digits: 0 }, compressed: { title: "gzip -9", digits: 0 } },
      rows: [...sizes].map(([name, cells]) => ({ name: entries[name].title, cells: { ...cells } })),
      notes: [
        "those of ajv only validate bodies; ours also read and decode them, and format messages. Checks of responses are loaded separately",
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

/** A file and its static imports; dynamic imports are separate files and do not count. */
async function sizeOf(folder: string, file: string): Promise<Size> {
  const text = await readFile(file);
  const first: Size = { minified: text.length, compressed: gzipSync(text, { level: 9 }).length };
  const imported = [...text.toString().matchAll(/(?:from|import)"(\.\/[^"]+)"/g)].map(([, name = ""]) => name);
  const sizes = await Promise.all([...new Set(imported)].map((name) => sizeOf(folder, path.join(folder, name))));
  return sizes.reduce(
    (sum, each) => ({ minified: sum.minified + each.minified, compressed: sum.compressed + each.compressed }),
    first,
  );
}
