import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import { requirementIds } from "../../context/context.js";
import { prepareAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { callStep } from "../../requests/request-plan.js";
import { allowedTypes, enumValues, type BodyField } from "../../values/body-fields.js";
import { fieldMutator, schemaSamples, valueAt } from "../../values/body-mutations.js";
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
  const { there, back } = twoBodies(around);
  const sent = mergeBodies(acceptedBody, freshKeys(context, operation));
  const names = isPlainObject(sent) && isPlainObject(there) ? Object.keys({ ...sent, ...there }) : [];
  const same = names.flatMap(
    (name) => expectField(around, [name], { const: { $get: `first#/body/${escapePointerToken(name)}` } }) ?? [],
  );
  if (same.length === 0 || (there === back && !JSON.stringify(sent).includes('"$unique"'))) return [];
  const second = mergeBodies(sent, back);
  const changed = around.fields.flatMap((field) => {
    const value = valueAt(back, field.pointer);
    const stored = value === undefined ? undefined : expectedStoredValue(around, field, { body: second, value });
    return (stored !== undefined && expectField(around, field.pointer, matchingSchema(stored))) || [];
  });
  const steps: readonly Step[] = [
    ...own.setupSteps,
    { ...callStep(own, { body: mergeBodies(sent, there) }), as: "once" },
    { ...readStep(around), as: "first" },
    callStep(own, { body: second }),
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

/** Bodies with two different values of each field that depends on no other object. */
function twoBodies(around: BodyCaseContext): TwoBodies {
  const bare = { ...around, acceptedBody: {} };
  const objects = JSON.stringify(around.own.setupSteps);
  const isPossible = ({ there, back }: TwoBodies): boolean =>
    // Fields of another branch need another object.
    [there, back].every((body) => JSON.stringify(prepareAcceptable(bare, body)?.setupSteps) === objects) &&
    [[there], [there, back], [back, there]].every((updates) => !violatesStoredRule(around, updates));
  return around.fields
    .filter((field) => isPlainField(around, field))
    .reduce<TwoBodies>(
      (before, field) => {
        const there = bodyWithOnly(around, field);
        if (there === undefined || JSON.stringify(there).includes('"$unique"')) return before;
        const both = otherBodies(around, field, there).map((back): TwoBodies => ({
          there: mergeBodies(before.there, there),
          back: mergeBodies(before.back, back),
        }));
        return both.find(isPossible) ?? before;
      },
      { there: {}, back: {} },
    );
}

function otherBodies(around: BodyCaseContext, field: BodyField, there: Template): readonly Template[] {
  const place = fieldMutator({ ...around, acceptedBody: {} }, field);
  const types = allowedTypes(field);
  const values: readonly Template[] = [
    ...(types.includes("boolean") ? [true, false] : []),
    ...(enumValues(field) ?? []).map(toLiteral),
    ...schemaSamples(around.context, [field.schema]),
    ...(types.includes("integer") || types.includes("number") ? [1, 10] : []),
  ];
  const value = JSON.stringify(valueAt(there, field.pointer));
  return place === undefined
    ? []
    : values.filter((each) => each !== null && JSON.stringify(each) !== value).map(place.replaceWith);
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
