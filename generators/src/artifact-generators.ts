import { clientGenerator } from "./client/index.js";
import { conformanceGenerator } from "./conformance/index.js";
import type { ArtifactGenerator } from "./generator.js";
import type { ArtifactKind } from "./artifact-kinds.js";
import { serverGenerator } from "./server/index.js";
import { validatorGenerator } from "./validator/index.js";

/** The built-in generators, by the artifact name that plumbline.yaml and --only use. */
export const artifactGenerators: Readonly<Record<string, ArtifactGenerator>> = {
  client: clientGenerator,
  validator: validatorGenerator,
  server: serverGenerator,
  conformance: conformanceGenerator,
} satisfies Record<ArtifactKind, ArtifactGenerator>;
