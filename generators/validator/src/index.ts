import { skipConcern, type ArtifactGenerator } from "../../../packages/codegen/src/generator.js";
import { emitSchemaTypes } from "../../../packages/codegen/src/types/declarations.js";
import { emitValidatorAdapters } from "./adapters.js";
import { emitOperationValidators } from "../../../packages/codegen/src/validation/operations.js";
import { emitValidatorPackage } from "./package.js";

export const validatorGenerator: ArtifactGenerator = {
  name: "validator",
  concerns: {
    schemas: emitSchemaTypes,
    operations: (api, options) => [
      ...emitOperationValidators(api, options, { operations: api.operations, unchanged: "echoed", bytes: "whole" }),
      ...emitValidatorAdapters(api),
    ],
    resources: skipConcern("only the server knows which objects exist"),
    scopes: skipConcern("the server checks credentials"),
    limits: skipConcern(
      "checks of schemas include lengths, bytes and uniqueness in a body; the server counts the rest",
    ),
    states: skipConcern("only the server knows the current state"),
    errors: skipConcern(
      "the runtime has the texts of validation errors; the server has the errors that depend on stored data",
    ),
    workflows: skipConcern("only the conformance suite uses workflows"),
  },
  package: emitValidatorPackage,
};
