import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import { requirementIds } from "../../context/context.js";
import { prepareAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { callStep } from "../../requests/request-plan.js";
import { allowedTypes, enumValues, type BodyField } from "../../values/body-fields.js";
import { schemaSamples, valueAt, withValue } from "../../values/body-mutations.js";
import { expectedStoredValue, matchingSchema } from "../../values/expected-values.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { toLiteral } from "../../values/samples.js";
import { createAcceptedCase, expectField, readStep } from "./body-cases.js";
import { bodyWithOnly, mergeBodies, violatesStoredRule } from "./partial-updates.js";
import { freshKeys, uniqueBodyFields } from "./unique-texts.js";

/** A case of an update, another one with other values, and the first one again: the object is as after the first. */
export function thereAndBackCases(around: BodyCaseContext): readonly Case[] {
  const { own, operation, requirements, context, acceptedBody } = around;
  const { there, back } = twoBodies(around, mergeBodies(acceptedBody, freshKeys(context, operation)));
  const same = Object.keys(isPlainObject(there) ? there : {}).flatMap(
    (name) => expectField(around, [name], { const: { $get: `first#/body/${escapePointerToken(name)}` } }) ?? [],
  );
  const isSame = JSON.stringify(there) === JSON.stringify(back);
  if (same.length === 0 || (isSame && !JSON.stringify(there).includes('"$unique"'))) return [];
  const changed = around.fields.flatMap((field) => {
    const value = valueAt(back, field.pointer);
    const stored = value === undefined ? undefined : expectedStoredValue(around, field, { body: back, value });
    const isNew = JSON.stringify(value ?? null).includes('"$unique"');
    return (stored !== undefined && !isNew && expectField(around, field.pointer, matchingSchema(stored))) || [];
  });
  const steps: readonly Step[] = [
    ...own.setupSteps,
    { ...callStep(own, { body: there }), as: "once" },
    { ...readStep(around), as: "first" },
    callStep(own, { body: back }),
    { ...readStep(around), expect: { body: { allOf: changed } } },
    callStep(own, { body: { $get: "once#/request/body" } }),
    { ...readStep(around), expect: { body: { allOf: same } } },
  ];
  const stated = requirementIds(operation.requestBody?.sources);
  return [
    createAcceptedCase(
      around,
      {
        kind: "changes",
        idParts: ["there-and-back"],
        title: "after other values, the first ones are accepted again",
        requirements: stated.length === 0 ? requirements : stated,
      },
      steps,
    ),
  ];
}

interface TwoBodies {
  readonly there: Template;
  readonly back: Template;
}

/** Two accepted bodies with different values of each field that depends on no other object. */
function twoBodies(around: BodyCaseContext, accepted: Template): TwoBodies {
  const objects = JSON.stringify(around.own.setupSteps);
  const isPossible = ({ there, back }: TwoBodies): boolean =>
    // Fields of another branch need another object.
    [there, back].every((body) => JSON.stringify(prepareAcceptable(around, body)?.setupSteps) === objects) &&
    [[there], [there, back], [back, there]].every((updates) => !violatesStoredRule(around, updates));
  return around.fields
    .filter((field) => isPlainField(around, field))
    .reduce<TwoBodies>(
      (before, field) => {
        const only = bodyWithOnly(around, field);
        const value = only && valueAt(only, field.pointer);
        if (value === undefined || JSON.stringify(value).includes('"$unique"')) return before;
        const both = otherValues(around, field, value).map((other): TwoBodies => ({
          there: withValue(before.there, field.pointer, value),
          back: withValue(before.back, field.pointer, other),
        }));
        return both.find(isPossible) ?? before;
      },
      { there: accepted, back: accepted },
    );
}

function otherValues({ context }: BodyCaseContext, field: BodyField, value: Template): readonly Template[] {
  const types = allowedTypes(field);
  const values: readonly Template[] = [
    ...(types.includes("boolean") ? [true, false] : []),
    ...(enumValues(field) ?? []).map(toLiteral),
    ...schemaSamples(context, [field.schema]),
    ...(types.includes("integer") || types.includes("number") ? [1, 10] : []),
  ];
  return values.filter((each) => each !== null && JSON.stringify(each) !== JSON.stringify(value));
}

/** A field at the top that names no other object, and that every caller may change in each direction. */
function isPlainField({ fields, operation, context }: BodyCaseContext, field: BodyField): boolean {
  const [name = "", ...rest] = field.pointer;
  const conditions = [...operation.grants, ...operation.errors].flatMap(({ when }) => when?.changes ?? []);
  return (
    rest.length === 0 &&
    !field.readOnly &&
    field.property?.mutability === undefined &&
    !fields.some((each) => each.isReference && each.pointer[0] === name) &&
    !conditions.includes(name) &&
    !uniqueBodyFields(context.api, operation).includes(name) &&
    !allowedTypes(field).includes("object")
  );
}
