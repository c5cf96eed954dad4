import type { Case, Template } from "@plumbline/conformance-runtime";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { allowedTypes, enumValues, type BodyField } from "../../values/body-fields.js";
import { schemaSamples, valueAt, withValue, type FieldMutator } from "../../values/body-mutations.js";
import { isTemplateList } from "../../values/partial-evaluation.js";
import { validateTemplate } from "../../values/template-validation.js";
import { rejectedCases } from "./body-cases.js";

/** Cases of the second item of a list: each of its fields is validated as those of the first item. */
export function laterItemCases(around: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  return field.pointer.flatMap((token, at) => {
    if (token !== "*") return [];
    const body = place.replaceWith(place.validValues);
    for (const value of invalidValues(around, field)) {
      const sent = withSecondItem(body, { field, at, value });
      const issues = sent === undefined ? [] : validateTemplate(around.context, around.schema, sent, around.nulls);
      const isOnlySecond = issues.length > 0 && issues.every(({ path }) => path[at] === "1");
      if (sent === undefined || !isOnlySecond) continue;
      const name = field.pointer.map((each, index) => (each === "*" ? (index === at ? "1" : "0") : each)).join(".");
      return rejectedCases(around, sent, {
        kind: "bounds",
        idParts: [name, "second-invalid"],
        title: `${name}: ${JSON.stringify(value).slice(0, 40)} is rejected in the second item, too`,
        requirements: field.requirements,
      });
    }
    return [];
  });
}

/** The list at `*` with its first item unchanged, and an item that differs from it in the field. */
function withSecondItem(
  body: Template,
  { field, at, value }: { readonly field: BodyField; readonly at: number; readonly value: Template },
): Template | undefined {
  const list = valueAt(body, field.pointer.slice(0, at));
  const [first, second = first, ...others] = isTemplateList(list) ? list : [];
  if (first === undefined || second === undefined) return undefined;
  return withValue(body, field.pointer.slice(0, at), [
    first,
    withValue(second, field.pointer.slice(at + 1), value),
    ...others,
  ]);
}

/** Values that look right but are not, then values of another type. */
function invalidValues({ context }: BodyCaseContext, field: BodyField): readonly Template[] {
  const types = allowedTypes(field);
  const isNumber = types.includes("integer") || types.includes("number");
  const texts = types.includes("string") && enumValues(field) === undefined ? ["!", "", "x".repeat(300)] : [];
  const others: readonly Template[] = [
    ...(isNumber ? [-1, 1e9] : []),
    ...texts,
    "no-such-value",
    { not: "of this type" },
  ];
  const samples = schemaSamples(context, [field.schema]);
  return others.filter((each) => !samples.some((sample) => JSON.stringify(sample) === JSON.stringify(each)));
}
