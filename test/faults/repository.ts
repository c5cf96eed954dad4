import { sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

/** Absolute path of the repository, from the source and from the compiled file. */
export const repositoryRoot: string = here.slice(0, here.lastIndexOf(`${sep}test${sep}`));
