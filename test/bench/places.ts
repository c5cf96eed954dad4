import { sep } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(import.meta.url);

/** Absolute path of the repository, from this file and from its compiled copy. */
export const repository: string = here.slice(0, here.lastIndexOf(`${sep}test${sep}`));
