import { fileURLToPath } from "node:url";

/** Absolute path of the repository, from here and from where this is compiled to. */
export const repository: string = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");
