import { readFileSync } from "node:fs";

/** The templates of READMEs, which load with the program from its own folder. */
export const clientReadmeTemplate: string = readTemplate("client-readme.md.hbs");
export const validatorReadmeTemplate: string = readTemplate("validator-readme.md.hbs");
export const serverReadmeTemplate: string = readTemplate("server-readme.md.hbs");
export const conformanceReadmeTemplate: string = readTemplate("conformance-readme.md.hbs");

function readTemplate(name: string): string {
  return readFileSync(new URL(`../../templates/${name}`, import.meta.url), "utf8");
}
