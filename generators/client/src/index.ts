import { defineGenerator, emitSchemaTypes, type Generator } from "@plumbline/codegen";
import { emitClientErrors } from "./errors.js";
import { emitClientLimits } from "./limits.js";
import { emitClientOperations } from "./operations.js";
import { emitClientPackage } from "./package.js";
import { emitClientScopes } from "./scopes.js";
import { emitClientStates } from "./state-waits.js";

/** Generates a typed client: types, a function for each operation, pages, waits, limits, scopes and errors. */
const clientGenerator: Generator = defineGenerator({
  files: (api, options) => [
    ...emitSchemaTypes(api),
    ...emitClientOperations(api, options),
    ...emitClientScopes(api),
    ...emitClientLimits(api),
    ...emitClientStates(api, options),
    ...emitClientErrors(api),
    ...emitClientPackage(api, options),
  ],
});

export default clientGenerator;
