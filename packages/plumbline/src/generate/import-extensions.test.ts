import type { GeneratedFile } from "@plumbline/kit/codegen";
import { expect, test } from "vitest";
import { replaceImportExtensions } from "./import-extensions.js";

const text = `import { a } from "@pets/runtime";
import type { B } from "./b.js";
import {
  c,
  d,
} from "../values/c.js";
export * from "./operations/pets.js";
export { e } from "@pets/e.js";

/** As in \`import { b } from "./b.js"\`. */
export const f = () => import("./f.js").then((loaded) => loaded.f);
export const g = "import(\\"./g.js\\")" + 'from "./g.js"';
`;

test("is left out, or that of the source, where an import is of a file beside it", () => {
  const files: readonly GeneratedFile[] = [
    { path: "src/gen/a.ts", text },
    { path: "package.json", managedKeys: {}, defaults: {} },
  ];
  const textsWith = (extension: "js" | "ts" | "none"): unknown => replaceImportExtensions(files, extension);
  const replaced = (end: string): string =>
    text
      .replace('type { B } from "./b.js"', `type { B } from "./b${end}"`)
      .replace("values/c.js", `values/c${end}`)
      .replace("pets.js", `pets${end}`)
      .replace('import("./f.js")', `import("./f${end}")`);
  expect(textsWith("js")).toBe(files);
  expect(textsWith("none")).toEqual([{ path: "src/gen/a.ts", text: replaced("") }, files[1]]);
  expect(textsWith("ts")).toEqual([{ path: "src/gen/a.ts", text: replaced(".ts") }, files[1]]);
});
