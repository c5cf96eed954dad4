import type { Json, JsonType, Shape } from "../model/api.js";
import { isAsLong, isKnownList, isKnownObject, wild, type Known } from "./concrete.js";
import { onceEach } from "../model/once.js";
import type { Context } from "./context.js";
import { isOfFormat } from "./formats.js";
import { isMatch } from "./matching.js";

/** A location where a value violates its schema. */
export interface Misfit {
  readonly path: readonly string[];
  readonly keyword: string;
  /** True when a server may report another field: no branch is clearly the intended one. */
  readonly vague?: true;
}

/** Finds the violations of a value; `depth` counts the enclosing schemas. */
type Judge = (value: Known, depth: number) => readonly Misfit[];

const none: readonly Misfit[] = [];
const mostDeep = 24;

/** Finds the violations of a partially known value. Schemas that are nested too deeply are not evaluated. */
export function misfits(context: Context, shape: Shape, value: Known, depth = 0): readonly Misfit[] {
  return value === wild || depth > mostDeep ? none : judgeOf(context, shape)(value, depth);
}

const judges = onceEach<Shape, Judge>();

/** Compiled once for each schema, since many values are evaluated with it. */
function judgeOf(context: Context, shape: Shape): Judge {
  return judges(context.api, shape, () => joined(judgesOf(context, shape)));
}

function judgesOf(context: Context, shape: Shape): readonly Judge[] {
  if (shape.never) return [() => [wrong("never")]];
  const named = shape.ref === undefined ? undefined : context.shapes.get(shape.ref);
  return [
    ...(named === undefined ? [] : [within(context, named)]),
    ...ofType(shape),
    ...ofScalar(shape),
    ...ofList(context, shape),
    ...ofObject(context, shape),
    ...ofParts(context, shape),
  ];
}

/** A nested schema. It may be recursive, so it is resolved when a value is evaluated. */
function within(context: Context, shape: Shape): Judge {
  return (value, depth) => misfits(context, shape, value, depth + 1);
}

/** The violations of all evaluators, in order. Allocates nothing for a valid value. */
function joined(all: readonly Judge[]): Judge {
  const [first, ...others] = all;
  if (first === undefined) return () => none;
  if (others.length === 0) return first;
  return (value, depth) => {
    let found = none;
    for (const evaluate of all) {
      const more = evaluate(value, depth);
      if (more.length > 0) found = found.length === 0 ? more : [...found, ...more];
    }
    return found;
  };
}

function wrong(keyword: string, ...path: readonly string[]): Misfit {
  return { path, keyword };
}

function under(key: string, found: readonly Misfit[]): readonly Misfit[] {
  return found.length === 0 ? none : found.map((each) => ({ ...each, path: [key, ...each.path] }));
}

function ofType({ types }: Shape): readonly Judge[] {
  if (types.length === 0) return [];
  const found = [wrong("type")];
  return [(value) => (types.some((type) => isOf(type, value)) ? none : found)];
}

function isOf(type: JsonType, value: Known): boolean {
  if (type === "null") return value === null;
  if (type === "array") return isKnownList(value);
  if (type === "object") return isKnownObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function ofScalar(shape: Shape): readonly Judge[] {
  const { enum: choices, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = shape;
  const { minLength, maxLength, pattern, format } = shape;
  const all: Judge[] = [];
  const validate = (keyword: keyof Shape, fits: (value: Known) => boolean): void => {
    const found = [wrong(keyword)];
    if (shape[keyword] !== undefined) all.push((value) => (fits(value) ? none : found));
  };
  const number = (keyword: keyof Shape, fits: (value: number) => boolean): void =>
    validate(keyword, (value) => typeof value !== "number" || fits(value));
  const text = (keyword: keyof Shape, fits: (value: string) => boolean): void =>
    validate(keyword, (value) => typeof value !== "string" || fits(value));
  validate("const", (value) => same(shape.const, value));
  validate("enum", (value) => choices?.some((each) => same(each, value)) === true);
  number("minimum", (value) => value >= (minimum ?? value));
  number("maximum", (value) => value <= (maximum ?? value));
  if (format === "int32") number("format", (value) => Math.abs(value + 0.5) <= 2 ** 31);
  number("exclusiveMinimum", (value) => value > (exclusiveMinimum ?? -Infinity));
  number("exclusiveMaximum", (value) => value < (exclusiveMaximum ?? Infinity));
  number("multipleOf", (value) => {
    const steps = value / (multipleOf ?? 1);
    return Math.abs(steps - Math.round(steps)) < 1e-9;
  });
  text("minLength", (value) => isAsLong(value, minLength ?? 0));
  text("maxLength", (value) => !isAsLong(value, (maxLength ?? Infinity) + 1));
  text("pattern", (value) => isMatch(pattern ?? "", value));
  text("format", (value) => isOfFormat(format ?? "", value));
  return all;
}

function ofList(context: Context, shape: Shape): readonly Judge[] {
  const { minItems = 0, maxItems = Infinity, uniqueItems, contains, prefixItems = [], items: of } = shape;
  const { minContains = 1, maxContains = Infinity } = shape;
  const all: ((items: readonly Known[], depth: number) => readonly Misfit[])[] = [];
  const judge = (keyword: string, fits: (items: readonly Known[], depth: number) => boolean): void => {
    const found = [wrong(keyword)];
    all.push((items, depth) => (fits(items, depth) ? none : found));
  };
  if (minItems > 0) judge("minItems", (items) => items.length >= minItems);
  if (maxItems < Infinity) judge("maxItems", (items) => items.length <= maxItems);
  if (uniqueItems)
    judge("uniqueItems", (items) => new Set(items.map((each) => JSON.stringify(each))).size === items.length);
  for (const { kind, within: where, by = [] } of shape.limits ?? []) {
    if (kind !== "unique" || where !== "array") continue;
    const keyOf = (item: Known): string => JSON.stringify(isKnownObject(item) ? by.map((name) => item[name]) : item);
    judge("unique", (items) => new Set(items.map(keyOf)).size === items.length);
  }
  if (contains !== undefined)
    judge("contains", (items, depth) => {
      const count = items.filter((each) => misfits(context, contains, each, depth + 1).length === 0).length;
      return count >= minContains && count <= maxContains;
    });
  if (of !== undefined || prefixItems.length > 0)
    all.push((items, depth) => {
      // Equal items have equal violations, so the last result is reused.
      const shown = items.length > 40 ? items.slice(-2) : items;
      const first = items.length - shown.length;
      return shown.flatMap((item, index) => {
        const own = prefixItems[first + index] ?? of;
        return own === undefined ? none : under(String(first + index), misfits(context, own, item, depth + 1));
      });
    });
  return all.map((each) => (value, depth) => (isKnownList(value) ? each(value, depth) : none));
}

type Fields = Readonly<Record<string, Known>>;

function ofObject(context: Context, shape: Shape): readonly Judge[] {
  const { properties = [], minProperties = 0, maxProperties = Infinity, unevaluatedProperties: others } = shape;
  const all: ((value: Fields, depth: number) => readonly Misfit[])[] = [];
  const wanted = [
    ...new Set([...(shape.required ?? []), ...properties.filter((each) => each.required).map(({ name }) => name)]),
  ];
  if (wanted.length > 0)
    all.push((value) => {
      const missing = wanted.filter((name) => !(name in value));
      return missing.length === 0 ? none : missing.map((name) => wrong("required", name));
    });
  for (const [name, names] of Object.entries(shape.dependentRequired ?? {}))
    all.push((value) =>
      name in value ? names.filter((each) => !(each in value)).map((each) => wrong("dependentRequired", each)) : none,
    );
  if (minProperties > 0)
    all.push((value) => (Object.keys(value).length < minProperties ? [wrong("minProperties")] : none));
  if (maxProperties < Infinity)
    all.push((value) => (Object.keys(value).length > maxProperties ? [wrong("maxProperties")] : none));
  for (const { name, shape: of } of properties)
    all.push((value, depth) =>
      name in value ? under(name, misfits(context, of, value[name] ?? null, depth + 1)) : none,
    );
  all.push(...ofOtherNames(context, shape));
  for (const [name, of] of Object.entries(shape.dependentSchemas ?? {}))
    all.push((value, depth) => (name in value ? misfits(context, of, value, depth + 1) : none));
  if (others !== undefined) {
    const { unevaluatedProperties: _, ...beside } = shape;
    all.push((value, depth) => {
      const seen = evaluatedBy(context, beside, value, depth);
      return Object.entries(value).flatMap(([key, each]) =>
        seen.has(key) ? none : under(key, misfits(context, others, each, depth + 1)),
      );
    });
  }
  return all.map((each) => (value, depth) => (isKnownObject(value) ? each(value, depth) : none));
}

/** Evaluates `additionalProperties` and `patternProperties`. */
function ofOtherNames(
  context: Context,
  shape: Shape,
): readonly ((value: Fields, depth: number) => readonly Misfit[])[] {
  const { additionalProperties, propertyNames } = shape;
  const known = new Set((shape.properties ?? []).map(({ name }) => name));
  const patterns = Object.entries(shape.patternProperties ?? {});
  if (patterns.length === 0 && additionalProperties === undefined && propertyNames === undefined) return [];
  const ofName = (key: string, value: Known, depth: number): readonly Misfit[] => {
    const matching = patterns.filter(([pattern]) => isMatch(pattern, key));
    const isBad = propertyNames !== undefined && misfits(context, propertyNames, key, depth + 1).length > 0;
    const isMore = additionalProperties !== undefined && !known.has(key) && matching.length === 0;
    return [
      ...matching.flatMap(([, of]) => under(key, misfits(context, of, value, depth + 1))),
      ...(isBad ? [wrong("propertyNames", key)] : []),
      ...(isMore ? under(key, misfits(context, additionalProperties, value, depth + 1)) : []),
    ];
  };
  return [(value, depth) => Object.entries(value).flatMap(([key, each]) => ofName(key, each, depth))];
}

/** The evaluated properties, for `unevaluatedProperties`; of branches only the matching ones count. */
function evaluatedBy(context: Context, shape: Shape, value: Fields, depth: number): ReadonlySet<string> {
  const keys = Object.keys(value);
  if (depth > mostDeep || shape.additionalProperties !== undefined || shape.unevaluatedProperties !== undefined)
    return new Set(keys);
  const fits = (each: Shape): boolean => misfits(context, each, value, depth + 1).length === 0;
  const named = shape.ref === undefined ? undefined : context.shapes.get(shape.ref);
  const { if: condition, then, else: otherwise, allOf = [], anyOf = [], oneOf = [] } = shape;
  const isMet = condition !== undefined && fits(condition);
  const parts = [
    named,
    ...allOf,
    ...[...anyOf, ...oneOf].filter(fits),
    ...(isMet ? [condition, then] : [otherwise]),
    ...Object.entries(shape.dependentSchemas ?? {}).flatMap(([name, of]) => (name in value ? [of] : [])),
  ].filter((each) => each !== undefined);
  const patterns = Object.keys(shape.patternProperties ?? {});
  return new Set([
    ...(shape.properties ?? []).map(({ name }) => name),
    ...keys.filter((key) => patterns.some((pattern) => isMatch(pattern, key))),
    ...parts.flatMap((each) => [...evaluatedBy(context, each, value, depth + 1)]),
  ]);
}

function ofParts(context: Context, shape: Shape): readonly Judge[] {
  const { allOf = [], anyOf, oneOf, not, if: condition, then, else: otherwise } = shape;
  const inner = (each: Shape): Judge => within(context, each);
  const all: Judge[] = allOf.map(inner);
  for (const [branches, onlyOne] of [[anyOf, false] as const, [oneOf, true] as const]) {
    const forms = branches?.map(inner);
    if (forms !== undefined)
      all.push((value, depth) =>
        ofChoice(
          forms.map((judge) => judge(value, depth)),
          onlyOne,
        ),
      );
  }
  if (not !== undefined)
    all.push((value, depth) =>
      misfits(context, not, value, depth + 1).length === 0
        ? [isKnownObject(value) || isKnownList(value) ? { ...wrong("not"), vague: true } : wrong("not")]
        : none,
    );
  if (condition !== undefined)
    all.push((value, depth) => {
      const follows = misfits(context, condition, value, depth + 1).length === 0 ? then : otherwise;
      return follows === undefined ? none : misfits(context, follows, value, depth + 1);
    });
  return all;
}

/** The violations of the intended branch: the only one whose constants match. */
function ofChoice(branches: readonly (readonly Misfit[])[], onlyOne: boolean): readonly Misfit[] {
  const fitting = branches.filter((each) => each.length === 0).length;
  if (fitting === 1 || (fitting > 1 && !onlyOne)) return none;
  if (fitting > 1) return [{ ...wrong("oneOf"), vague: true }];
  const tagged = branches.filter((found) => !found.some(({ keyword, path }) => keyword === "const" && path.length < 2));
  const [meant] = tagged;
  if (tagged.length === 1 && meant !== undefined) return meant;
  return [{ ...wrong("union"), vague: true }];
}

function same(a: Json | undefined, b: Known): boolean {
  if (typeof a !== "object" || a === null) return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}
