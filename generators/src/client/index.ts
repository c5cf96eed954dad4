import { skip, type Generator } from "../generator.js";
import { emitErrors } from "./errors.js";
import { emitLimits } from "./limits.js";
import { emitOperations } from "./operations.js";
import { emitPackage } from "./package.js";
import { emitScopes } from "./scopes.js";
import { emitStates } from "./states.js";
import { emitTypes } from "../types/declarations.js";

export const client: Generator = {
  name: "client",
  concerns: {
    shapes: emitTypes,
    operations: emitOperations,
    resources: skip("the server checks owners; the types of a client contain the errors"),
    scopes: emitScopes,
    limits: emitLimits,
    states: emitStates,
    errors: emitErrors,
    workflows: skip("only the conformance suite uses workflows"),
  },
  package: emitPackage,
};
