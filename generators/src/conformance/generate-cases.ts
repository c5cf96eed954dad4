import type { Case } from "@plumbline/conformance-runtime";
import type { TextFile } from "@plumbline/kit/codegen";
import type { Api } from "@plumbline/kit/model";
import { scopeCases } from "./cases/access/scopes.js";
import { errorCases } from "./cases/errors.js";
import { frameCases } from "./cases/frame/frame-cases.js";
import { rejectedRequestCases } from "./cases/frame/rejected-requests.js";
import { stateCases } from "./cases/lifecycle/states.js";
import { limitCases } from "./cases/limits/limits.js";
import { baselineCases } from "./cases/operations.js";
import { resourceRuleCases } from "./cases/resources.js";
import { schemaCases } from "./cases/schema-cases.js";
import { workflowCases } from "./cases/workflows/workflows.js";
import {
  conformanceContextOf,
  requiredCapabilities,
  type ConformanceContext,
  type ConformanceOptions,
} from "./context/context.js";
import { extraRequirements } from "./context/extra-requirements.js";
import { sendsIssuedValue } from "./issued-values.js";
import { possibleCases } from "./possible-cases.js";
import { documentedCases } from "./requests/documented-statuses.js";
import { fixturesOf, withParents } from "./requests/fixtures.js";
import { hasKnownPath } from "./requests/request-plan.js";

type Part = "schemas" | "operations" | "resources" | "scopes" | "limits" | "states" | "errors" | "frame" | "workflows";

/** The case generators, by the part of the description that they test. Each has a data file. */
export const caseGenerators: Readonly<Record<Part, (context: ConformanceContext) => readonly Case[]>> = {
  schemas: schemaCases,
  operations: baselineCases,
  resources: resourceRuleCases,
  scopes: scopeCases,
  limits: limitCases,
  states: stateCases,
  errors: errorCases,
  frame: frameCases,
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
  const cached = generated.get(options) ?? new Map<Part, readonly Case[]>();
  generated.set(options, cached);
  const cases = cached.get(part) ?? partOf(part, api, options);
  cached.set(part, cases);
  return cases;
}

function partOf(part: Part, api: Api, options: ConformanceOptions): readonly Case[] {
  const context = conformanceContextOf(api, options);
  const own = attributeCases(context, part);
  if (part !== "frame") return own;
  const others = parts.filter((each) => each !== "frame").flatMap((each) => casesOf(each, api, options));
  return [...own, ...rejectedRequestCases(context, others).flatMap((each) => attributeCase(context, each))];
}

/** If the path's object may be missing, an expected error cannot be distinguished from "not found". */
function attributeCases(context: ConformanceContext, part: Part): readonly Case[] {
  // Cases need what the fixtures of their steps need.
  fixturesOf(context);
  const all = caseGenerators[part](context);
  const cases = possibleCases(context, context.api.errors.length === 0 ? documentedCases(context, all) : all);
  return cases.flatMap((each) => attributeCase(context, each));
}

function attributeCase(context: ConformanceContext, generatedCase: Case): readonly Case[] {
  const operation = context.operations.get(generatedCase.operation);
  const isSure = operation === undefined || generatedCase.kind === "accepts" || generatedCase.kind === "security";
  if (!isSure && !hasKnownPath(context, operation)) return [];
  const complete = completeCase(context, generatedCase);
  const more = extraRequirements(context.settings, generatedCase.id);
  return more.length === 0
    ? [complete]
    : [{ ...complete, requirements: [...new Set([...generatedCase.requirements, ...more])] }];
}

/** The case with the parents of its objects, and with the capabilities that these need. */
function completeCase(context: ConformanceContext, generatedCase: Case): Case {
  const steps = withParents(context, generatedCase.steps);
  const requires = new Set([...generatedCase.requires, ...requiredCapabilities(context, steps)]);
  const isAlone = generatedCase.exclusive === true || sendsIssuedValue(context, steps);
  return { ...generatedCase, requires: [...requires], ...(isAlone ? { exclusive: true as const } : {}), steps };
}
