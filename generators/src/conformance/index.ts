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

/** Cases by what of the description they come from. */
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

/** A suite: cases as data, a line each, and what the runtime has to know of the operations to run them. */
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

/** Every case of a description. */
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

/** Where nobody knows whether the object of the path is there, no refusal can be told from its absence. */
function judged(context: Context, concern: Concern): readonly Case[] {
  const made = caseMakers[concern](context);
  const cases = context.api.failures.length === 0 ? describedOnly(context, made) : made;
  return cases.flatMap((each) => {
    const found = judgedCases.get(each) ?? judgedCase(context, each);
    judgedCases.set(each, found);
    return found;
  });
}

/** What became of a case. One that is remembered is of the same operation and settings as before. */
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
