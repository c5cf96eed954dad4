import { clientGenerator } from "../../../generators/client/src/index.js";
import { conformanceGenerator } from "../../../generators/conformance/src/index.js";
import type { ArtifactGenerator } from "../../codegen/src/generator.js";
import type { ArtifactKind } from "./artifact-kinds.js";
import { serverGenerator } from "../../../generators/server/src/index.js";
import { validatorGenerator } from "../../../generators/validator/src/index.js";

/** The built-in generators, by the artifact name that plumbline.yaml and --only use. */
export const artifactGenerators: Readonly<Record<string, ArtifactGenerator>> = {
  client: clientGenerator,
  validator: validatorGenerator,
  server: serverGenerator,
  conformance: conformanceGenerator,
} satisfies Record<ArtifactKind, ArtifactGenerator>;
