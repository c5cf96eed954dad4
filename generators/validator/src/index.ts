import { defineGenerator, emitSchemaTypes, type Generator } from "@plumbline/codegen";
import { emitOperationValidators } from "@plumbline/codegen/validation";
import { emitValidatorAdapters } from "./adapters.js";
import { emitValidatorPackage } from "./package.js";

/** Generates a request validator. What depends on stored data, such as grants, states and counts, is the server's. */
const validatorGenerator: Generator = defineGenerator({
  files: (api, options) => [
    ...emitSchemaTypes(api),
    ...emitOperationValidators(api, options, { operations: api.operations, unchanged: "echoed", bytes: "whole" }),
    ...emitValidatorAdapters(api),
    ...emitValidatorPackage(api, options),
  ],
});

export default validatorGenerator;
