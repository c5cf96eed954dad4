import { defineGenerator, emitSchemaTypes, type Generator } from "@plumbline/codegen";
import { emitClientErrors } from "./errors.js";
import { emitClientLimits } from "./limits.js";
import { emitClientOperations } from "./operations.js";
import { emitClientPackage } from "./package.js";
import { emitClientPaths } from "./paths.js";
import { emitClientScopes } from "./scopes.js";
import { emitClientStates } from "./state-waits.js";

const options = {
  paths: {
    type: "boolean",
    default: false,
    description: "Also exports PACKAGE/paths: the types of openapi-typescript, whose schemas are the client's types.",
  },
} as const;

/** Generates a typed client: types, a function for each operation, pages, waits, limits, scopes and errors. */
const clientGenerator: Generator<typeof options> = defineGenerator({
  options,
  files: async (api, artifact) => [
    ...emitSchemaTypes(api),
    ...emitClientOperations(api, artifact),
    ...emitClientScopes(api),
    ...emitClientLimits(api),
    ...emitClientStates(api, artifact),
    ...emitClientErrors(api),
    ...(artifact.config.paths ? emitClientPaths(api, await artifact.document()) : []),
    ...emitClientPackage(api, artifact, { hasPaths: artifact.config.paths }),
  ],
});

export default clientGenerator;
