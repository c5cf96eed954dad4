import { redoclyCodes } from "./redocly/codes.js";

/** The severities of a code in each profile. */
export interface RuleInfo {
  readonly strict: SeverityLevel;
  readonly minimal: SeverityLevel;
  /** One sentence about its meaning. */
  readonly summary: string;
}

export type SeverityLevel = "error" | "warning" | "off";

const registry = {
  // Files
  "description/unreadable": { strict: "error", minimal: "error", summary: "A file cannot be read." },
  "description/syntax": { strict: "error", minimal: "error", summary: "A file is not valid YAML or JSON." },
  "description/yaml": { strict: "warning", minimal: "warning", summary: "Some parsers of YAML reject a file." },
  "description/too-deep": { strict: "error", minimal: "error", summary: "A file is nested too deeply." },
  "description/too-large": { strict: "error", minimal: "error", summary: "A file is too large." },
  "description/converted": { strict: "error", minimal: "warning", summary: "The description is Swagger 2.0." },
  "description/version": { strict: "error", minimal: "error", summary: "The root is not an OpenAPI 3 description." },

  "description/circular": {
    strict: "error",
    minimal: "error",
    summary: "A reference or a schema leads only back to itself.",
  },

  // plumbline.yaml
  "config/missing": { strict: "error", minimal: "error", summary: "There is no configuration." },
  "config/unknown": { strict: "error", minimal: "error", summary: "A key of the configuration is unknown." },
  "config/value": { strict: "error", minimal: "error", summary: "A value of the configuration is invalid." },

  // Overlays
  "overlay/unreadable": { strict: "error", minimal: "error", summary: "An overlay cannot be read." },
  "overlay/version": { strict: "error", minimal: "error", summary: "A file is not an overlay of version 1.0." },
  "overlay/schema": {
    strict: "error",
    minimal: "error",
    summary: "An overlay does not have the structure of Overlay 1.0.",
  },
  "overlay/target": { strict: "error", minimal: "error", summary: "The target of an action is not a valid JSONPath." },
  "overlay/unmatched": { strict: "warning", minimal: "warning", summary: "The target of an action matches nothing." },
  "overlay/too-many-steps": { strict: "error", minimal: "error", summary: "Overlays exceed the step limit." },
  "overlay/update": { strict: "error", minimal: "error", summary: "An action cannot be applied to its target." },
  "overlay/extends": {
    strict: "error",
    minimal: "error",
    summary: "An overlay extends a file that the description does not use.",
  },

  // Custom generators
  "generator/name": { strict: "error", minimal: "error", summary: "The name of a generator is invalid." },
  "generator/missing": { strict: "error", minimal: "error", summary: "A generator cannot be found." },
  "generator/schema": {
    strict: "error",
    minimal: "error",
    summary: "A generator or its output has an invalid structure.",
  },
  "generator/failed": { strict: "error", minimal: "error", summary: "A generator throws, or exits the process." },
  "generator/path": { strict: "error", minimal: "error", summary: "A generator writes outside of its folder." },
  "generator/inputs": { strict: "error", minimal: "error", summary: "A generator uses an artifact that is missing." },
  "generator/text": { strict: "error", minimal: "error", summary: "A generator writes a file that does not parse." },

  // Handlers
  "handlers/syntax": { strict: "error", minimal: "error", summary: "A file with handlers does not parse." },
  "handlers/unclear": {
    strict: "warning",
    minimal: "warning",
    summary: "A handler is out of step, and only its author can change it.",
  },

  // Valid, but not supported
  "unsupported/construct": {
    strict: "error",
    minimal: "warning",
    summary: "A construct of OpenAPI 3.2 is not supported.",
  },
  "unsupported/items": { strict: "warning", minimal: "warning", summary: "Items of a stream are not checked." },
  "unsupported/format": { strict: "warning", minimal: "warning", summary: "A format is not checked." },
  "unsupported/keyword": { strict: "error", minimal: "warning", summary: "A keyword of JSON Schema is not supported." },
  "unsupported/content": { strict: "warning", minimal: "warning", summary: "A media type is ignored." },
  "unsupported/encoding": {
    strict: "warning",
    minimal: "warning",
    summary: "An encoding of a form is not supported.",
  },
  "unsupported/security": {
    strict: "warning",
    minimal: "warning",
    summary: "A generated client does not support a security scheme.",
  },
  "unsupported/servers": { strict: "warning", minimal: "warning", summary: "An operation has servers of its own." },

  // Settings of the conformance suite
  "conformance/unknown": {
    strict: "error",
    minimal: "error",
    summary: "The settings of a suite refer to something unknown.",
  },
  "mock/data": { strict: "error", minimal: "error", summary: "The data of a mock do not match the description." },
  "conformance/no-case": { strict: "warning", minimal: "warning", summary: "No case tests a limit or a transition." },
  "conformance/untested": { strict: "error", minimal: "error", summary: "No case of the suite tests a requirement." },
  "conformance/bound-too-large": {
    strict: "off",
    minimal: "warning",
    summary: "A suite does not test a bound, because a value of that size is larger than a megabyte.",
  },
  "conformance/unused-exemption": {
    strict: "error",
    minimal: "error",
    summary: "An exemption is not needed, because a case tests the requirement.",
  },

  // Workflows
  "workflow/schema": {
    strict: "error",
    minimal: "error",
    summary: "A workflow file does not have the structure of Arazzo 1.0.",
  },
  "workflow/duplicate": { strict: "error", minimal: "error", summary: "Two workflows or steps share a name." },
  "workflow/unknown": { strict: "error", minimal: "error", summary: "A workflow refers to something unknown." },
  "workflow/input": { strict: "error", minimal: "error", summary: "An input has no known kind, or is used twice." },
  "workflow/expression": { strict: "error", minimal: "error", summary: "An expression cannot be resolved." },
  "workflow/criterion": { strict: "error", minimal: "error", summary: "A criterion of a step cannot be evaluated." },
  "workflow/missing": { strict: "error", minimal: "error", summary: "A `verifiedBy` refers to an unknown workflow." },
  "workflow/no-assertions": { strict: "error", minimal: "error", summary: "A workflow asserts nothing." },

  // The vocabulary
  "extension/unknown": {
    strict: "error",
    minimal: "warning",
    summary: "An extension field is unknown, or misspelled.",
  },
  "extension/schema": {
    strict: "error",
    minimal: "warning",
    summary: "A key or a value of an extension field is invalid.",
  },
  "extension/misplaced": {
    strict: "error",
    minimal: "warning",
    summary: "An extension field has no meaning on this object.",
  },
  "limits/unit": {
    strict: "error",
    minimal: "off",
    summary: "The window of a limit is not an ISO 8601 duration with a unit.",
  },
  "limits/unknown": { strict: "error", minimal: "off", summary: "A limit is unknown." },
  "limits/duplicate": { strict: "error", minimal: "off", summary: "Two different limits share an id." },
  "limits/effect": { strict: "error", minimal: "off", summary: "A limit refers to an unknown effect." },
  "limits/unique": { strict: "error", minimal: "warning", summary: "Nothing compares a unique key." },
  "limits/field": { strict: "error", minimal: "off", summary: "A limit refers to an unknown field." },
  "states/unit": {
    strict: "error",
    minimal: "off",
    summary: "A duration of a state machine is not an ISO 8601 duration with a unit.",
  },
  "states/enum": { strict: "error", minimal: "off", summary: "The states differ from the enum and the hidden states." },
  "states/unknown": { strict: "error", minimal: "off", summary: "A state is unknown." },
  "states/unreachable": {
    strict: "error",
    minimal: "off",
    summary: "No initial state and no transition leads to a state.",
  },
  "states/missing-error": {
    strict: "error",
    minimal: "off",
    summary: "An operation is rejected in some states, and no error is specified.",
  },
  "states/not-a-resource": {
    strict: "error",
    minimal: "off",
    summary: "A state machine belongs to a schema that is not a resource.",
  },
  "scopes/undeclared": {
    strict: "error",
    minimal: "off",
    summary: "An operation requires a scope that x-scopes does not declare.",
  },
  "scopes/level": { strict: "error", minimal: "off", summary: "A level implies one that is not declared." },
  "scopes/same": { strict: "error", minimal: "off", summary: "Two schemes for the same tokens do not agree." },
  "references/unknown": { strict: "error", minimal: "off", summary: "A resource or schema is unknown." },
  "references/field": { strict: "error", minimal: "off", summary: "A field is unknown." },
  "operations/unknown": { strict: "error", minimal: "off", summary: "An operation is unknown." },
  "operations/status": {
    strict: "error",
    minimal: "warning",
    summary: "A key of responses is not a status.",
  },
  "operations/responses": {
    strict: "error",
    minimal: "off",
    summary: "An operation can fail with a status that it does not document.",
  },
  "errors/unknown": { strict: "error", minimal: "off", summary: "An error is unknown in this operation." },
  "errors/duplicate": { strict: "error", minimal: "off", summary: "One object lists the same error twice." },
  "errors/proof": { strict: "error", minimal: "off", summary: "Nothing causes an error." },
  "errors/field": {
    strict: "error",
    minimal: "off",
    summary: "An error refers to a field that the request does not have.",
  },
  "errors/cause": { strict: "error", minimal: "off", summary: "A 400 response does not name a cause." },
  "effects/duplicate": { strict: "error", minimal: "off", summary: "Two effects share an id." },
  "effects/proof": { strict: "error", minimal: "off", summary: "An effect has neither `does` nor `verifiedBy`." },
  "expressions/syntax": { strict: "error", minimal: "off", summary: "A text is not a valid expression." },
  "expressions/unknown": {
    strict: "error",
    minimal: "off",
    summary: "An expression refers to an unknown parameter or field.",
  },
  "conditions/compile": { strict: "error", minimal: "off", summary: "A JSON Schema in an extension does not compile." },
  "conditions/field": {
    strict: "error",
    minimal: "off",
    summary: "A condition refers to a field that its subject does not have.",
  },
  "pagination/unknown": {
    strict: "error",
    minimal: "warning",
    summary: "A paginated list lacks a parameter or a field of the envelope.",
  },
  "deprecation/unmarked": {
    strict: "error",
    minimal: "off",
    summary: "An operation has x-deprecation and is not deprecated.",
  },
  "deprecation/dates": {
    strict: "error",
    minimal: "warning",
    summary: "A date of a deprecation does not exist, or a sunset is before the deprecation.",
  },
  "deprecation/replacement": {
    strict: "error",
    minimal: "warning",
    summary: "A deprecated operation replaces itself.",
  },

  // Strings
  "patterns/syntax": {
    strict: "error",
    minimal: "warning",
    summary: "A pattern is not a valid regular expression with the u flag.",
  },
  "patterns/unchecked": {
    strict: "off",
    minimal: "warning",
    summary: "JavaScript cannot evaluate a pattern, so nothing checks it.",
  },
  "patterns/backtracking": {
    strict: "error",
    minimal: "warning",
    summary: "A pattern can take a backtracking matcher excessive time on a hostile text.",
  },
  "patterns/unmatchable": {
    strict: "error",
    minimal: "error",
    summary: "No matcher matches all texts of a pattern in a short time.",
  },
  "patterns/unbounded": {
    strict: "error",
    minimal: "off",
    summary: "A string has a pattern or a format, and no maxLength.",
  },

  // Discriminators
  "discriminators/unlisted": {
    strict: "error",
    minimal: "warning",
    summary: "A mapping has a value that its schema does not allow.",
  },

  // Sources
  "source/unknown": { strict: "error", minimal: "off", summary: "An x-source refers to an unknown requirement." },
  "source/unused": { strict: "error", minimal: "off", summary: "No x-source refers to a requirement." },
  "source/open": { strict: "error", minimal: "off", summary: "No assumption settles an open requirement." },
  "source/settles": {
    strict: "error",
    minimal: "off",
    summary: "An assumption settles a requirement that is not open.",
  },
  "source/missing": { strict: "error", minimal: "off", summary: "A part of the description has no source." },
  "source/requirements": {
    strict: "error",
    minimal: "off",
    summary: "The file of requirements has an invalid structure.",
  },
} as const;

export type DiagnosticCode = keyof typeof registry | keyof typeof redoclyCodes;

/** Every diagnostic that the linter reports. With `minimal`, only problems that prevent generation are errors. */
export const diagnosticCodes: Readonly<Record<DiagnosticCode, RuleInfo>> = { ...registry, ...redoclyCodes };

export const openapiPrefix = "openapi/";
