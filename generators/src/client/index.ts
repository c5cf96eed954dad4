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
    resources: skip("who owns what is the server's to judge; a caller sees the failures, which are in the types"),
    scopes: emitScopes,
    limits: emitLimits,
    states: emitStates,
    errors: emitErrors,
    workflows: skip("stories are for the conformance suite"),
  },
  package: emitPackage,
};
