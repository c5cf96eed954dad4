import type { Template } from "@plumbline/conformance-runtime";
import { type Expression, findJsonContent } from "@plumbline/kit/model";
import { requirementIds } from "../../context/context.js";
import { type BodyCaseContext } from "../../requests/body-request.js";
import { absentValue, bodyWithDefaults, type ExpressionLookup } from "../../values/absent-values.js";
import { bodyFieldsOf, type BodyField } from "../../values/body-fields.js";
import { valueAt } from "../../values/body-mutations.js";
import { expectedStoredValue, matchingSchema } from "../../values/expected-values.js";
import { isPlainObject, isTemplateList } from "../../values/partial-evaluation.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { isFieldInResponse } from "../bodies/body-cases.js";
import { derivedValue } from "../bodies/normalized-values.js";

/** A field of a response with its expected value. */
export interface ExpectedField {
  readonly pointer: readonly string[];
  readonly value: Template;
  readonly requirements: readonly string[];
}

/** One schema for all fields, whose objects are nested as those of the response. */
export function expectedFieldsSchema(fields: readonly ExpectedField[]): Template {
  const leaf = fields.find(({ pointer }) => pointer.length === 0);
  if (leaf !== undefined) return matchingSchema(leaf.value);
  const names = [...new Set(fields.map(({ pointer }) => pointer[0] ?? ""))];
  const inner = names.map((name) => {
    const within = fields.filter(({ pointer }) => pointer[0] === name);
    return [name, expectedFieldsSchema(within.map((each) => ({ ...each, pointer: each.pointer.slice(1) })))] as const;
  });
  return { type: "object", required: names, properties: Object.fromEntries(inner) };
}

/** The fields of the body that responses show, given ones and defaults. */
export function expectedFields(around: BodyCaseContext, body: Template): readonly ExpectedField[] {
  const { context, fields, read, responseSchema } = around;
  const lookup = lookupOf(around, body);
  const filled = bodyWithDefaults(around, fields, { body, lookup });
  const other = read?.operation.responses.find(({ status }) => status === 200);
  const readSchema = other && findJsonContent(other.contents)?.schema;
  const schemas = [responseSchema, readSchema].filter((each) => each !== undefined);
  return fields.flatMap((field): readonly ExpectedField[] => {
    if (field.readOnly || field.pointer.includes("*")) return [];
    const filledValue = valueAt(filled, field.pointer);
    // The fields of an object are compared one by one.
    if (filledValue === undefined || filledValue === null || isPlainObject(filledValue)) return [];
    const isGiven = valueAt(body, field.pointer) !== undefined;
    const stored = isGiven ? expectedStoredValue(around, field, { body, value: filledValue }) : filledValue;
    const value = stored === undefined ? undefined : repeatable(stored, field);
    if (value === undefined) return [];
    if (!schemas.every((schema) => isFieldInResponse(context, [schema], field.pointer))) return [];
    const stated = requirementIds(field.property?.schema.sources);
    return [{ pointer: field.pointer, value, requirements: stated.length === 0 ? field.requirements : stated }];
  });
}

/** A unique value is that of the request. */
function repeatable(value: Template, { pointer }: BodyField): Template | undefined {
  if (!JSON.stringify(value).includes('"$unique"')) return value;
  return isTemplateList(value)
    ? undefined
    : { $get: `answer#/request/body/${pointer.map(escapePointerToken).join("/")}` };
}

/** Initial values that no request sets, such as thresholds. They may depend on other values of the response. */
export function platformDefaults(around: BodyCaseContext, body: Template): readonly ExpectedField[] {
  const { context, responseSchema, fields } = around;
  if (responseSchema === undefined) return [];
  const sent = new Set(fields.map(({ pointer }) => pointer.join("/")));
  return bodyFieldsOf(context, responseSchema, []).flatMap((field): readonly ExpectedField[] => {
    if (field.pointer.includes("*") || sent.has(field.pointer.join("/"))) return [];
    const rule = field.layers.flatMap(({ valueRules = [] }) => valueRules).find(({ absent }) => absent === true);
    if (rule === undefined || rule.when !== undefined) return [];
    const value =
      rule.set?.kind === "from" && rule.set.from.root === "relative"
        ? derivedFromResponse(field, rule.set)
        : absentValue(around, field, { body, lookup: () => undefined });
    return value === undefined ? [] : [{ pointer: field.pointer, value, requirements: field.requirements }];
  });
}

function derivedFromResponse(
  { pointer }: BodyField,
  { from, times }: { readonly from: Expression; readonly times?: number },
): Template {
  const way = [...pointer.slice(0, pointer.length - Number(from.part)), ...from.pointer];
  const value = { $get: `answer#/body/${way.map(escapePointerToken).join("/")}` };
  return times === undefined ? value : { $sum: { $list: [value, times] } };
}

export function lookupOf(around: BodyCaseContext, body: Template): ExpressionLookup {
  return (from) => derivedValue(around, body, from);
}
