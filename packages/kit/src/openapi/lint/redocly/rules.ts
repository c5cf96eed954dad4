import { NoDuplicatedEnumValues } from "@redocly/openapi-core/lib/rules/common/no-duplicated-enum-values.js";
import { NoDuplicatedTagNames } from "@redocly/openapi-core/lib/rules/common/no-duplicated-tag-names.js";
import { NoEnumTypeMismatch } from "@redocly/openapi-core/lib/rules/common/no-enum-type-mismatch.js";
import { NoIdenticalPaths } from "@redocly/openapi-core/lib/rules/common/no-identical-paths.js";
import { NoMixedNumberRangeConstraints } from "@redocly/openapi-core/lib/rules/common/no-mixed-number-range-constraints.js";
import { NoPathTrailingSlash } from "@redocly/openapi-core/lib/rules/common/no-path-trailing-slash.js";
import { NoRequiredSchemaPropertiesUndefined } from "@redocly/openapi-core/lib/rules/common/no-required-schema-properties-undefined.js";
import { NoSchemaTypeMismatch } from "@redocly/openapi-core/lib/rules/common/no-schema-type-mismatch.js";
import { NoUnresolvedRefs } from "@redocly/openapi-core/lib/rules/common/no-unresolved-refs.js";
import { NoUnsafeMarkdown } from "@redocly/openapi-core/lib/rules/common/no-unsafe-markdown.js";
import { Operation2xxResponse } from "@redocly/openapi-core/lib/rules/common/operation-2xx-response.js";
import { Operation4xxResponse } from "@redocly/openapi-core/lib/rules/common/operation-4xx-response.js";
import { OperationIdUnique } from "@redocly/openapi-core/lib/rules/common/operation-operationId-unique.js";
import { OperationIdUrlSafe } from "@redocly/openapi-core/lib/rules/common/operation-operationId-url-safe.js";
import { OperationOperationId } from "@redocly/openapi-core/lib/rules/common/operation-operationId.js";
import { OperationParametersUnique } from "@redocly/openapi-core/lib/rules/common/operation-parameters-unique.js";
import { OperationSummary } from "@redocly/openapi-core/lib/rules/common/operation-summary.js";
import { OperationTagDefined } from "@redocly/openapi-core/lib/rules/common/operation-tag-defined.js";
import { PathDeclarationMustExist } from "@redocly/openapi-core/lib/rules/common/path-declaration-must-exist.js";
import { PathNotIncludeQuery } from "@redocly/openapi-core/lib/rules/common/path-not-include-query.js";
import { PathParamsDefined } from "@redocly/openapi-core/lib/rules/common/path-params-defined.js";
import { SecurityDefined } from "@redocly/openapi-core/lib/rules/common/security-defined.js";
import { SecurityScopesDefined } from "@redocly/openapi-core/lib/rules/common/security-scopes-defined.js";
import { NoEmptyServers } from "@redocly/openapi-core/lib/rules/oas3/no-empty-servers.js";
import { NoExampleValueAndExternalValue } from "@redocly/openapi-core/lib/rules/oas3/no-example-value-and-externalValue.js";
import { NoIllogicalCompositionKeywords } from "@redocly/openapi-core/lib/rules/oas3/no-illogical-composition-keywords.js";
import { NoServerTrailingSlash } from "@redocly/openapi-core/lib/rules/oas3/no-server-trailing-slash.js";
import { NoServerVariablesEmptyEnum } from "@redocly/openapi-core/lib/rules/oas3/no-server-variables-empty-enum.js";
import { NoUndefinedServerVariable } from "@redocly/openapi-core/lib/rules/oas3/no-undefined-server-variable.js";
import { NoUnusedComponents } from "@redocly/openapi-core/lib/rules/oas3/no-unused-components.js";
import { NullableTypeSibling } from "@redocly/openapi-core/lib/rules/oas3/nullable-type-sibling.js";
import { SpecComponentsInvalidMapName } from "@redocly/openapi-core/lib/rules/oas3/spec-components-invalid-map-name.js";
import { SpecRefSiblings } from "@redocly/openapi-core/lib/rules/oas3/spec-ref-siblings.js";

/** Creates the visitors of a rule. Most rules know several formats. */
export type RedoclyRule = (settings: Record<string, unknown>) => object | readonly object[];

/** The rules of Redocly that run, without those of `example-rules.ts`. */
export const redoclyRules: Readonly<Record<string, RedoclyRule>> = {
  "no-unresolved-refs": NoUnresolvedRefs,
  "no-duplicated-enum-values": NoDuplicatedEnumValues,
  "no-duplicated-tag-names": NoDuplicatedTagNames,
  "no-empty-servers": NoEmptyServers,
  "no-enum-type-mismatch": NoEnumTypeMismatch,
  "no-example-value-and-externalValue": NoExampleValueAndExternalValue,
  "no-identical-paths": NoIdenticalPaths,
  "no-illogical-composition-keywords": NoIllogicalCompositionKeywords,
  "no-mixed-number-range-constraints": NoMixedNumberRangeConstraints,
  "no-path-trailing-slash": NoPathTrailingSlash,
  "no-required-schema-properties-undefined": NoRequiredSchemaPropertiesUndefined,
  "no-schema-type-mismatch": NoSchemaTypeMismatch,
  "no-server-trailing-slash": NoServerTrailingSlash,
  "no-server-variables-empty-enum": NoServerVariablesEmptyEnum,
  "no-undefined-server-variable": NoUndefinedServerVariable,
  "no-unsafe-markdown": NoUnsafeMarkdown,
  "no-unused-components": NoUnusedComponents,
  "nullable-type-sibling": NullableTypeSibling,
  "operation-2xx-response": Operation2xxResponse,
  "operation-4xx-response": Operation4xxResponse,
  "operation-operationId": OperationOperationId,
  "operation-operationId-unique": OperationIdUnique,
  "operation-operationId-url-safe": OperationIdUrlSafe,
  "operation-parameters-unique": OperationParametersUnique,
  "operation-summary": OperationSummary,
  "operation-tag-defined": OperationTagDefined,
  "path-declaration-must-exist": PathDeclarationMustExist,
  "path-not-include-query": PathNotIncludeQuery,
  "path-parameters-defined": PathParamsDefined,
  "security-defined": SecurityDefined,
  "security-scopes-defined": SecurityScopesDefined,
  "spec-components-invalid-map-name": SpecComponentsInvalidMapName,
  "spec-ref-siblings": SpecRefSiblings,
};
