import { readFileSync } from "node:fs";

/** The templates of READMEs, which load with the program from its own folder. */
export const readmeTemplate: string = read("client-readme.md.hbs");
export const validatorReadme: string = read("validator-readme.md.hbs");
export const serverReadme: string = read("server-readme.md.hbs");
export const conformanceReadme: string = read("conformance-readme.md.hbs");

function read(name: string): string {
  return readFileSync(new URL(`../../templates/${name}`, import.meta.url), "utf8");
}
