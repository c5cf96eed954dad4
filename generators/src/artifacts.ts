import { client } from "./client/index.js";
import { conformance } from "./conformance/index.js";
import type { Generator } from "./generator.js";
import type { Kind } from "./kinds.js";
import { server } from "./server/index.js";
import { validator } from "./validator/index.js";

/** The built-in generators, by the artifact name that plumbline.yaml and --only use. */
export const generators: Readonly<Record<string, Generator>> = {
  client,
  validator,
  server,
  conformance,
} satisfies Record<Kind, Generator>;
