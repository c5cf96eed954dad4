import type { Case } from "@plumbline/conformance-runtime";
import { type Api, type Operation, memoizeAcrossModels } from "@plumbline/model";
import { errorsOfSchemas } from "./updates.js";
import type { ConformanceContext } from "../../context/context.js";
import { createdResources } from "../../requests/created-resources.js";
import { uniqueKeyTexts } from "../../requests/unique-keys.js";
import { fixtureNames } from "../../requests/acceptable-body.js";

/**
 * Caches the cases of an operation's schemas. It generates them again when an input changed: the operation, a named schema that the
 * generation has read, or anything else in description and settings, except other named schemas and the texts of other operations.
 */
export function cacheCases(
  context: ConformanceContext,
  operation: Operation,
  create: () => readonly Case[],
): readonly Case[] {
  return caseCache(context.api, operation, { inputs: caseInputs(context), create });
}

const caseCache = memoizeAcrossModels<Operation, readonly Case[]>();

const inputsCache = new WeakMap<ConformanceContext, readonly unknown[]>();

/** All inputs of cases except named schemas, but with what the generation reads of all of them. */
function caseInputs(context: ConformanceContext): readonly unknown[] {
  const { api, options, settings, controls } = context;
  const earlier = inputsCache.get(context);
  if (earlier !== undefined) return earlier;
  const keys = (Object.keys(api) as (keyof Api)[]).filter((key) => !trackedKeys.has(key));
  const now = [
    ...keys.map((key) => api[key]),
    ...[...api.operations, ...api.operationsWithoutPath].map(operationWithoutProse),
    settings,
    controls,
    options.input,
    ...errorsOfSchemas(context),
    ...fixtureNames(context),
    ...createdResources(api),
    ...uniqueKeyTexts(api),
  ];
  inputsCache.set(context, now);
  return now;
}

/** The parts of a description whose changes are compared one by one. */
const trackedKeys: ReadonlySet<keyof Api> = new Set(["schemas", "operations", "operationsWithoutPath"] as const);

const operationTexts = new WeakMap<Operation, string>();

/** An operation without its prose: the part that can affect the cases of others. */
function operationWithoutProse(operation: Operation): string {
  const { summary: _summary, description: _description, ...rest } = operation;
  const text = operationTexts.get(operation) ?? JSON.stringify(rest);
  operationTexts.set(operation, text);
  return text;
}
