import { redoclyCodes } from "./redocly/codes.js";
import type { CodeEntry, CodeInfo, LintRule } from "./rule.js";
import * as rules from "./rules/index.js";

export type DiagnosticCode = RuleCode | keyof typeof redoclyCodes | keyof typeof otherCodes;

type RuleCode = CodeOf<(typeof rules)[keyof typeof rules]>;
type CodeOf<Rule> = Rule extends LintRule<infer Code> ? Code : never;

// Codes that no rule of the linter reports.
const otherCodes = {
  // Files
  "description/unreadable": ["error", "error", "A file cannot be read."],
  "description/syntax": ["error", "error", "A file is not valid YAML or JSON."],
  "description/yaml": ["warning", "warning", "Some parsers of YAML reject a file."],
  "description/too-deep": ["error", "error", "A file is nested too deeply."],
  "description/too-large": ["error", "error", "A file is too large."],
  "description/converted": ["error", "warning", "The description is Swagger 2.0."],
  "description/version": ["error", "error", "The root is not an OpenAPI 3 description."],

  // plumbline.yaml
  "config/missing": ["error", "error", "There is no configuration."],
  "config/unknown": ["error", "error", "A key of the configuration is unknown."],
  "config/value": ["error", "error", "A value of the configuration is invalid."],

  // Overlays
  "overlay/unreadable": ["error", "error", "An overlay cannot be read."],
  "overlay/version": ["error", "error", "A file is not an overlay of version 1.0."],
  "overlay/schema": ["error", "error", "An overlay does not have the structure of Overlay 1.0."],
  "overlay/target": ["error", "error", "The target of an action is not a valid JSONPath."],
  "overlay/unmatched": ["warning", "warning", "The target of an action matches nothing."],
  "overlay/too-many-steps": ["error", "error", "Overlays exceed the step limit."],
  "overlay/update": ["error", "error", "An action cannot be applied to its target."],
  "overlay/extends": ["error", "error", "An overlay extends a file that the description does not use."],

  // Custom generators
  "generator/name": ["error", "error", "The name of a generator is invalid."],
  "generator/missing": ["error", "error", "A generator cannot be found."],
  "generator/schema": ["error", "error", "A generator or its output has an invalid structure."],
  "generator/failed": ["error", "error", "A generator throws, or exits the process."],
  "generator/path": ["error", "error", "A generator writes outside of its folder."],
  "generator/inputs": ["error", "error", "A generator uses an artifact that is missing."],
  "generator/text": ["error", "error", "A generator writes a file that does not parse."],

  // Handlers
  "handlers/syntax": ["error", "error", "A file with handlers does not parse."],
  "handlers/unclear": ["warning", "warning", "A handler is out of step, and only its author can change it."],

  // Valid, but not supported
  "unsupported/format": ["warning", "warning", "A format is not checked."],

  // Settings of the conformance suite
  "conformance/unknown": ["error", "error", "The settings of a suite refer to something unknown."],
  "mock/data": ["error", "error", "The data of a mock do not match the description."],
  "conformance/no-case": ["warning", "warning", "No case tests a limit or a transition."],
  "conformance/untested": ["error", "error", "No case of the suite tests a requirement."],
  "conformance/unused-exemption": [
    "error",
    "error",
    "An exemption is not needed, because a case tests the requirement.",
  ],

  // Workflows
  "workflow/schema": ["error", "error", "A workflow file does not have the structure of Arazzo 1.0."],
  "workflow/duplicate": ["error", "error", "Two workflows or steps share a name."],
  "workflow/unknown": ["error", "error", "A workflow refers to something unknown."],
  "workflow/input": ["error", "error", "An input has no known kind, or is used twice."],
  "workflow/expression": ["error", "error", "An expression cannot be resolved."],
  "workflow/criterion": ["error", "error", "A criterion of a step cannot be evaluated."],
  "workflow/missing": ["error", "error", "A `verifiedBy` refers to an unknown workflow."],
  "workflow/no-assertions": ["error", "error", "A workflow asserts nothing."],
} as const;

const entries = [
  ...Object.values(rules).flatMap(({ codes }) => Object.entries<CodeEntry>(codes)),
  ...Object.entries(redoclyCodes),
  ...Object.entries(otherCodes),
];

/** Every diagnostic that the linter reports. With `minimal`, only problems that prevent generation are errors. */
export const diagnosticCodes: Readonly<Record<DiagnosticCode, CodeInfo>> = Object.fromEntries(
  entries.map(([code, [strict, minimal, summary]]) => [code, { strict, minimal, summary }]),
) as Record<DiagnosticCode, CodeInfo>;

export const openapiPrefix = "openapi/";
