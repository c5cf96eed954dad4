import type { Case } from "@plumbline/conformance-runtime";
import type { Operation } from "@plumbline/kit/model";
import type { ConformanceContext } from "../context/context.js";
import { bodyCaseContext } from "../requests/body-request.js";
import { fieldMutators } from "./bodies/body-cases.js";
import { boundCases } from "./bodies/bounds.js";
import { conditionCases } from "./bodies/conditions.js";
import { emptiedFieldCases } from "./bodies/emptied-fields.js";
import { laterItemCases } from "./bodies/later-items.js";
import { valueCases } from "./bodies/normalized-values.js";
import { parameterCases } from "./bodies/parameters.js";
import { patternCases } from "./bodies/patterns.js";
import { undocumentedInputCases } from "./bodies/undocumented-input.js";
import { updateCases } from "./bodies/updates.js";
import { enumCases, nullCases, requiredCases, typeCases } from "./bodies/wrong-types.js";
import { createdValueCases } from "./created/created-values.js";

/** Cases of request bodies: each field at both sides of its bounds, and its stored value. */
export function schemaCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => casesOfOperationSchemas(context, operation));
}

function casesOfOperationSchemas(context: ConformanceContext, operation: Operation): readonly Case[] {
  const around = bodyCaseContext(context, operation);
  const parameters = parameterCases(context, operation);
  if (around === undefined) return parameters;
  const places = fieldMutators(around);
  return withoutRepeats([
    ...places.flatMap(([field, place]) => fieldCaseGenerators.flatMap((generate) => generate(around, field, place))),
    ...conditionCases(around),
    ...undocumentedInputCases(around),
    ...createdValueCases(around),
    ...updateCases(around, places),
    ...emptiedFieldCases(around),
    ...parameters,
  ]);
}

const fieldCaseGenerators = [
  boundCases,
  typeCases,
  enumCases,
  nullCases,
  requiredCases,
  patternCases,
  valueCases,
  laterItemCases,
] as const;

/** Drops duplicate cases. */
function withoutRepeats(cases: readonly Case[]): readonly Case[] {
  return [...new Map(cases.toReversed().map((each) => [each.id, each] as const)).values()].toReversed();
}
