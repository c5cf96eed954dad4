import { redoclyCodes } from "./redocly/codes.js";
import type { CodeInfo, LintRule } from "./rule.js";
import * as rules from "./rules/index.js";

export type DiagnosticCode = RuleCode | keyof typeof redoclyCodes | keyof typeof otherCodes;

type RuleCode = CodeOf<(typeof rules)[keyof typeof rules]>;
type CodeOf<Rule> = Rule extends LintRule<infer Code> ? Code : never;

// Codes that no rule of the linter reports.
const otherCodes = {
  // Files
  "description/unreadable": { strict: "error", minimal: "error", summary: "A file cannot be read." },
  "description/syntax": { strict: "error", minimal: "error", summary: "A file is not valid YAML or JSON." },
  "description/yaml": { strict: "warning", minimal: "warning", summary: "Some parsers of YAML reject a file." },
  "description/too-deep": { strict: "error", minimal: "error", summary: "A file is nested too deeply." },
  "description/too-large": { strict: "error", minimal: "error", summary: "A file is too large." },
  "description/converted": { strict: "error", minimal: "warning", summary: "The description is Swagger 2.0." },
  "description/version": { strict: "error", minimal: "error", summary: "The root is not an OpenAPI 3 description." },

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
  "unsupported/format": { strict: "warning", minimal: "warning", summary: "A format is not checked." },

  // Settings of the conformance suite
  "conformance/unknown": {
    strict: "error",
    minimal: "error",
    summary: "The settings of a suite refer to something unknown.",
  },
  "mock/data": { strict: "error", minimal: "error", summary: "The data of a mock do not match the description." },
  "conformance/no-case": { strict: "warning", minimal: "warning", summary: "No case tests a limit or a transition." },
  "conformance/untested": { strict: "error", minimal: "error", summary: "No case of the suite tests a requirement." },
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
} as const;

const ruleCodes = Object.fromEntries(Object.values(rules).flatMap(({ codes }) => Object.entries(codes))) as Record<
  RuleCode,
  CodeInfo
>;

/** Every diagnostic that the linter reports. With `minimal`, only problems that prevent generation are errors. */
export const diagnosticCodes: Readonly<Record<DiagnosticCode, CodeInfo>> = {
  ...ruleCodes,
  ...redoclyCodes,
  ...otherCodes,
};

export const openapiPrefix = "openapi/";
