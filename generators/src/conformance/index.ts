import type { Case } from "@plumbline/conformance-runtime";
import type { ArtifactOptions, Concern, Emit, Generator } from "../generator.js";
import type { Api } from "../model/api.js";
import { alsoOf } from "./also.js";
import { contextOf, type Context } from "./context.js";
import { errorCases } from "./errors.js";
import { limitCases } from "./limits.js";
import { operationCases } from "./operations.js";
import { emitPackage } from "./package.js";
import { isCertain } from "./plans.js";
import { describedOnly } from "./refused.js";
import { resourceCases } from "./resources.js";
import { scopeCases } from "./scopes.js";
import { shapeCases } from "./shapes.js";
import { stateCases } from "./states.js";
import { workflowCases } from "./workflows.js";

/** The case generators, by the part of the description that they test. */
export const caseMakers: Readonly<Record<Concern, (context: Context) => readonly Case[]>> = {
  shapes: shapeCases,
  operations: operationCases,
  resources: resourceCases,
  scopes: scopeCases,
  limits: limitCases,
  states: stateCases,
  errors: errorCases,
  workflows: workflowCases,
};

/** Generates a suite: one case per line as JSON, and the data of operations that the runtime needs. */
export const conformance: Generator = {
  name: "conformance",
  concerns: {
    shapes: emitting("shapes"),
    operations: emitting("operations"),
    resources: emitting("resources"),
    scopes: emitting("scopes"),
    limits: emitting("limits"),
    states: emitting("states"),
    errors: emitting("errors"),
    workflows: emitting("workflows"),
  },
  package: emitPackage,
};

const known = new WeakMap<ArtifactOptions, Map<Concern, readonly Case[]>>();

/** Generates all cases of a description. */
export function casesOf(api: Api, options: ArtifactOptions): readonly Case[] {
  const concerns = Object.keys(caseMakers) as Concern[];
  return concerns.flatMap((concern) => casesOfConcern(concern, api, options));
}

function casesOfConcern(concern: Concern, api: Api, options: ArtifactOptions): readonly Case[] {
  const made = known.get(options) ?? new Map<Concern, readonly Case[]>();
  known.set(options, made);
  const cases = made.get(concern) ?? judged(contextOf(api, options), concern);
  made.set(concern, cases);
  return cases;
}

/** If the path's object may be missing, an expected error cannot be distinguished from "not found". */
function judged(context: Context, concern: Concern): readonly Case[] {
  const made = caseMakers[concern](context);
  const cases = context.api.failures.length === 0 ? describedOnly(context, made) : made;
  return cases.flatMap((each) => {
    const found = judgedCases.get(each) ?? judgedCase(context, each);
    judgedCases.set(each, found);
    return found;
  });
}

/** The attributed form of a case. A cached case has the same operation and settings as before. */
const judgedCases = new WeakMap<Case, readonly Case[]>();

function judgedCase(context: Context, made: Case): readonly Case[] {
  const named = context.operations.get(made.operation);
  const isSure = named === undefined || made.kind === "accepts" || made.kind === "security";
  if (!isSure && !isCertain(context, named)) return [];
  const more = alsoOf(context.settings, made.id);
  return more.length === 0 ? [made] : [{ ...made, requirements: [...new Set([...made.requirements, ...more])] }];
}

function emitting(concern: Concern): Emit {
  return (api, options) => {
    const cases = casesOfConcern(concern, api, options);
    return [{ path: `data/${concern}.jsonl`, text: cases.map(lineOf).join("") }];
  };
}

const lines = new WeakMap<Case, string>();

function lineOf(made: Case): string {
  const line = lines.get(made) ?? `${JSON.stringify(made)}\n`;
  lines.set(made, line);
  return line;
}
