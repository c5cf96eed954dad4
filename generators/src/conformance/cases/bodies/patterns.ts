import type { Case, Template } from "@plumbline/conformance-runtime";
import { repetitionTexts } from "@plumbline/kit/codegen/patterns";
import { formatSamples } from "@plumbline/kit/codegen/values";
import { limitNames, ownValue } from "@plumbline/kit/model";
import { isAcceptable } from "../../requests/acceptable-body.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { statedKeyword, allowedTypes, type BodyField } from "../../values/body-fields.js";
import { schemaSamples, type FieldMutator } from "../../values/body-mutations.js";
import { evaluatePartially } from "../../values/partial-evaluation.js";
import { validateTemplate } from "../../values/template-validation.js";
import { textChanges } from "../../values/texts.js";
import { acceptedCases, fieldTitle, rejectedCases } from "./body-cases.js";
import { uniqueFieldPaths } from "./partial-updates.js";

/** Cases of formats and patterns: texts that narrowly violate them, and unusual valid texts. */
export function patternCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  if (!allowedTypes(field).includes("string")) return [];
  const texts = { ...formatTexts(context, field), ...patternTexts(context, field, place) };
  const name = fieldTitle(field);
  const repetitions = Object.entries(repetitionsOf(context, field));
  const caseOf = ([what, text]: readonly [string, string]) => {
    const about = {
      kind: "formats",
      idParts: [name, what],
      title: `${name}: ${JSON.stringify(text).slice(0, 60)}`,
      requirements: field.requirements,
    } as const;
    const body = place.replaceWith(text);
    return isAcceptable(context, body, field)
      ? { fits: true, cases: acceptedCases(context, body, { ...about, title: `${about.title} is accepted`, field }) }
      : { fits: false, cases: rejectedCases(context, body, { ...about, title: `${about.title} is rejected` }) };
  };
  const cases = Object.entries(texts).map(caseOf);
  return [
    ...cases.filter(({ fits }) => fits).slice(0, maxValidTexts),
    ...cases.filter(({ fits }) => !fits).slice(0, maxInvalidTexts),
    ...repetitions.map(caseOf),
  ].flatMap((each) => each.cases);
}

const maxValidTexts = 5;
const maxInvalidTexts = 17;

/** Texts at the bounds of the pattern's repetitions. A unique value cannot be a constant, so only invalid ones are sent. */
function repetitionsOf(around: BodyCaseContext, field: BodyField): Readonly<Record<string, string>> {
  const { context } = around;
  const isUnique = field.pointer.length === 1 && uniqueFieldPaths(around).includes(field.pointer[0] ?? "");
  const choices = field.layers.flatMap((part) => [part, ...(part.anyOf ?? []), ...(part.oneOf ?? [])]);
  const patterns = new Set(choices.flatMap(({ pattern }) => pattern ?? []));
  const texts = [...patterns].flatMap((pattern) => Object.entries(repetitionTexts(pattern)));
  const isValid = (text: string): boolean =>
    validateTemplate(context, field.schema, text satisfies Template, "validated").length === 0;
  return Object.fromEntries(
    texts.filter(([, text]) => !isUnique || !isValid(text)).map(([what, text]) => [`repeated-${what}`, text] as const),
  );
}

function formatTexts({ context }: BodyCaseContext, field: BodyField): Readonly<Record<string, string>> {
  const formats = formatsOf(field);
  return Object.fromEntries(
    formats.flatMap((format) => {
      const { valid = {}, invalid = {} } = ownValue(formatSamples, format) ?? {};
      // A text that one branch rejects may be valid in another.
      const fits = (text: string): boolean => validateTemplate(context, field.schema, text, "validated").length === 0;
      return [
        ...Object.entries(invalid).filter(([, text]) => !fits(text)),
        ...Object.entries(valid).filter(([, text]) => fits(text)),
      ].map(([what, text]) => [`${format}-${what}`, text] as const);
    }),
  );
}

function formatsOf({ layers }: BodyField): readonly string[] {
  const choices = layers.flatMap((part) => [part, ...(part.anyOf ?? []), ...(part.oneOf ?? [])]);
  return [...new Set(choices.flatMap(({ format }) => format ?? []))];
}

function patternTexts(
  around: BodyCaseContext,
  field: BodyField,
  { validValues }: FieldMutator,
): Readonly<Record<string, string>> {
  const isStated = statedKeyword(field, "pattern") !== undefined;
  const isInChoice = field.layers.some(({ anyOf = [], oneOf = [] }) =>
    [...anyOf, ...oneOf].some(({ pattern }) => pattern !== undefined),
  );
  if (!isStated && !isInChoice) return {};
  const { context } = around;
  const texts = [validValues, ...schemaSamples(context, [field.schema])].map(evaluatePartially);
  const text = texts.find((each) => typeof each === "string" && each !== "");
  if (typeof text !== "string") return {};
  // Lengths have separate cases.
  const length = new Set<string>(limitNames("characters"));
  // A text that violates the pattern of one choice may match another, so one change is enough.
  const changes = Object.entries(textChanges(text)).slice(0, isStated && text === texts[0] ? undefined : 1);
  return Object.fromEntries(
    changes.filter(([, each]) =>
      validateTemplate(context, field.schema, each satisfies Template, "validated").every(
        ({ keyword }) => !length.has(keyword),
      ),
    ),
  );
}
