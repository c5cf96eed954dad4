import { sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

/** Absolute path of the repository, from here and from where this is compiled to. */
export const repository: string = here.slice(0, here.lastIndexOf(`${sep}test${sep}`));
