import { NoInvalidParameterExamples } from "@redocly/openapi-core/lib/rules/common/no-invalid-parameter-examples.js";
import { NoInvalidSchemaExamples } from "@redocly/openapi-core/lib/rules/common/no-invalid-schema-examples.js";
import { ValidContentExamples } from "@redocly/openapi-core/lib/rules/oas3/no-invalid-media-type-examples.js";
import type { RedoclyRule } from "./rules.js";

/** The rules that compile validators: only descriptions that are linted strictly load Ajv. */
export const exampleRules: Readonly<Record<string, RedoclyRule>> = {
  "no-invalid-media-type-examples": ValidContentExamples,
  "no-invalid-parameter-examples": NoInvalidParameterExamples,
  "no-invalid-schema-examples": NoInvalidSchemaExamples,
};
