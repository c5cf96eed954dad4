import type { CallStep, Case, Template } from "@plumbline/conformance-runtime";
import {
  countOf,
  sizeLimits,
  limitNames,
  maxTestedItems,
  maxTestedLength,
  strictestBound,
  bounds,
  type BoundKeyword,
  type Schema,
} from "@plumbline/kit/model";
import { createCase, requirementIds } from "../../context/context.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { toErrorField, statedKeyword, allowedTypes, type BodyField } from "../../values/body-fields.js";
import { rawTextWith, schemaSamples, type FieldMutator } from "../../values/body-mutations.js";
import { isPlainObject, isTemplateList, compressText } from "../../values/partial-evaluation.js";
import { validateTemplate } from "../../values/template-validation.js";
import { astralText, firstFitting, textSalt, textsOfLength } from "../../values/texts.js";
import { acceptedCases, fieldTitle, rejectedCases, expectRejectedField } from "./body-cases.js";
import { uniqueFieldPaths } from "./partial-updates.js";

/** Cases at each bound of a field, and one step past it. */
export function boundCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const types = allowedTypes(field);
  return [
    ...(types.includes("integer") || types.includes("number") ? numberCases(context, field, place) : []),
    ...(types.includes("string") ? lengthCases(context, field, place) : []),
    ...(types.includes("array") ? itemCases(context, field, place) : []),
    ...(types.includes("object") ? sizeCases(context, field, place) : []),
  ];
}

function numberCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const isWhole = allowedTypes(field).includes("integer");
  const multiple = statedKeyword(field, "multipleOf");
  const step = multiple ?? (isWhole ? 1 : 0.5);
  const put = bounded(context, field, place);
  const { least, most } = sizeLimits("number", field.layers);
  // JavaScript has no numbers of 64 bits: a case would send another number, on the other side of the bound.
  const isExact = (limit: number): boolean => !isWhole || Number.isSafeInteger(limit);
  const fits = (value: number): boolean => multiple === undefined || value % multiple === 0;
  return [
    ...bounds.flatMap((bound) => {
      const limit = bound.measure === "number" ? strictestBound(bound.name, field.layers) : undefined;
      return limit === undefined || !isExact(limit) ? [] : numberBoundCases(bound, limit, { step, fits, put });
    }),
    ...(multiple === undefined
      ? []
      : put.rejected(
          (least ?? 0) + multiple * 1.5,
          `no-multiple-of-${multiple}`,
          `a value that is not a multiple of ${multiple} is rejected`,
        )),
    ...(isWhole && statedKeyword(field, "format") === "int32" && most === undefined
      ? put.rejected(2 ** 31, "more-than-32-bits", "a number of more than 32 bits is rejected")
      : []),
    ...(isWhole && most === undefined && context.namesFields && statedKeyword(field, "format") !== "int32"
      ? inexactCases(context, field, place)
      : []),
  ];
}

/** Cases at a bound of a number, and one step past it. */
function numberBoundCases(
  bound: BoundKeyword,
  limit: number,
  {
    step,
    fits,
    put,
  }: { readonly step: number; readonly fits: (value: number) => boolean; readonly put: BoundedValues },
): readonly Case[] {
  const { edge, inner, outer, side } = boundWords[bound.side];
  const [inside, outside] = [bound.atLimit(limit, step), bound.pastLimit(limit, step)];
  return bound.isExclusive
    ? [
        ...put.rejected(outside, `at-exclusive-${edge}-${limit}`, `${limit} itself is rejected`),
        ...put.accepted(inside, `${side}-${limit}`, `a little ${inner} than ${limit} is accepted`),
      ]
    : [
        ...(fits(inside) ? put.accepted(inside, `at-${edge}-${limit}`, `the ${edge}, ${limit}, is accepted`) : []),
        ...put.rejected(outside, `${outer}-than-${limit}`, `${outer} than ${limit} is rejected`),
      ];
}

const boundWords = {
  lower: { edge: "minimum", inner: "more", outer: "less", side: "above" },
  upper: { edge: "maximum", inner: "less", outer: "more", side: "below" },
} as const;

/** An integer that a double cannot represent would be altered, so it must be rejected. */
function inexactCases(around: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const { context, operation, shared } = around;
  const name = fieldTitle(field);
  return [
    createCase(context, {
      operation,
      kind: "bounds",
      idParts: [name, "not-exact"],
      title: `${name}: an integer that a double cannot represent, 9007199254740993, is rejected`,
      requirements: field.requirements,
      requires: shared.requires,
      exclusive: shared.exclusive,
      steps: [
        ...shared.setupSteps,
        {
          ...withoutBody(shared.call),
          raw: {
            text: rawTextWith(place.replaceWith(0), field.pointer, "9007199254740993"),
            mediaType: "application/json",
          },
          expect: expectRejectedField(around, toErrorField(field.pointer)),
        },
      ],
    }),
  ];
}

function withoutBody({ body: _body, ...call }: CallStep): CallStep {
  return call;
}

function lengthCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const put = bounded(context, field, place);
  const name = fieldTitle(field);
  const { least = 0, most } = sizeLimits("characters", field.layers);
  const like = typeof place.validValues === "string" ? place.validValues : "text";
  const fitting = (length: number, about: string): string | undefined =>
    firstFitting(
      textsOfLength(length, { salt: textSalt(`${context.operation.name} ${name} ${about}`), like }),
      (text) => place.findBodyWith(text) !== undefined,
    );
  const unfitting = (length: number): string =>
    firstFitting(textsOfLength(length, { salt: textSalt(`${context.operation.name} ${name}`), like }), (text) =>
      violatesOnly(context, place.replaceWith(text), limitNames("characters")),
    ) ?? "a".repeat(length);
  const accepted = (text: string | undefined, id: string, says: string): readonly Case[] =>
    text === undefined ? [] : put.accepted(compressText(text), id, says);
  const rejected = (text: string, id: string, says: string): readonly Case[] =>
    put.rejected(compressText(text), id, says);
  // The linter reports larger bounds, which are not tested.
  const shortest =
    least === 0 || least > maxTestedLength
      ? []
      : [
          ...accepted(
            fitting(least, "shortest"),
            `length-${least}`,
            `the shortest, ${countOf(least, "character")}, is accepted`,
          ),
          ...rejected(
            unfitting(least - 1),
            `shorter-than-${least}`,
            `fewer than ${manyOf(least, "character")} rejected`,
          ),
          ...(least > 1 ? put.rejected("", "empty", "an empty string is rejected") : []),
        ];
  if (most === undefined || most === 0 || most > maxTestedLength) return shortest;
  const isAstralTested = 4 * most <= maxTestedLength && violatesOnly(context, place.replaceWith(astralText(most)), []);
  const wide = `of several bytes each ${most === 1 ? "is" : "are"}`;
  return [
    ...shortest,
    ...accepted(fitting(most, "longest"), `length-${most}`, `the longest, ${countOf(most, "character")}, is accepted`),
    ...rejected(unfitting(most + 1), `longer-than-${most}`, `more than ${manyOf(most, "character")} rejected`),
    ...(isAstralTested
      ? [
          ...accepted(astralText(most), `length-${most}-astral`, `${countOf(most, "character")} ${wide} accepted`),
          ...rejected(
            astralText(most + 1),
            `longer-than-${most}-astral`,
            `more than ${countOf(most, "character")} ${wide} rejected`,
          ),
        ]
      : []),
  ];
}

function itemCases(around: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const { context } = around;
  const put = bounded(around, field, place);
  const items = field.layers.flatMap((part) => part.items ?? []);
  const samples: readonly Template[] = items.length === 0 ? ["text"] : schemaSamples(context, items);
  const { least = 0, most } = sizeLimits("items", field.layers);
  const lists = (count: number): readonly Template[] => [
    ...samples.map((sample): Template =>
      count > 8 ? { $list: [sample, count] } : Array.from({ length: count }, () => sample),
    ),
    Array.from({ length: Math.min(count, 2000) }, (_each, index) => `text-${index}`),
    Array.from({ length: Math.min(count, 2000) }, (_each, index) => index + 1),
    ...samples
      .filter(isPlainObject)
      .map((sample) => Array.from({ length: Math.min(count, 2000) }, (_each, index) => numbered(sample, index))),
  ];
  const { validValues } = place;
  const valid = validValues !== null && isTemplateList(validValues) ? [validValues] : [];
  const fitting = (count: number): Template | undefined =>
    [...valid.filter((each) => each.length === count), ...lists(count)].find((list) =>
      violatesOnly(around, place.replaceWith(list), []),
    );
  const unfitting = (count: number): Template =>
    lists(count).find((list) => violatesOnly(around, place.replaceWith(list), limitNames("items"))) ??
    lists(count)[0] ??
    [];
  const isTested = (count: number): boolean =>
    count <= maxTestedItems && samples.every((each) => count * JSON.stringify(each).length <= maxTestedLength);
  const cases: Case[] = [];
  if (least > 0 && isTested(least)) {
    const fewest = fitting(least);
    if (fewest !== undefined)
      cases.push(...put.accepted(fewest, `items-${least}`, `the minimum, ${least}, is accepted`));
    cases.push(...put.rejected(unfitting(least - 1), `fewer-than-${least}`, `fewer than ${least} are rejected`));
  }
  if (most !== undefined && isTested(most)) {
    const longest = fitting(most);
    if (longest !== undefined)
      cases.push(...put.accepted(longest, `items-${most}`, `the maximum, ${most}, is accepted`));
    cases.push(...put.rejected(unfitting(most + 1), `more-than-${most}`, `more than ${most} are rejected`));
  }
  if (field.layers.some(({ uniqueItems }) => uniqueItems)) {
    const [sample = "text"] = samples;
    const twice: Template = [sample, sample];
    if (violatesOnly(around, place.replaceWith(twice), ["uniqueItems"]))
      cases.push(...put.rejected(twice, "twice-the-same", "the same item twice is rejected"));
  }
  return [...cases, ...field.layers.flatMap((part) => matchCases(around, { part, items, place, put }))];
}

interface ItemMatches {
  /** The part of the field's schema with `contains`. */
  readonly part: Schema;
  readonly items: readonly Schema[];
  readonly place: FieldMutator;
  readonly put: BoundedValues;
}

/** One item more than may match `contains`. */
function matchCases(around: BodyCaseContext, { part, items, place, put }: ItemMatches): readonly Case[] {
  const { most } = sizeLimits("matches", [part]);
  if (part.contains === undefined || most === undefined || most >= maxTestedItems) return [];
  const samples = schemaSamples(around.context, [...items.slice(0, 1), part.contains]);
  const repeated = samples.map((sample): Template => Array.from({ length: most + 1 }, () => sample));
  const tooMany = repeated.find((list) => violatesOnly(around, place.replaceWith(list), ["contains"]));
  if (tooMany === undefined) return [];
  const says = `more than ${manyOf(most, "matching item")} rejected`;
  return put.rejected(tooMany, `more-than-${most}-of-a-kind`, says, requirementIds(part.sources));
}

/** A count with its verb: `1 field is`, `2 fields are`. */
function manyOf(count: number, unit: string): string {
  return `${countOf(count, unit)} ${count === 1 ? "is" : "are"}`;
}

/** An item with unique numbers. */
function numbered(sample: { readonly [name: string]: Template }, index: number): Template {
  const entries = Object.entries(sample).map(
    ([name, value]) => [name, typeof value === "number" ? value + index : value] as const,
  );
  return Object.fromEntries(entries);
}

function sizeCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const put = bounded(context, field, place);
  const { least, most } = sizeLimits("properties", field.layers);
  const filled = (count: number): Template =>
    Object.fromEntries(Array.from({ length: count }, (_each, index) => [`field${index}`, "text"] as const));
  return [
    ...(most === undefined || most >= maxFields
      ? []
      : put.rejected(filled(most + 1), `more-than-${most}-fields`, `more than ${manyOf(most, "field")} rejected`)),
    ...(least === undefined || least === 0 || least > maxFields
      ? []
      : put.rejected(filled(least - 1), `fewer-than-${least}-fields`, `fewer than ${manyOf(least, "field")} rejected`)),
  ];
}

/** The most fields of an object of a case. */
const maxFields = 2000;

/** True when a value violates only these keywords. */
function violatesOnly(
  { context, schema, nulls }: BodyCaseContext,
  body: Template,
  keywords: readonly string[],
): boolean {
  return validateTemplate(context, schema, body, nulls).every(({ keyword }) => keywords.includes(keyword));
}

interface BoundedValues {
  accepted(value: Template, about: string, says: string): readonly Case[];
  rejected(value: Template, about: string, says: string, requirements?: readonly string[]): readonly Case[];
}

function bounded(context: BodyCaseContext, field: BodyField, place: FieldMutator): BoundedValues {
  const name = fieldTitle(field);
  const describe = (about: string, says: string, requirements: readonly string[] = []) =>
    ({
      kind: "bounds",
      idParts: [name, about],
      title: `${name}: ${says}`,
      requirements: requirements.length === 0 ? field.requirements : requirements,
    }) as const;
  return {
    accepted: (value, about, says) =>
      acceptedCases(context, place.findBodyWith(value) ?? place.replaceWith(value), {
        ...describe(about, says),
        field,
      }),
    rejected: (value, about, says, requirements) =>
      rejectedCases(context, place.replaceWith(value), {
        ...describe(about, says, requirements),
        ...isNotStored(context, field, { place, value }),
      }),
  };
}

/** An empty value may equal the stored one, and is then accepted. */
function isNotStored(
  context: BodyCaseContext,
  { pointer }: BodyField,
  { place, value }: { readonly place: FieldMutator; readonly value: Template },
): { readonly initialBody?: Template } {
  const { input } = context.operation.requestBody ?? {};
  const isUnique = pointer.length === 1 && uniqueFieldPaths(context).includes(pointer[0] ?? "");
  const isEmpty = value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
  if (!isEmpty || isUnique || pointer.includes("*") || input?.unchanged !== "accept") return {};
  return { initialBody: place.replaceWith(place.validValues) };
}
