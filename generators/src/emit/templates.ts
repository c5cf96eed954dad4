import { readFileSync } from "node:fs";

/** The template of a client's README. Read with the program, from its own folder. */
export const readmeTemplate: string = readFileSync(
  new URL("../../templates/client-readme.md.hbs", import.meta.url),
  "utf8",
);
