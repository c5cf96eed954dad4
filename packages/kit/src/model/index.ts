export type * from "./api.js";
export {
  attributeValues,
  type CallerAttributes,
  callerLabel,
  type Callers,
  callersOf,
  defaultOwners,
  mainAttributes,
  matchesCaller,
} from "./callers.js";
export { allowsAnonymous, findPrimaryScheme } from "./security.js";
export { deprecationHeaders, type DeprecationHeaders } from "./deprecation.js";
export {
  type Diagnostic,
  DiagnosticsError,
  isDiagnosticsError,
  type SourceLocation,
  type SourceRef,
} from "./diagnostic.js";
export { documentedErrorBodies } from "./error-bodies.js";
export { errorFormat, type ErrorFormat } from "./error-format.js";
export { escapeControlCharacters, formatDiagnostics, type FormatOptions } from "./format-diagnostics.js";
export { formatGithubAnnotation, type GithubAnnotation } from "./github-annotation.js";
export { handlerHeaders, headerNames, type HeaderNames, headerRoles } from "./headers.js";
export { includeOperations } from "./include-operations.js";
export { type InferredApi, inferResources } from "./inferred-resources.js";
export { isJsonArray, isJsonObject, isOfJsonType, ownValue, pickDefined, valueAt } from "./json-values.js";
export { type BoundKeyword, type EffectiveBound } from "./keywords/bound.js";
export { characterCount } from "./keywords/character-count.js";
export {
  type Assertion,
  type KeywordChange,
  type NumericKeyword,
  type NumericKeywordName,
} from "./keywords/keyword.js";
export { assertions, bounds, numericKeywords } from "./keywords/keywords.js";
export { isLinearPattern, matchesPattern, recordFastLength } from "./keywords/pattern.js";
export {
  limitNames,
  sizeLimits,
  type SizeLimits,
  type StatedBounds,
  statedLimits,
  strictestBound,
} from "./keywords/size-limits.js";
export {
  heldSchemas,
  listKeywords,
  mapKeywords,
  singleKeywords,
  subschemaKeywords,
  type SubschemaKeyword,
} from "./keywords/subschemas.js";
export {
  findJsonContent,
  isItemStream,
  itemFormat,
  mediaKind,
  type MediaKind,
  mediaTypeEssence,
  preferredContent,
} from "./media.js";
export { memoize, memoizeByKey } from "./memoize.js";
export {
  camelCase,
  distinctOperationTypeNames,
  isReservedFunctionName,
  isReservedTypeName,
  isReservedWord,
  operationTypeNames,
  pascalCase,
  withoutAccents,
} from "./names.js";
export { firstErrors, operationErrors, type SchemaError, schemaErrors } from "./operation-errors.js";
export {
  type BodyReference,
  collectReferences,
  findIdSchema,
  type OperationReferences,
  type PathReference,
  type StoredResource,
  resourceKey,
  storedResources,
} from "./operation-references.js";
export { findTarget, singletonResources } from "./operation-targets.js";
export { unreachableStates } from "./reachable-states.js";
export { isSuccess } from "./responses.js";
export {
  collectFilterFields,
  type FilterField,
  filterOperators,
  filterParameterName,
  hasFieldParameters,
  operatorsOfField,
} from "./schemas/filter-fields.js";
export { isValidPattern, toUnicodePattern } from "./schemas/regular-expressions.js";
export { collectFields, composedSchemas, findField, type SchemaField, schemaParts } from "./schemas/schema-fields.js";
export { type DocumentedRate, documentedRates } from "./schemas/documented-rates.js";
export {
  type CollectedLimit,
  collectFieldLimits,
  collectLimits,
  type FieldLimit,
  uniqueKeyFields,
} from "./schemas/limits.js";
export { resolveSchemaVariants, visitSubschemas } from "./schemas/schema-variants.js";
export { maxTestedItems, maxTestedLength } from "./schemas/testable-bounds.js";
export { serverPath, trimTrailingSlash } from "./server-path.js";
export { maxDeepLevels, type Nesting, type ValueKinds, valueKinds } from "./schemas/value-kinds.js";
export { schemasByName, type SchemasByName } from "./schemas/schemas-by-name.js";
export {
  type ComparisonOperator,
  type FilterExpression,
  type FilterOperand,
  type OrderingOperator,
  parseFilterExpression,
} from "./workflows/json-path.js";
export { parseRuntimeExpression, parseTemplate, type RuntimeExpression } from "./workflows/runtime-expressions.js";
export type {
  CriterionOperator,
  Workflow,
  WorkflowCriterion,
  WorkflowInput,
  WorkflowStep,
  WorkflowValue,
} from "./workflows/workflow.js";
export { describeBounds, type TypedBranch, typedBranches } from "./words/bounds.js";
export { describeCondition } from "./words/conditions.js";
export { countOf } from "./words/counts.js";
export { durationInWords } from "./words/durations.js";
export { describeExpression, describePer, type ExpressionContext, expressionContext } from "./words/expressions.js";
export { describeGrant, describeGrants, describeGrantSentence, describeScopes } from "./words/grants.js";
export { describeLimit } from "./words/limits.js";
export { nameInWords, titleOfName } from "./words/names.js";
export { codePhrase, phrase, type Phrase, toMarkdown, toPlainText, toSentence } from "./words/phrase.js";
export { appendSentence, endSentence } from "./words/sentences.js";
