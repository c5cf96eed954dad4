import { skipConcern, type ArtifactGenerator } from "../../../packages/codegen/src/generator.js";
import { emitClientErrors } from "./errors.js";
import { emitClientLimits } from "./limits.js";
import { emitClientOperations } from "./operations.js";
import { emitClientPackage } from "./package.js";
import { emitClientScopes } from "./scopes.js";
import { emitClientStates } from "./state-waits.js";
import { emitSchemaTypes } from "../../../packages/codegen/src/types/declarations.js";

export const clientGenerator: ArtifactGenerator = {
  name: "client",
  concerns: {
    schemas: emitSchemaTypes,
    operations: emitClientOperations,
    resources: skipConcern("the server checks owners; the types of a client contain the errors"),
    scopes: emitClientScopes,
    limits: emitClientLimits,
    states: emitClientStates,
    errors: emitClientErrors,
    workflows: skipConcern("only the conformance suite uses workflows"),
  },
  package: emitClientPackage,
};
