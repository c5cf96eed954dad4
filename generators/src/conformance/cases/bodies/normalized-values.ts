import type { Case, Step, Template } from "@plumbline/conformance-runtime";
import type { Expression, ValueRule } from "@plumbline/kit/model";
import { requirementIds } from "../../context/context.js";
import { isAcceptable, prepareAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { callStep } from "../../requests/request-plan.js";
import { absentValue } from "../../values/absent-values.js";
import { statedKeyword, type BodyField } from "../../values/body-fields.js";
import { schemaSamples, valueAt, withValue, type FieldMutator } from "../../values/body-mutations.js";
import { defaultValue, matchingSchema, roundValue, expectedStoredValue } from "../../values/expected-values.js";
import { escapePointerToken } from "../../values/pointer-token.js";
import { validateTemplate } from "../../values/template-validation.js";
import { acceptedCases, createAcceptedCase, fieldTitle, readStep, sendAndRead, expectField } from "./body-cases.js";

/** Cases of normalized values: absent, rounded, escaped, and special values. */
export function valueCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  return [...absentCases(context, field, place), ...ruleCases(context, field, place)];
}

/** Cases of defaults: a created object shows the default of an absent field. */
function absentCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const { operation } = context;
  if (operation.method !== "POST" || field.required || field.pointer.includes("*")) return [];
  const body = place.withoutField();
  const standing = prepareAcceptable(context, body);
  if (standing === undefined) return [];
  const constant = defaultValue(field);
  const value = absentValue(context, field, {
    body: standing.body,
    lookup: (from) => derivedValue(context, standing.body, from),
  });
  const expected = value === undefined ? undefined : expectField(context, field.pointer, matchingSchema(value));
  if (expected === undefined) return [];
  const name = fieldTitle(field);
  const stated = requirementIds(field.property?.schema.sources);
  return [
    createAcceptedCase(
      context,
      {
        kind: "values",
        idParts: [name, "left-out"],
        title: `${name}: absent, it is shown as ${constant === undefined ? "its derived default" : JSON.stringify(constant).slice(0, 60)}`,
        requirements: stated.length === 0 ? field.requirements : stated,
      },
      [...standing.setupSteps, ...sendAndRead(context, standing.body, expected)],
    ),
  ];
}

/** A value of another object or of another body field. Undefined when only the server knows it. */
export function derivedValue(
  { own, context }: BodyCaseContext,
  body: Template,
  from: Expression,
): Template | undefined {
  if (from.root === "target") {
    const name = Object.values(own.names).at(-1);
    return name === undefined ? undefined : { $get: `${name}#/${tokens(from)}` };
  }
  if (from.root === "request" && from.part === "body") return valueAt(body, from.pointer);
  if (from.root === "refs") {
    const value = valueAt(body, [from.part ?? from.name ?? ""]);
    const text = typeof value === "object" && value !== null && "$get" in value ? value["$get"] : undefined;
    const [bound] = typeof text === "string" ? text.split("#") : [];
    return bound === undefined || context.settings.fixtures[capitalised(bound)] === undefined
      ? undefined
      : { $get: `${bound}#/${tokens(from)}` };
  }
  return undefined;
}

function capitalised(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function tokens({ pointer }: Expression): string {
  return pointer.map(escapePointerToken).join("/");
}

/** Cases of each normalization rule. */
function ruleCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  return (statedKeyword(field, "valueRules") ?? []).flatMap((rule, index) => {
    if (rule.absent) return [];
    if (rule.round !== undefined && rule.to !== undefined)
      return roundCases(context, field, place, { round: rule.round, to: rule.to });
    if (rule.escape !== undefined) return escapeCases(context, field, place);
    return specialValueCases(context, field, place, { rule, index });
  });
}

function roundCases(
  context: BodyCaseContext,
  field: BodyField,
  place: FieldMutator,
  { round, to }: { readonly round: "up" | "nearest"; readonly to: readonly number[] },
): readonly Case[] {
  const steps = to.toSorted((a, b) => a - b);
  const [first = 0, second = first] = steps;
  const last = steps.at(-1) ?? first;
  const middle = Math.floor((first + second) / 2);
  const sent = new Set([
    1,
    first - 1,
    first,
    first + 1,
    middle - 1,
    middle,
    middle + 1,
    second - 1,
    second,
    second + 1,
    last,
    last + 1,
    ...steps,
  ]);
  const name = fieldTitle(field);
  return [...sent]
    .filter((value) => value > 0)
    .flatMap((value) =>
      acceptedCases(context, place.replaceWith(value), {
        kind: "values",
        idParts: [name, `rounded-${value}`],
        title: `${name}: ${value} is stored as ${roundValue(value, round, to)}`,
        requirements: field.requirements,
        field,
      }),
    );
}

function escapeCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const name = fieldTitle(field);
  const texts = ["Café 1", "中文 2", "plain 3"];
  return texts.flatMap((text) =>
    acceptedCases(context, place.replaceWith(text), {
      kind: "values",
      idParts: [name, `escaped-${text.slice(-1)}`],
      title: `${name}: ${JSON.stringify(text)} is stored with escapes beyond ASCII`,
      requirements: field.requirements,
      field,
    }),
  );
}

/** A value that stands for another one, or counts as absent. */
function specialValueCases(
  around: BodyCaseContext,
  field: BodyField,
  place: FieldMutator,
  { rule, index }: { readonly rule: ValueRule; readonly index: number },
): readonly Case[] {
  const { context, own, read } = around;
  const { matches, set } = rule;
  if (matches === undefined) return [];
  const name = fieldTitle(field);
  const about = {
    kind: "values",
    idParts: [name, `rule-${index + 1}`],
    requirements: field.requirements,
  } as const;
  const bodies = schemaSamples(context, [matches, field.schema])
    .concat(schemaSamples(context, [matches]))
    .map((value) => ({ value, body: place.replaceWith(value) }));
  const fitting = bodies.find(({ value, body }) => {
    const isKnown = set?.kind === "ignore" || expectedStoredValue(around, field, { body, value }) !== undefined;
    return isKnown && validateTemplate(context, matches, value, "validated").length === 0 && isAcceptable(around, body);
  });
  if (fitting === undefined) return [];
  const expected = expectedStoredValue(around, field, fitting);
  const says = JSON.stringify(fitting.value).slice(0, 40);
  if (expected !== undefined)
    return acceptedCases(around, fitting.body, {
      ...about,
      title: `${name}: ${says} is shown as ${JSON.stringify(expected).slice(0, 40)}`,
      field,
    });
  if (set?.kind !== "ignore" || read === undefined || around.operation.method === "POST") return [];
  const unchanged = expectField(around, field.pointer, {
    const: { $get: `before#/body/${field.pointer.map(escapePointerToken).join("/")}` },
  });
  if (unchanged === undefined) return [];
  const steps: readonly Step[] = [
    ...(prepareAcceptable(around, fitting.body)?.setupSteps ?? own.setupSteps),
    { ...readStep(around), as: "before" },
    callStep(own, { body: withValue(fitting.body, field.pointer, fitting.value) }),
    { ...readStep(around), expect: { body: unchanged } },
  ];
  return [createAcceptedCase(around, { ...about, title: `${name}: ${says} keeps the stored value` }, steps)];
}
