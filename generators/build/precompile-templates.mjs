// Compiles the templates once, so that a run need not: the compiler of Handlebars takes longer than to generate a small client.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { precompiledFileOf, precompileTemplate } from "@plumbline/kit/codegen";

const templates = readdirSync("templates", { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".hbs"),
);
for (const file of templates.map((name) => path.resolve("templates", name))) {
  const precompiled = precompiledFileOf(file);
  mkdirSync(path.dirname(precompiled), { recursive: true });
  writeFileSync(precompiled, precompileTemplate(readFileSync(file, "utf8")));
}
