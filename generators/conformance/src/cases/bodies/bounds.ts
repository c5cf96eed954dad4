import type { Case, Template } from "@plumbline/conformance-runtime";
import {
  toErrorField,
  strictestMinimum,
  strictestMaximum,
  statedKeyword,
  allowedTypes,
  type BodyField,
} from "../../values/body-fields.js";
import { isPlainObject, isTemplateList, compressText } from "../../values/partial-evaluation.js";
import { validateTemplate } from "../../values/template-validation.js";
import { uniqueFieldPaths } from "./partial-updates.js";
import { rawTextWith, schemaSamples, type FieldMutator } from "../../values/body-mutations.js";
import type { BodyCaseContext } from "../../requests/body-request.js";
import { acceptedCases, fieldTitle, rejectedCases, expectRejectedField } from "./body-cases.js";
import { createCase, requirementIds } from "../../context/context.js";
import { astralText, firstFitting, textSalt, textsOfLength } from "../../values/texts.js";

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
  const minimum = strictestMinimum(field, "minimum");
  const maximum = strictestMaximum(field, "maximum");
  const above = strictestMinimum(field, "exclusiveMinimum");
  const below = strictestMaximum(field, "exclusiveMaximum");
  const fits = (bound: number): boolean => multiple === undefined || bound % multiple === 0;
  return [
    ...(minimum === undefined
      ? []
      : [
          ...(fits(minimum)
            ? put.accepted(minimum, `at-minimum-${minimum}`, `the minimum, ${minimum}, is accepted`)
            : []),
          ...put.rejected(minimum - step, `less-than-${minimum}`, `less than ${minimum} is rejected`),
        ]),
    ...(maximum === undefined
      ? []
      : [
          ...(fits(maximum)
            ? put.accepted(maximum, `at-maximum-${maximum}`, `the maximum, ${maximum}, is accepted`)
            : []),
          ...put.rejected(maximum + step, `more-than-${maximum}`, `more than ${maximum} is rejected`),
        ]),
    ...(above === undefined
      ? []
      : [
          ...put.rejected(above, `at-exclusive-minimum-${above}`, `${above} itself is rejected`),
          ...put.accepted(above + step, `above-${above}`, `a little more than ${above} is accepted`),
        ]),
    ...(below === undefined
      ? []
      : [
          ...put.rejected(below, `at-exclusive-maximum-${below}`, `${below} itself is rejected`),
          ...put.accepted(below - step, `below-${below}`, `a little less than ${below} is accepted`),
        ]),
    ...(multiple === undefined
      ? []
      : put.rejected(
          (minimum ?? 0) + multiple * 1.5,
          `no-multiple-of-${multiple}`,
          `a value that is not a multiple of ${multiple} is rejected`,
        )),
    ...(isWhole && statedKeyword(field, "format") === "int32" && maximum === undefined
      ? put.rejected(2 ** 31, "more-than-32-bits", "a number of more than 32 bits is rejected")
      : []),
    ...(isWhole && maximum === undefined && context.namesFields && statedKeyword(field, "format") !== "int32"
      ? inexactCases(context, field, place)
      : []),
  ];
}

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

function withoutBody<Call extends { readonly body?: Template }>({ body: _body, ...call }: Call): Omit<Call, "body"> {
  return call;
}

function lengthCases(context: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const put = bounded(context, field, place);
  const name = fieldTitle(field);
  const minimum = strictestMinimum(field, "minLength") ?? 0;
  const maximum = strictestMaximum(field, "maxLength");
  const like = typeof place.validValues === "string" ? place.validValues : "text";
  const fitting = (length: number, about: string): string | undefined =>
    firstFitting(
      textsOfLength(length, { salt: textSalt(`${context.operation.name} ${name} ${about}`), like }),
      (text) => place.findBodyWith(text) !== undefined,
    );
  const unfitting = (length: number): string =>
    firstFitting(textsOfLength(length, { salt: textSalt(`${context.operation.name} ${name}`), like }), (text) =>
      violatesOnly(context, place.replaceWith(text), ["minLength", "maxLength"]),
    ) ?? "a".repeat(length);
  const found: Case[] = [];
  if (minimum > 0) {
    const shortest = fitting(minimum, "shortest");
    if (shortest !== undefined)
      found.push(
        ...put.accepted(
          compressText(shortest),
          `length-${minimum}`,
          `the shortest, ${minimum} characters, is accepted`,
        ),
      );
    found.push(
      ...put.rejected(
        compressText(unfitting(minimum - 1)),
        `shorter-than-${minimum}`,
        `fewer than ${minimum} characters are rejected`,
      ),
    );
    if (minimum > 1) found.push(...put.rejected("", "empty", "an empty string is rejected"));
  }
  if (maximum !== undefined && maximum > 0) {
    const longest = fitting(maximum, "longest");
    if (longest !== undefined)
      found.push(
        ...put.accepted(compressText(longest), `length-${maximum}`, `the longest, ${maximum} characters, is accepted`),
      );
    found.push(
      ...put.rejected(
        compressText(unfitting(maximum + 1)),
        `longer-than-${maximum}`,
        `more than ${maximum} characters are rejected`,
      ),
    );
    if (violatesOnly(context, place.replaceWith(astralText(maximum)), []))
      found.push(
        ...put.accepted(
          compressText(astralText(maximum)),
          `length-${maximum}-astral`,
          `${maximum} characters of several bytes each are accepted`,
        ),
        ...put.rejected(
          compressText(astralText(maximum + 1)),
          `longer-than-${maximum}-astral`,
          `more than ${maximum} characters of several bytes each are rejected`,
        ),
      );
  }
  return found;
}

function itemCases(around: BodyCaseContext, field: BodyField, place: FieldMutator): readonly Case[] {
  const { context } = around;
  const put = bounded(around, field, place);
  const items = field.layers.flatMap((part) => part.items ?? []);
  const samples: readonly Template[] = items.length === 0 ? ["text"] : schemaSamples(context, items);
  const minimum = strictestMinimum(field, "minItems") ?? 0;
  const maximum = strictestMaximum(field, "maxItems");
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
  const given = validValues !== null && isTemplateList(validValues) ? [validValues] : [];
  const fitting = (count: number): Template | undefined =>
    [...given.filter((each) => each.length === count), ...lists(count)].find((list) =>
      violatesOnly(around, place.replaceWith(list), []),
    );
  const unfitting = (count: number): Template =>
    lists(count).find((list) => violatesOnly(around, place.replaceWith(list), ["minItems", "maxItems"])) ??
    lists(count)[0] ??
    [];
  const found: Case[] = [];
  if (minimum > 0) {
    const fewest = fitting(minimum);
    if (fewest !== undefined)
      found.push(...put.accepted(fewest, `items-${minimum}`, `the minimum, ${minimum}, is accepted`));
    found.push(...put.rejected(unfitting(minimum - 1), `fewer-than-${minimum}`, `fewer than ${minimum} are rejected`));
  }
  if (maximum !== undefined) {
    const all = fitting(maximum);
    if (all !== undefined) found.push(...put.accepted(all, `items-${maximum}`, `the maximum, ${maximum}, is accepted`));
    found.push(...put.rejected(unfitting(maximum + 1), `more-than-${maximum}`, `more than ${maximum} are rejected`));
  }
  if (field.layers.some(({ uniqueItems }) => uniqueItems)) {
    const [sample = "text"] = samples;
    const twice: Template = [sample, sample];
    if (violatesOnly(around, place.replaceWith(twice), ["uniqueItems"]))
      found.push(...put.rejected(twice, "twice-the-same", "the same item twice is rejected"));
  }
  for (const part of field.layers) {
    if (part.contains === undefined || part.maxContains === undefined) continue;
    const count = part.maxContains + 1;
    const repeated = schemaSamples(context, [...items.slice(0, 1), part.contains]).map((sample): Template =>
      Array.from({ length: count }, () => sample),
    );
    const tooMany = repeated.find((list) => violatesOnly(around, place.replaceWith(list), ["contains"]));
    if (tooMany !== undefined)
      found.push(
        ...put.rejected(
          tooMany,
          `more-than-${part.maxContains}-of-a-kind`,
          `more than ${part.maxContains} matching items are rejected`,
          requirementIds(part.sources),
        ),
      );
  }
  return found;
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
  const maximum = statedKeyword(field, "maxProperties");
  const minimum = statedKeyword(field, "minProperties");
  const filled = (count: number): Template =>
    Object.fromEntries(
      Array.from({ length: Math.min(count, 2000) }, (_each, index) => [`field${index}`, "text"] as const),
    );
  return [
    ...(maximum === undefined
      ? []
      : put.rejected(filled(maximum + 1), `more-than-${maximum}-fields`, `more than ${maximum} fields are rejected`)),
    ...(minimum === undefined || minimum === 0
      ? []
      : put.rejected(filled(minimum - 1), `fewer-than-${minimum}-fields`, `fewer than ${minimum} fields are rejected`)),
  ];
}

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
