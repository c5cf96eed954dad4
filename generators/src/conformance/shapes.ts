import type { Case } from "@plumbline/conformance-runtime";
import { boundCases } from "./bounds.js";
import { updateCases } from "./changes.js";
import type { Operation } from "../model/api.js";
import { conditionCases } from "./conditions.js";
import type { Context } from "./context.js";
import { inputCases } from "./inputs.js";
import { parameterCases } from "./parameters.js";
import { patternCases } from "./patterns.js";
import { remembered } from "./remembered.js";
import { aroundOf, placesOf } from "./shape-cases.js";
import { enumCases, nullCases, requiredCases, typeCases } from "./types.js";
import { valueCases } from "./values.js";

/** Cases of request bodies: each field at both sides of its bounds, and its stored value. */
export function shapeCases(context: Context): readonly Case[] {
  return context.api.operations.flatMap((operation) =>
    remembered(context, operation, () => casesOfShapes(context, operation)),
  );
}

function casesOfShapes(context: Context, operation: Operation): readonly Case[] {
  const around = aroundOf(context, operation);
  const parameters = parameterCases(context, operation);
  if (around === undefined) return parameters;
  const places = placesOf(around);
  return withoutRepeats([
    ...places.flatMap(([field, place]) => fieldMakers.flatMap((make) => make(around, field, place))),
    ...conditionCases(around),
    ...inputCases(around),
    ...updateCases(around, places),
    ...parameters,
  ]);
}

const fieldMakers = [boundCases, typeCases, enumCases, nullCases, requiredCases, patternCases, valueCases] as const;

/** Drops duplicate cases. */
function withoutRepeats(cases: readonly Case[]): readonly Case[] {
  return [...new Map(cases.toReversed().map((each) => [each.id, each] as const)).values()].toReversed();
}
