import type { Case, Template } from "@plumbline/conformance-runtime";
import { dotted, least, most, said, typesOf, type BodyField } from "./body-fields.js";
import { isPlainObject, isTemplateList, textTemplate } from "./concrete.js";
import { misfitsOf } from "./judge.js";
import { uniqueFields } from "./kept.js";
import { rawWith, samplesOf, type Place } from "./placing.js";
import { accepted, nameOfField, refused, refusing, type Around } from "./shape-cases.js";
import { caseOf, requirementsOf } from "./context.js";
import { astral, firstOf, saltOf, textsOfLength } from "./texts.js";

/** Cases at each bound of a field, and one step past it. */
export function boundCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const types = typesOf(field);
  return [
    ...(types.includes("integer") || types.includes("number") ? numberCases(around, field, place) : []),
    ...(types.includes("string") ? lengthCases(around, field, place) : []),
    ...(types.includes("array") ? itemCases(around, field, place) : []),
    ...(types.includes("object") ? sizeCases(around, field, place) : []),
  ];
}

function numberCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const isWhole = typesOf(field).includes("integer");
  const multiple = said(field, "multipleOf");
  const step = multiple ?? (isWhole ? 1 : 0.5);
  const put = bounded(around, field, place);
  const minimum = least(field, "minimum");
  const maximum = most(field, "maximum");
  const above = least(field, "exclusiveMinimum");
  const below = most(field, "exclusiveMaximum");
  const fits = (bound: number): boolean => multiple === undefined || bound % multiple === 0;
  return [
    ...(minimum === undefined
      ? []
      : [
          ...(fits(minimum)
            ? put.accepts(minimum, `at-minimum-${minimum}`, `the minimum, ${minimum}, is accepted`)
            : []),
          ...put.refuses(minimum - step, `less-than-${minimum}`, `less than ${minimum} is rejected`),
        ]),
    ...(maximum === undefined
      ? []
      : [
          ...(fits(maximum)
            ? put.accepts(maximum, `at-maximum-${maximum}`, `the maximum, ${maximum}, is accepted`)
            : []),
          ...put.refuses(maximum + step, `more-than-${maximum}`, `more than ${maximum} is rejected`),
        ]),
    ...(above === undefined
      ? []
      : [
          ...put.refuses(above, `at-exclusive-minimum-${above}`, `${above} itself is rejected`),
          ...put.accepts(above + step, `above-${above}`, `a little more than ${above} is accepted`),
        ]),
    ...(below === undefined
      ? []
      : [
          ...put.refuses(below, `at-exclusive-maximum-${below}`, `${below} itself is rejected`),
          ...put.accepts(below - step, `below-${below}`, `a little less than ${below} is accepted`),
        ]),
    ...(multiple === undefined
      ? []
      : put.refuses(
          (minimum ?? 0) + multiple * 1.5,
          `no-multiple-of-${multiple}`,
          `a value that is not a multiple of ${multiple} is rejected`,
        )),
    ...(isWhole && said(field, "format") === "int32" && maximum === undefined
      ? put.refuses(2 ** 31, "more-than-32-bits", "a number of more than 32 bits is rejected")
      : []),
    ...(isWhole && maximum === undefined && around.tells && said(field, "format") !== "int32"
      ? inexactCases(around, field, place)
      : []),
  ];
}

/** An integer that a double cannot represent would be altered, so it must be rejected. */
function inexactCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const { context, operation, shared } = around;
  const name = nameOfField(field);
  return [
    caseOf(context, {
      operation,
      kind: "bounds",
      about: [name, "not-exact"],
      title: `${name}: an integer that a double cannot represent, 9007199254740993, is rejected`,
      requirements: field.requirements,
      needs: shared.needs,
      alone: shared.alone,
      steps: [
        ...shared.before,
        {
          ...withoutBody(shared.call),
          raw: { text: rawWith(place.put(0), field.pointer, "9007199254740993"), mediaType: "application/json" },
          expect: refusing(around, dotted(field.pointer)),
        },
      ],
    }),
  ];
}

function withoutBody<Call extends { readonly body?: Template }>({ body: _body, ...call }: Call): Omit<Call, "body"> {
  return call;
}

function lengthCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const put = bounded(around, field, place);
  const name = nameOfField(field);
  const minimum = least(field, "minLength") ?? 0;
  const maximum = most(field, "maxLength");
  const like = typeof place.good === "string" ? place.good : "text";
  const fitting = (length: number, about: string): string | undefined =>
    firstOf(
      textsOfLength(length, { salt: saltOf(`${around.operation.name} ${name} ${about}`), like }),
      (text) => place.fit(text) !== undefined,
    );
  const unfitting = (length: number): string =>
    firstOf(textsOfLength(length, { salt: saltOf(`${around.operation.name} ${name}`), like }), (text) =>
      fitsBut(around, place.put(text), ["minLength", "maxLength"]),
    ) ?? "a".repeat(length);
  const found: Case[] = [];
  if (minimum > 0) {
    const shortest = fitting(minimum, "shortest");
    if (shortest !== undefined)
      found.push(
        ...put.accepts(textTemplate(shortest), `length-${minimum}`, `the shortest, ${minimum} characters, is accepted`),
      );
    found.push(
      ...put.refuses(
        textTemplate(unfitting(minimum - 1)),
        `shorter-than-${minimum}`,
        `fewer than ${minimum} characters are rejected`,
      ),
    );
    if (minimum > 1) found.push(...put.refuses("", "empty", "an empty string is rejected"));
  }
  if (maximum !== undefined && maximum > 0) {
    const longest = fitting(maximum, "longest");
    if (longest !== undefined)
      found.push(
        ...put.accepts(textTemplate(longest), `length-${maximum}`, `the longest, ${maximum} characters, is accepted`),
      );
    found.push(
      ...put.refuses(
        textTemplate(unfitting(maximum + 1)),
        `longer-than-${maximum}`,
        `more than ${maximum} characters are rejected`,
      ),
    );
    if (fitsBut(around, place.put(astral(maximum)), []))
      found.push(
        ...put.accepts(
          textTemplate(astral(maximum)),
          `length-${maximum}-astral`,
          `${maximum} characters of several bytes each are accepted`,
        ),
        ...put.refuses(
          textTemplate(astral(maximum + 1)),
          `longer-than-${maximum}-astral`,
          `more than ${maximum} characters of several bytes each are rejected`,
        ),
      );
  }
  return found;
}

function itemCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const { context } = around;
  const put = bounded(around, field, place);
  const items = field.parts.flatMap((part) => part.items ?? []);
  const samples: readonly Template[] = items.length === 0 ? ["text"] : samplesOf(context, items);
  const minimum = least(field, "minItems") ?? 0;
  const maximum = most(field, "maxItems");
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
  const { good } = place;
  const given = good !== null && isTemplateList(good) ? [good] : [];
  const fitting = (count: number): Template | undefined =>
    [...given.filter((each) => each.length === count), ...lists(count)].find((list) =>
      fitsBut(around, place.put(list), []),
    );
  const unfitting = (count: number): Template =>
    lists(count).find((list) => fitsBut(around, place.put(list), ["minItems", "maxItems"])) ?? lists(count)[0] ?? [];
  const found: Case[] = [];
  if (minimum > 0) {
    const fewest = fitting(minimum);
    if (fewest !== undefined)
      found.push(...put.accepts(fewest, `items-${minimum}`, `the minimum, ${minimum}, is accepted`));
    found.push(...put.refuses(unfitting(minimum - 1), `fewer-than-${minimum}`, `fewer than ${minimum} are rejected`));
  }
  if (maximum !== undefined) {
    const all = fitting(maximum);
    if (all !== undefined) found.push(...put.accepts(all, `items-${maximum}`, `the maximum, ${maximum}, is accepted`));
    found.push(...put.refuses(unfitting(maximum + 1), `more-than-${maximum}`, `more than ${maximum} are rejected`));
  }
  if (field.parts.some(({ uniqueItems }) => uniqueItems)) {
    const [sample = "text"] = samples;
    const twice: Template = [sample, sample];
    if (fitsBut(around, place.put(twice), ["uniqueItems"]))
      found.push(...put.refuses(twice, "twice-the-same", "the same item twice is rejected"));
  }
  for (const part of field.parts) {
    if (part.contains === undefined || part.maxContains === undefined) continue;
    const count = part.maxContains + 1;
    const repeated = samplesOf(context, [...items.slice(0, 1), part.contains]).map((sample): Template =>
      Array.from({ length: count }, () => sample),
    );
    const tooMany = repeated.find((list) => fitsBut(around, place.put(list), ["contains"]));
    if (tooMany !== undefined)
      found.push(
        ...put.refuses(
          tooMany,
          `more-than-${part.maxContains}-of-a-kind`,
          `more than ${part.maxContains} matching items are rejected`,
          requirementsOf(part.sources),
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

function sizeCases(around: Around, field: BodyField, place: Place): readonly Case[] {
  const put = bounded(around, field, place);
  const maximum = said(field, "maxProperties");
  const minimum = said(field, "minProperties");
  const filled = (count: number): Template =>
    Object.fromEntries(
      Array.from({ length: Math.min(count, 2000) }, (_each, index) => [`field${index}`, "text"] as const),
    );
  return [
    ...(maximum === undefined
      ? []
      : put.refuses(filled(maximum + 1), `more-than-${maximum}-fields`, `more than ${maximum} fields are rejected`)),
    ...(minimum === undefined || minimum === 0
      ? []
      : put.refuses(filled(minimum - 1), `fewer-than-${minimum}-fields`, `fewer than ${minimum} fields are rejected`)),
  ];
}

/** True when a value violates only these keywords. */
function fitsBut({ context, shape, nulls }: Around, body: Template, keywords: readonly string[]): boolean {
  return misfitsOf(context, shape, body, nulls).every(({ keyword }) => keywords.includes(keyword));
}

interface Bounded {
  accepts(value: Template, about: string, says: string): readonly Case[];
  refuses(value: Template, about: string, says: string, requirements?: readonly string[]): readonly Case[];
}

function bounded(around: Around, field: BodyField, place: Place): Bounded {
  const name = nameOfField(field);
  const describe = (about: string, says: string, requirements: readonly string[] = []) =>
    ({
      kind: "bounds",
      about: [name, about],
      title: `${name}: ${says}`,
      requirements: requirements.length === 0 ? field.requirements : requirements,
    }) as const;
  return {
    accepts: (value, about, says) =>
      accepted(around, place.fit(value) ?? place.put(value), { ...describe(about, says), field }),
    refuses: (value, about, says, requirements) =>
      refused(around, place.put(value), {
        ...describe(about, says, requirements),
        ...notStored(around, field, { place, value }),
      }),
  };
}

/** An empty value may equal the stored one, and is then accepted. */
function notStored(
  around: Around,
  { pointer }: BodyField,
  { place, value }: { readonly place: Place; readonly value: Template },
): { readonly first?: Template } {
  const { input } = around.operation.body ?? {};
  const isUnique = pointer.length === 1 && uniqueFields(around).includes(pointer[0] ?? "");
  const isEmpty = value === "" || value === 0 || (Array.isArray(value) && value.length === 0);
  if (!isEmpty || isUnique || pointer.includes("*") || input?.unchanged !== "accept") return {};
  return { first: place.put(place.good) };
}
