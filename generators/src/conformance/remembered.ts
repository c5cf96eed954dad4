import type { Case } from "@plumbline/conformance-runtime";
import type { Api, Operation, Shape } from "../model/api.js";
import { everyName, namesIn, recordReads } from "../model/reads.js";
import { failuresOfShapes } from "./changes.js";
import type { Context } from "./context.js";
import { allMade } from "./facts.js";
import { namesOfRecipes } from "./stored-forms.js";

/** Cached cases, with the inputs of their generation. */
interface Remembered {
  readonly cases: readonly Case[];
  readonly around: readonly unknown[];
  readonly shapes: readonly (readonly [name: string, shape: Shape | undefined])[];
}

const known = new WeakMap<Operation, Remembered>();

/**
 * Caches the cases of an operation's schemas. It generates them again when an input changed: the operation, a named schema that the
 * generation has read, or anything else in description and settings, except other named schemas and the texts of other operations.
 */
export function remembered(context: Context, operation: Operation, make: () => readonly Case[]): readonly Case[] {
  const around = aroundShapes(context);
  const earlier = known.get(operation);
  if (earlier !== undefined && isSame(earlier, context, around)) return earlier.cases;
  const { value: cases, reads } = recordReads(make);
  const names = namesIn(reads);
  const shapes = [...names].map((name) => [name, context.shapes.get(name)] as const);
  if (!names.has(everyName)) known.set(operation, { cases, around, shapes });
  return cases;
}

function isSame({ around, shapes }: Remembered, context: Context, now: readonly unknown[]): boolean {
  return (
    around.length === now.length &&
    around.every((each, index) => each === now[index]) &&
    shapes.every(([name, shape]) => context.shapes.get(name) === shape)
  );
}

const surroundings = new WeakMap<Context, readonly unknown[]>();

/** All inputs of cases except named schemas, but with what the generation reads of all of them. */
function aroundShapes(context: Context): readonly unknown[] {
  const { api, options, settings, controls } = context;
  const earlier = surroundings.get(context);
  if (earlier !== undefined) return earlier;
  const keys = (Object.keys(api) as (keyof Api)[]).filter((key) => !["shapes", "operations", "linked"].includes(key));
  const now = [
    ...keys.map((key) => api[key]),
    ...[...api.operations, ...api.linked].map(withoutTexts),
    settings,
    controls,
    options.conformance,
    ...failuresOfShapes(context),
    ...namesOfRecipes(context),
    ...allMade(api),
  ];
  surroundings.set(context, now);
  return now;
}

const rests = new WeakMap<Operation, string>();

/** An operation without its prose: the part that can affect the cases of others. */
function withoutTexts(operation: Operation): string {
  const { summary: _summary, description: _description, ...rest } = operation;
  const text = rests.get(operation) ?? JSON.stringify(rest);
  rests.set(operation, text);
  return text;
}
