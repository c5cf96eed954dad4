import { client } from "./client/index.js";
import type { Generator } from "./generator.js";

/** Everything that can be generated, by the name that plumbline.yaml and --only use. */
export const generators: Readonly<Record<string, Generator>> = { client };
