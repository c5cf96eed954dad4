import type { Case, Template } from "@plumbline/conformance-runtime";
import { said, typesOf, type BodyField } from "./body-fields.js";
import { concreteOf } from "./concrete.js";
import { formatSamples } from "./formats.js";
import { misfitsOf } from "./judge.js";
import type { Place } from "./placing.js";
import { accepted, nameOfField, refused, type Around } from "./shape-cases.js";
import { changesOf } from "./texts.js";
import { isAcceptable } from "./stored-forms.js";

/** Cases of formats and patterns: texts that narrowly violate them, and unusual valid texts. */
export function patternCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  if (!typesOf(field).includes("string")) return [];
  const texts = { ...formatTexts(around, field), ...patternTexts(around, field, place) };
  const name = nameOfField(field);
  const cases = Object.entries(texts).map(([what, text]) => {
    const about = {
      kind: "formats",
      about: [name, what],
      title: `${name}: ${JSON.stringify(text).slice(0, 60)}`,
      requirements: field.requirements,
    } as const;
    const body = place.put(text);
    return isAcceptable(around, body, field)
      ? { fits: true, cases: accepted(around, body, { ...about, title: `${about.title} is accepted`, field }) }
      : { fits: false, cases: refused(around, body, { ...about, title: `${about.title} is rejected` }) };
  });
  return [
    ...cases.filter(({ fits }) => fits).slice(0, mostFitting),
    ...cases.filter(({ fits }) => !fits).slice(0, mostUnfitting),
  ].flatMap((each) => each.cases);
}

const mostFitting = 4;
const mostUnfitting = 16;

function formatTexts({ context }: Around, field: BodyField): Readonly<Record<string, string>> {
  const formats = formatsOf(field);
  return Object.fromEntries(
    formats.flatMap((format) => {
      const { fitting = {}, unfitting = {} } = formatSamples[format] ?? {};
      // A text that one branch rejects may be valid in another.
      const fits = (text: string): boolean => misfitsOf(context, field.shape, text, "judged").length === 0;
      return [
        ...Object.entries(unfitting).filter(([, text]) => !fits(text)),
        ...Object.entries(fitting).filter(([, text]) => fits(text)),
      ].map(([what, text]) => [`${format}-${what}`, text] as const);
    }),
  );
}

function formatsOf({ parts }: BodyField): readonly string[] {
  const choices = parts.flatMap((part) => [part, ...(part.anyOf ?? []), ...(part.oneOf ?? [])]);
  return [...new Set(choices.flatMap(({ format }) => format ?? []))];
}

function patternTexts(around: Around, field: BodyField, { good }: Place): Readonly<Record<string, string>> {
  if (said(field, "pattern") === undefined) return {};
  const text = concreteOf(good);
  if (typeof text !== "string" || text === "") return {};
  const { context } = around;
  // Lengths have separate cases.
  const length = new Set(["minLength", "maxLength"]);
  return Object.fromEntries(
    Object.entries(changesOf(text)).filter(([, each]) =>
      misfitsOf(context, field.shape, each satisfies Template, "judged").every(({ keyword }) => !length.has(keyword)),
    ),
  );
}
