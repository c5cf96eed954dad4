export { checkFunctionName, createConstants, NamedChecks } from "./checks.js";
export { type CustomChecks, customRuntime } from "./compile/custom.js";
export { checkFunction } from "./compile/functions.js";
export { HoistedConstants, patternMatcher, type LocateOrigin } from "./compile/hoisted-constants.js";
export { emitFieldAccess } from "./compile/objects.js";
export type { CompileContext } from "./compile/scope.js";
export { type PartKind, listedMediaTypes, partKinds } from "./decoders.js";
export { echoedProperties } from "./echoed-fields.js";
export { appliesDefaults, filledBodyFields, inputTypeName, printSentParts } from "./inputs.js";
export { emitOperationValidators, emitServerOperations, hasServerInput } from "./operations.js";
export {
  customOptionNames,
  type ValidatorData,
  type ValidatorModules,
  validatorModuleNames,
  validatorModules,
} from "./validator-modules.js";
export { hasResponseHeaders, responseHeadersFile } from "./responses.js";
export { findSlashWarnings } from "./encoded-slashes.js";
export { routePath } from "./route-path.js";
export { runtimeVersionRange, serverRuntime, validatorRuntime, validatorType } from "./runtime.js";
export { emitSecurityTables, securityRuntime } from "./security.js";
export { isRequestOnly } from "./values.js";
export { type RootSchema, SchemaDefinitions } from "../json-schema/definitions.js";
export { emitSchemas, operationSchemasName, schemaConstantName } from "../json-schema/emit-schemas.js";
export { reachableSchemas } from "../json-schema/reachable-schemas.js";
