import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Json } from "../model/api.js";
import { enumOf, said, typesOf, type BodyField } from "./body-fields.js";
import { absentValue, likenessOf } from "./shown-values.js";
import { literalOf } from "./samples.js";
import { samplesOf, type Place } from "./placing.js";
import {
  accepted,
  acceptedCase,
  nameOfField,
  reading,
  refused,
  sentAndRead,
  showing,
  type Around,
} from "./shape-cases.js";
import { calling } from "./plans.js";
import { standingOf } from "./stored-forms.js";

/** Cases of values of each wrong type. */
export function typeCases(around: Around, field: BodyField, { good, put }: Place): readonly Case[] {
  const types = typesOf(field);
  if (types.length === 0) return [];
  const name = nameOfField(field);
  return Object.entries(wrongValues(types, good)).flatMap(([about, value]) =>
    refused(around, put(value), {
      kind: "types",
      about: [name, about],
      title: `${name}: ${words[about] ?? about} is rejected`,
      requirements: field.requirements,
    }),
  );
}

function wrongValues(types: readonly string[], good: Template): Readonly<Record<string, Template>> {
  const takes = (...of: readonly string[]): boolean => of.some((type) => types.includes(type));
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

const words: Readonly<Record<string, string>> = {
  text: "a text",
  number: "a number",
  fraction: "a number that is not an integer",
  boolean: "true",
  list: "a list",
  object: "an object",
};

/** Cases of enums: each value, an unknown one, and one in other letter case. */
export function enumCases(around: Around, field: BodyField, { put, fit }: Place): readonly Case[] {
  const name = nameOfField(field);
  const constant = said(field, "const");
  const values = enumOf(field) ?? (constant === undefined ? [] : [constant]);
  const texts = values.filter((each) => typeof each === "string");
  const about = (what: string, says: string) =>
    ({ kind: "enums", about: [name, what], title: `${name}: ${says}`, requirements: field.requirements }) as const;
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
        accepted(around, fit(literalOf(value)) ?? put(literalOf(value)), {
          ...about(`value-${textOf(value)}`, `${textOf(value)} is accepted`),
          field,
        }),
      ),
    ...others.flatMap(([what, value, says]) => refused(around, put(value), about(what, says))),
  ];
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Cases of null: accepted, counted as absent, or rejected. */
export function nullCases(around: Around, field: BodyField, { good, put }: Place): readonly Case[] {
  const name = nameOfField(field);
  const types = typesOf(field);
  const about = (says: string) =>
    ({ kind: "nulls", about: [name, "null"], title: `${name}: ${says}`, requirements: field.requirements }) as const;
  const body = put(null);
  if (types.length === 0) return [];
  const standing = standingOf(around, body);
  if (standing === undefined)
    return refused(around, body, about(field.required ? "null is rejected for a required field" : "null is rejected"));
  if (types.includes("null")) {
    // An update may be validated only where it differs from the stored object.
    const isChange = around.operation.method !== "POST" && good !== null && !field.pointer.includes("*");
    const first = isChange ? { first: put(filled(around, field, good)) } : {};
    return accepted(around, body, { ...about("null is accepted"), field, ...first });
  }
  const steps = field.pointer.includes("*")
    ? sentAndRead(around, standing.body, undefined)
    : nothingSent(around, field, standing.body);
  return [acceptedCase(around, about("null counts as absent"), [...standing.before, ...steps])];
}

/** A list with an item, if one is possible. */
function filled({ context }: Around, { parts }: BodyField, good: Template): Template {
  const items = parts.flatMap((part) => part.items ?? []).slice(0, 1);
  const [item] = JSON.stringify(good) === "[]" && items.length > 0 ? samplesOf(context, items) : [];
  return item === undefined ? good : [item];
}

/** An update keeps the stored value; a creation uses the default. */
function nothingSent(around: Around, field: BodyField, body: Template) {
  const { read, operation, own } = around;
  if (operation.method === "POST") {
    const value = absentValue(field);
    const isNested = field.pointer.length > 1;
    const shown =
      value === undefined || isNested ? undefined : showing(around, field.pointer, likenessOf(literalOf(value)));
    return sentAndRead(around, body, shown);
  }
  const before = read === undefined ? undefined : showing(around, field.pointer, true);
  if (before === undefined) return sentAndRead(around, body, undefined);
  const kept = showing(around, field.pointer, { const: { $get: `before#/body/${field.pointer.join("/")}` } });
  return [
    { ...reading(around), as: "before" },
    calling(own, { body }),
    { ...reading(around), ...(kept === undefined ? {} : { expect: { body: kept } }) },
  ];
}

/** Cases without a required field. */
export function requiredCases(around: Around, field: BodyField, { without }: Place): readonly Case[] {
  const name = nameOfField(field);
  if (field.property === undefined) return [];
  return refused(around, without(), {
    kind: "required",
    about: [name, "left-out"],
    title: `${name}: a body without it is rejected`,
    requirements: field.requirements,
  });
}
