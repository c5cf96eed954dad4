import type { Case } from "@plumbline/conformance-runtime";
import type { TextFile } from "@plumbline/kit/codegen";
import type { Api } from "@plumbline/kit/model";
import { fixturesOf, withParents } from "./requests/fixtures.js";
import { schemaCases } from "./cases/schema-cases.js";
import { errorCases } from "./cases/errors.js";
import { limitCases } from "./cases/limits/limits.js";
import { stateCases } from "./cases/lifecycle/states.js";
import { baselineCases } from "./cases/operations.js";
import { resourceRuleCases } from "./cases/resources.js";
import { scopeCases } from "./cases/access/scopes.js";
import { workflowCases } from "./cases/workflows/workflows.js";
import {
  conformanceContextOf,
  requiredCapabilities,
  type ConformanceContext,
  type ConformanceOptions,
} from "./context/context.js";
import { extraRequirements } from "./context/extra-requirements.js";
import { documentedCases } from "./requests/documented-statuses.js";
import { possibleCases } from "./possible-cases.js";
import { hasKnownPath } from "./requests/request-plan.js";

type Part = "schemas" | "operations" | "resources" | "scopes" | "limits" | "states" | "errors" | "workflows";

/** The case generators, by the part of the description that they test. Each has a data file. */
export const caseGenerators: Readonly<Record<Part, (context: ConformanceContext) => readonly Case[]>> = {
  schemas: schemaCases,
  operations: baselineCases,
  resources: resourceRuleCases,
  scopes: scopeCases,
  limits: limitCases,
  states: stateCases,
  errors: errorCases,
  workflows: workflowCases,
};

const parts = Object.keys(caseGenerators) as readonly Part[];

/** Generates all cases of a description. */
export function generateCases(api: Api, options: ConformanceOptions): readonly Case[] {
  return parts.flatMap((part) => casesOf(part, api, options));
}

/** Emits the data files: one case a line. The reader adds an empty list of needs. */
export function caseFiles(api: Api, options: ConformanceOptions): readonly TextFile[] {
  return parts.map((part) => ({
    path: `data/${part}.jsonl`,
    text: casesOf(part, api, options)
      .map(({ requires, ...each }) => `${JSON.stringify(requires.length === 0 ? each : { ...each, requires })}\n`)
      .join(""),
  }));
}

const generated = new WeakMap<ConformanceOptions, Map<Part, readonly Case[]>>();

function casesOf(part: Part, api: Api, options: ConformanceOptions): readonly Case[] {
  const known = generated.get(options) ?? new Map<Part, readonly Case[]>();
  generated.set(options, known);
  const cases = known.get(part) ?? attributeCases(conformanceContextOf(api, options), part);
  known.set(part, cases);
  return cases;
}

/** If the path's object may be missing, an expected error cannot be distinguished from "not found". */
function attributeCases(context: ConformanceContext, part: Part): readonly Case[] {
  // Cases need what the fixtures of their steps need.
  fixturesOf(context);
  const made = caseGenerators[part](context);
  const cases = possibleCases(context, context.api.errors.length === 0 ? documentedCases(context, made) : made);
  return cases.flatMap((each) => attributeCase(context, each));
}

function attributeCase(context: ConformanceContext, made: Case): readonly Case[] {
  const named = context.operations.get(made.operation);
  const isSure = named === undefined || made.kind === "accepts" || made.kind === "security";
  if (!isSure && !hasKnownPath(context, named)) return [];
  const complete = completeCase(context, made);
  const more = extraRequirements(context.settings, made.id);
  return more.length === 0
    ? [complete]
    : [{ ...complete, requirements: [...new Set([...made.requirements, ...more])] }];
}

/** The case with the parents of its objects, and with the capabilities that these need. */
function completeCase(context: ConformanceContext, made: Case): Case {
  const steps = withParents(context, made.steps);
  const requires = new Set([...made.requires, ...requiredCapabilities(context, steps)]);
  return { ...made, requires: [...requires], steps };
}
