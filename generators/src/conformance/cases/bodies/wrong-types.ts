import type { Case, Template } from "@plumbline/conformance-runtime";
import { ownValue, type Json } from "@plumbline/kit/model";
import { prepareAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { callStep } from "../../requests/request-plan.js";
import { enumValues, statedKeyword, allowedTypes, type BodyField } from "../../values/body-fields.js";
import { schemaSamples, type FieldMutator } from "../../values/body-mutations.js";
import { defaultValue, matchingSchema } from "../../values/expected-values.js";
import { toLiteral } from "../../values/samples.js";
import {
  acceptedCases,
  createAcceptedCase,
  fieldTitle,
  readStep,
  rejectedCases,
  sendAndRead,
  expectField,
} from "./body-cases.js";

/** Cases of values of each wrong type. */
export function typeCases(
  context: BodyCaseContext,
  field: BodyField,
  { validValues, replaceWith }: FieldMutator,
): readonly Case[] {
  const types = allowedTypes(field);
  if (types.length === 0) return [];
  const name = fieldTitle(field);
  return Object.entries(wrongValues(types, validValues)).flatMap(([about, value]) =>
    rejectedCases(context, replaceWith(value), {
      kind: "types",
      idParts: [name, about],
      title: `${name}: ${ownValue(typeNames, about) ?? about} is rejected`,
      requirements: field.requirements,
    }),
  );
}

function wrongValues(types: readonly string[], good: Template): Readonly<Record<string, Template>> {
  const takes = (...alternatives: readonly string[]): boolean => alternatives.some((type) => types.includes(type));
  return {
    ...(takes("string")
      ? {}
      : {
          text: takes("integer", "number")
            ? String(typeof good === "number" ? good : 1)
            : takes("boolean")
              ? "true"
              : "text",
        }),
    ...(takes("integer", "number") ? {} : { number: takes("boolean") ? 1 : 12345 }),
    ...(takes("integer") && !takes("number") ? { fraction: 1.5 } : {}),
    ...(takes("boolean") ? {} : { boolean: true }),
    ...(takes("array") ? {} : { list: takes("object") ? [] : [good] }),
    ...(takes("object") ? {} : { object: {} }),
  };
}

const typeNames: Readonly<Record<string, string>> = {
  text: "a text",
  number: "a number",
  fraction: "a number that is not an integer",
  boolean: "true",
  list: "a list",
  object: "an object",
};

/** Cases of enums: each value, an unknown one, and one in other letter case. */
export function enumCases(
  context: BodyCaseContext,
  field: BodyField,
  { replaceWith, findBodyWith }: FieldMutator,
): readonly Case[] {
  const name = fieldTitle(field);
  const constant = statedKeyword(field, "const");
  const values = enumValues(field) ?? (constant === undefined ? [] : [constant]);
  const texts = values.filter((each) => typeof each === "string");
  const about = (what: string, says: string) =>
    ({ kind: "enums", idParts: [name, what], title: `${name}: ${says}`, requirements: field.requirements }) as const;
  const [first] = texts;
  const tried = values.length > 16 ? [...values.slice(0, 8), ...values.slice(-8)] : values;
  const others =
    first === undefined
      ? []
      : [
          ["another-value", `${first}x`, "an unknown value is rejected"] as const,
          ...[first.toUpperCase(), first.toLowerCase()]
            .filter((each) => !texts.includes(each))
            .slice(0, 1)
            .map((each) => ["other-letters", each, "a value in other letter case is rejected"] as const),
          ["blank-after", `${first} `, "a value with a trailing space is rejected"] as const,
        ];
  return [
    ...tried
      .filter((each) => each !== null)
      .flatMap((value) =>
        acceptedCases(context, findBodyWith(toLiteral(value)) ?? replaceWith(toLiteral(value)), {
          ...about(`value-${textOf(value)}`, `${textOf(value)} is accepted`),
          field,
        }),
      ),
    ...others.flatMap(([what, value, says]) => rejectedCases(context, replaceWith(value), about(what, says))),
  ];
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Cases of null: accepted, counted as absent, or rejected. */
export function nullCases(
  context: BodyCaseContext,
  field: BodyField,
  { validValues, replaceWith }: FieldMutator,
): readonly Case[] {
  const name = fieldTitle(field);
  const types = allowedTypes(field);
  const about = (says: string) =>
    ({ kind: "nulls", idParts: [name, "null"], title: `${name}: ${says}`, requirements: field.requirements }) as const;
  const body = replaceWith(null);
  if (types.length === 0) return [];
  const standing = prepareAcceptable(context, body);
  if (standing === undefined)
    return rejectedCases(
      context,
      body,
      about(field.required ? "null is rejected for a required field" : "null is rejected"),
    );
  if (types.includes("null")) {
    // An update may be validated only where it differs from the stored object.
    const isChange = context.operation.method !== "POST" && validValues !== null && !field.pointer.includes("*");
    const initial = isChange ? { initialBody: replaceWith(filled(context, field, validValues)) } : {};
    return acceptedCases(context, body, { ...about("null is accepted"), field, ...initial });
  }
  const steps = field.pointer.includes("*")
    ? sendAndRead(context, standing.body, undefined)
    : nothingSent(context, field, standing.body);
  return [createAcceptedCase(context, about("null counts as absent"), [...standing.setupSteps, ...steps])];
}

/** A list with an item, if one is possible. */
function filled({ context }: BodyCaseContext, { layers }: BodyField, good: Template): Template {
  const items = layers.flatMap((part) => part.items ?? []).slice(0, 1);
  const [item] = JSON.stringify(good) === "[]" && items.length > 0 ? schemaSamples(context, items) : [];
  return item === undefined ? good : [item];
}

/** An update keeps the stored value; a creation uses the default. */
function nothingSent(context: BodyCaseContext, field: BodyField, body: Template) {
  const { read, operation, own } = context;
  if (operation.method === "POST") {
    const value = defaultValue(field);
    const isNested = field.pointer.length > 1;
    const expected =
      value === undefined || isNested
        ? undefined
        : expectField(context, field.pointer, matchingSchema(toLiteral(value)));
    return sendAndRead(context, body, expected);
  }
  const before = read === undefined ? undefined : expectField(context, field.pointer, true);
  if (before === undefined) return sendAndRead(context, body, undefined);
  const unchanged = expectField(context, field.pointer, { const: { $get: `before#/body/${field.pointer.join("/")}` } });
  return [
    { ...readStep(context), as: "before" },
    callStep(own, { body }),
    { ...readStep(context), ...(unchanged === undefined ? {} : { expect: { body: unchanged } }) },
  ];
}

/** Cases without a required field. */
export function requiredCases(
  context: BodyCaseContext,
  field: BodyField,
  { withoutField }: FieldMutator,
): readonly Case[] {
  const name = fieldTitle(field);
  if (field.property === undefined) return [];
  return rejectedCases(context, withoutField(), {
    kind: "required",
    idParts: [name, "left-out"],
    title: `${name}: a body without it is rejected`,
    requirements: field.requirements,
  });
}
