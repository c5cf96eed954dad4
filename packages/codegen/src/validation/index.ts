export { isSchemaFunction, NamedChecks } from "./checks.js";
export { checkFunction } from "./compile/functions.js";
export { HoistedConstants, type LocateOrigin } from "./compile/hoisted-constants.js";
export { emitFieldAccess } from "./compile/objects.js";
export type { CompileContext } from "./compile/scope.js";
export { appliesDefaults, inputTypeName } from "./inputs.js";
export { emitOperationValidators } from "./operations.js";
export { runtimeVersionRange, validatorRuntime, validatorType } from "./runtime.js";
export { isRequestOnly } from "./values.js";
