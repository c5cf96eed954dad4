import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Schema } from "@plumbline/kit/model";
import { requirementIds } from "../../context/context.js";
import type { BodyPreparation } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { createdObjectName, creationSteps } from "../../requests/reference-bodies.js";
import { fieldMutator, schemaSamples, valueAt, withValue } from "../../values/body-mutations.js";
import { isPlainObject } from "../../values/partial-evaluation.js";
import { unconditionalLayers } from "../../values/schema-layers.js";
import { rejectedCases } from "./body-cases.js";
import { bodyObjectId, type BodyObject, fieldAt } from "./body-objects.js";
import { conditionalCases } from "./conditional.js";
import { oneOfCases } from "./one-of.js";

/** Cases of rules across fields: branches, conditions and dependent fields. */
export function conditionCases(context: BodyCaseContext): readonly Case[] {
  const { schema, fields, acceptedBody } = context;
  const objects = fields.filter(({ layers }) => layers.some(({ properties }) => properties !== undefined)).slice(0, 40);
  const nested = objects.flatMap((field) => {
    const place = field.pointer.at(-1) === "*" || !field.readOnly ? fieldMutator(context, field) : undefined;
    return place === undefined
      ? []
      : fieldConditionCases(context, {
          schema: field.schema,
          pointer: field.pointer,
          body: place.replaceWith(place.validValues),
          requirements: field.requirements,
        });
  });
  return [
    ...fieldConditionCases(context, { schema, pointer: [], body: acceptedBody, requirements: context.requirements }),
    ...nested,
  ];
}

function fieldConditionCases(context: BodyCaseContext, bodyObject: BodyObject): readonly Case[] {
  const always = unconditionalLayers(context.context, bodyObject.schema);
  return [
    ...always.flatMap((part) => (part.oneOf === undefined ? [] : oneOfCases(context, bodyObject, part, part.oneOf))),
    ...always.flatMap((part) => (part.anyOf === undefined ? [] : oneOfCases(context, bodyObject, part, part.anyOf))),
    ...always.flatMap((part) => dependentRequiredCases(context, bodyObject, part)),
    ...always.flatMap((part) => excludedFieldCases(context, bodyObject, part)),
    ...always.flatMap((part) => conditionalCases(context, bodyObject, { part })),
    ...always.flatMap((part) => notCases(context, bodyObject, part)),
    ...always.flatMap((part) => nameCases(context, bodyObject, part)),
  ];
}

/** Cases of `dependentRequired`. */
function dependentRequiredCases(context: BodyCaseContext, bodyObject: BodyObject, part: Schema): readonly Case[] {
  return Object.entries(part.dependentRequired ?? {}).flatMap(([name, needed]) =>
    needed.flatMap((other) => {
      const field = fieldAt(context, bodyObject, name);
      const whole = field && bodyWith(context, bodyObject, [name, ...needed]);
      if (field === undefined || whole === undefined) return [];
      const body = withValue(whole, [...bodyObject.pointer, other], undefined);
      return rejectedCases(context, body, {
        kind: "conditions",
        idParts: [...bodyObjectId(bodyObject), `${name}-without-${other}`],
        title: `${name} without ${other} is rejected`,
        requirements: [...new Set([...field.requirements, ...requirementIds(part.sources)])],
      });
    }),
  );
}

/** Cases of fields that another field excludes or restricts. */
function excludedFieldCases(context: BodyCaseContext, bodyObject: BodyObject, part: Schema): readonly Case[] {
  return Object.entries(part.dependentSchemas ?? {}).flatMap(([name, of]) =>
    (of.properties ?? []).flatMap(({ name: other }) => {
      const field = fieldAt(context, bodyObject, name);
      const place = field && bodyWith(context, bodyObject, [other]);
      const [value] = field === undefined ? [] : schemaSamples(context.context, [field.schema]);
      if (field === undefined || place === undefined || value === undefined) return [];
      const stated = requirementIds([of, part].flatMap(({ sources = [] }) => sources));
      return rejectedCases(context, withValue(place, [...bodyObject.pointer, name], value), {
        kind: "conditions",
        idParts: [...bodyObjectId(bodyObject), `${name}-with-${other}`],
        title: `${name} with this ${other} is rejected`,
        requirements: [...new Set([...field.requirements, ...stated])],
      });
    }),
  );
}

/** A body with these fields: a valid one if one is found, else one in which each value is valid by itself. */
function bodyWith(context: BodyCaseContext, bodyObject: BodyObject, names: readonly string[]): Template | undefined {
  const [first] = names.map((name) => fieldAt(context, bodyObject, name));
  const place = first && fieldMutator(context, first);
  if (place !== undefined) return place.replaceWith(place.validValues);
  const values = names.map((name) => {
    const field = fieldAt(context, bodyObject, name);
    return [name, field && schemaSamples(context.context, [field.schema])[0]] as const;
  });
  if (values.some(([, value]) => value === undefined)) return undefined;
  return values.reduce((body, [name, value]) => withValue(body, [...bodyObject.pointer, name], value), bodyObject.body);
}

/** Cases of `not`. */
function notCases(context: BodyCaseContext, bodyObject: BodyObject, part: Schema): readonly Case[] {
  if (part.not === undefined) return [];
  const stated = requirementIds([part.not, part].flatMap(({ sources = [] }) => sources));
  const base = valueAt(bodyObject.body, bodyObject.pointer);
  const fields = isPlainObject(base) ? base : {};
  return schemaSamples(context.context, [part.not])
    .flatMap((sample): readonly Template[] => (isPlainObject(sample) ? [{ ...fields, ...sample }] : [sample]))
    .slice(0, 1)
    .flatMap((value) => {
      const body = withValue(bodyObject.body, bodyObject.pointer, value);
      return rejectedCases(context, body, {
        kind: "conditions",
        idParts: [...bodyObjectId(bodyObject), "of-a-kind-that-is-not-allowed"],
        title: `${bodyObjectId(bodyObject).join(".") || "the body"}: a value that "not" excludes is rejected`,
        requirements: stated.length === 0 ? bodyObject.requirements : stated,
        // A server may reject an unknown reference for another reason.
        sent: withReferredObjects(context, bodyObject, body),
      });
    });
}

/** The body with references to objects that exist, and the steps that create them. */
function withReferredObjects(around: BodyCaseContext, { pointer }: BodyObject, body: Template): BodyPreparation {
  const { context, fields, shared } = around;
  const outers = shared.setupSteps.flatMap((step) => ("make" in step ? [[step.make, step.as] as const] : []));
  return fields.reduce<BodyPreparation>(
    (before, { pointer: path, layers }) => {
      const reference = layers.find((part) => part.reference !== undefined)?.reference;
      const isWithin = path.length === pointer.length + 1 && pointer.every((token, index) => path[index] === token);
      if (!isWithin || reference === undefined || valueAt(body, path) === undefined) return before;
      const as = createdObjectName(reference.to);
      const steps = creationSteps(context, { resource: reference.to, as, parents: Object.fromEntries(outers) });
      return steps === undefined
        ? before
        : {
            setupSteps: [...before.setupSteps, ...steps],
            body: withValue(before.body, path, { $get: `${as}#/${reference.by ?? "id"}` }),
          };
    },
    { setupSteps: [], body },
  );
}

/** Cases of `propertyNames`. */
function nameCases(context: BodyCaseContext, bodyObject: BodyObject, part: Schema): readonly Case[] {
  if (part.propertyNames === undefined) return [];
  const stated = requirementIds(part.propertyNames.sources);
  const [sample] = schemaSamples(
    context.context,
    (part.properties ?? [])
      .slice(0, 1)
      .map(({ schema }) => schema)
      .concat(part.additionalProperties ?? [])
      .slice(0, 1)
      .concat(part.propertyNames)
      .slice(0, 1),
  );
  return rejectedCases(context, withValue(bodyObject.body, [...bodyObject.pointer, "another_name"], sample ?? "text"), {
    kind: "conditions",
    idParts: [...bodyObjectId(bodyObject), "another-name"],
    title: `${bodyObjectId(bodyObject).join(".") || "the body"}: a field with an invalid name is rejected`,
    requirements: stated.length === 0 ? bodyObject.requirements : stated,
  });
}
