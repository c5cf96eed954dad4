import type { Case } from "@plumbline/conformance-runtime";
import type { ArtifactOptions, Concern, ConcernEmitter, ArtifactGenerator } from "../../../packages/codegen/src/generator.js";
import type { Api } from "../../../packages/model/src/api.js";
import { extraRequirements } from "./extra-requirements.js";
import { conformanceContextOf, type ConformanceContext } from "./context.js";
import { errorCases } from "./errors.js";
import { limitCases } from "./limits.js";
import { baselineCases } from "./operations.js";
import { emitConformancePackage } from "./package.js";
import { hasKnownPath } from "./request-plan.js";
import { documentedCases } from "./expect-rejection.js";
import { resourceRuleCases } from "./resources.js";
import { scopeCases } from "./scopes.js";
import { schemaCases } from "./schema-cases.js";
import { stateCases } from "./states.js";
import { workflowCases } from "./workflows.js";

/** The case generators, by the part of the description that they test. */
export const caseGenerators: Readonly<Record<Concern, (context: ConformanceContext) => readonly Case[]>> = {
  schemas: schemaCases,
  operations: baselineCases,
  resources: resourceRuleCases,
  scopes: scopeCases,
  limits: limitCases,
  states: stateCases,
  errors: errorCases,
  workflows: workflowCases,
};

/** Generates a suite: one case per line as JSON, and the data of operations that the runtime needs. */
export const conformanceGenerator: ArtifactGenerator = {
  name: "conformance",
  concerns: {
    schemas: caseEmitter("schemas"),
    operations: caseEmitter("operations"),
    resources: caseEmitter("resources"),
    scopes: caseEmitter("scopes"),
    limits: caseEmitter("limits"),
    states: caseEmitter("states"),
    errors: caseEmitter("errors"),
    workflows: caseEmitter("workflows"),
  },
  package: emitConformancePackage,
};

const known = new WeakMap<ArtifactOptions, Map<Concern, readonly Case[]>>();

/** Generates all cases of a description. */
export function generateCases(api: Api, options: ArtifactOptions): readonly Case[] {
  const concerns = Object.keys(caseGenerators) as Concern[];
  return concerns.flatMap((concern) => generateCasesOfConcern(concern, api, options));
}

function generateCasesOfConcern(concern: Concern, api: Api, options: ArtifactOptions): readonly Case[] {
  const made = known.get(options) ?? new Map<Concern, readonly Case[]>();
  known.set(options, made);
  const cases = made.get(concern) ?? attributeCases(conformanceContextOf(api, options), concern);
  made.set(concern, cases);
  return cases;
}

/** If the path's object may be missing, an expected error cannot be distinguished from "not found". */
function attributeCases(context: ConformanceContext, concern: Concern): readonly Case[] {
  const made = caseGenerators[concern](context);
  const cases = context.api.errors.length === 0 ? documentedCases(context, made) : made;
  return cases.flatMap((each) => {
    const found = attributedCases.get(each) ?? attributeCase(context, each);
    attributedCases.set(each, found);
    return found;
  });
}

/** The attributed form of a case. A cached case has the same operation and settings as before. */
const attributedCases = new WeakMap<Case, readonly Case[]>();

function attributeCase(context: ConformanceContext, made: Case): readonly Case[] {
  const named = context.operations.get(made.operation);
  const isSure = named === undefined || made.kind === "accepts" || made.kind === "security";
  if (!isSure && !hasKnownPath(context, named)) return [];
  const more = extraRequirements(context.settings, made.id);
  return more.length === 0 ? [made] : [{ ...made, requirements: [...new Set([...made.requirements, ...more])] }];
}

function caseEmitter(concern: Concern): ConcernEmitter {
  return (api, options) => {
    const cases = generateCasesOfConcern(concern, api, options);
    return [{ path: `data/${concern}.jsonl`, text: cases.map(lineOf).join("") }];
  };
}

const lines = new WeakMap<Case, string>();

function lineOf(made: Case): string {
  const line = lines.get(made) ?? `${JSON.stringify(made)}\n`;
  lines.set(made, line);
  return line;
}
