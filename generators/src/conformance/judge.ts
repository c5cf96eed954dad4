import type { Template } from "@plumbline/conformance-runtime";
import type { Json, JsonType, Shape } from "../model/api.js";
import { alwaysOf, branchesWith } from "./layers.js";
import type { Context } from "./context.js";
import { concreteOf, isKnownList, isAsLong, isKnownObject, wild, type Known } from "./concrete.js";
import { isOfFormat } from "./formats.js";
import { isMatch } from "./matching.js";

/** Where a value does not fit its shape. */
export interface Misfit {
  readonly path: readonly string[];
  readonly keyword: string;
  /** True where a server may as well blame something else: no form of a choice is the one that was meant. */
  readonly vague?: true;
}

/** What does not fit. Values that are known only when a case runs fit everywhere. */
export function misfitsOf(
  context: Context,
  shape: Shape,
  body: Template,
  nulls: "absent" | "judged",
): readonly Misfit[] {
  const value = concreteOf(body);
  return misfits(context, shape, nulls === "absent" ? withoutNulls(context, shape, value) : value);
}

function misfits(context: Context, shape: Shape, value: Known, depth = 0): readonly Misfit[] {
  if (value === wild || depth > 24) return [];
  if (shape.never) return [wrong("never")];
  const named = shape.ref === undefined ? undefined : context.shapes.get(shape.ref);
  return [
    ...(named === undefined ? [] : misfits(context, named, value, depth + 1)),
    ...ofType(shape, value),
    ...ofScalar(shape, value),
    ...(isKnownList(value) ? ofList(context, shape, value, depth) : []),
    ...(isKnownObject(value) ? ofObject(context, shape, value, depth) : []),
    ...ofParts(context, shape, value, depth),
  ];
}

function wrong(keyword: string, ...path: readonly string[]): Misfit {
  return { path, keyword };
}

function under(key: string, found: readonly Misfit[]): readonly Misfit[] {
  return found.map((each) => ({ ...each, path: [key, ...each.path] }));
}

function ofType({ types }: Shape, value: Known): readonly Misfit[] {
  return types.length === 0 || types.some((type) => isOf(type, value)) ? [] : [wrong("type")];
}

function isOf(type: JsonType, value: Known): boolean {
  if (type === "null") return value === null;
  if (type === "array") return isKnownList(value);
  if (type === "object") return isKnownObject(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

function ofScalar(shape: Shape, value: Known): readonly Misfit[] {
  const found: Misfit[] = [];
  const judge = (keyword: keyof Shape, fits: () => boolean): void => {
    if (shape[keyword] !== undefined && !fits()) found.push(wrong(keyword));
  };
  judge("const", () => same(shape.const, value));
  judge("enum", () => shape.enum?.some((each) => same(each, value)) === true);
  if (typeof value === "number") {
    judge("minimum", () => value >= (shape.minimum ?? value));
    judge("maximum", () => value <= (shape.maximum ?? value));
    if (shape.format === "int32") judge("format", () => Math.abs(value + 0.5) <= 2 ** 31);
    judge("exclusiveMinimum", () => value > (shape.exclusiveMinimum ?? -Infinity));
    judge("exclusiveMaximum", () => value < (shape.exclusiveMaximum ?? Infinity));
    judge("multipleOf", () => {
      const steps = value / (shape.multipleOf ?? 1);
      return Math.abs(steps - Math.round(steps)) < 1e-9;
    });
  }
  if (typeof value === "string") {
    judge("minLength", () => isAsLong(value, shape.minLength ?? 0));
    judge("maxLength", () => !isAsLong(value, (shape.maxLength ?? Infinity) + 1));
    judge("pattern", () => isMatch(shape.pattern ?? "", value));
    judge("format", () => isOfFormat(shape.format ?? "", value));
  }
  return found;
}

function ofList(context: Context, shape: Shape, items: readonly Known[], depth: number): readonly Misfit[] {
  const { minItems = 0, maxItems = Infinity, uniqueItems, contains, prefixItems = [] } = shape;
  const { minContains = 1, maxContains = Infinity } = shape;
  const found: Misfit[] = [];
  if (items.length < minItems) found.push(wrong("minItems"));
  if (items.length > maxItems) found.push(wrong("maxItems"));
  if (uniqueItems && new Set(items.map((each) => JSON.stringify(each))).size < items.length)
    found.push(wrong("uniqueItems"));
  for (const { kind, within, by = [] } of shape.limits ?? []) {
    if (kind !== "unique" || within !== "array") continue;
    const keys = items.map((each) => JSON.stringify(isKnownObject(each) ? by.map((name) => each[name]) : each));
    if (new Set(keys).size < keys.length) found.push(wrong("unique"));
  }
  if (contains !== undefined) {
    const count = items.filter((each) => misfits(context, contains, each, depth + 1).length === 0).length;
    if (count < minContains || count > maxContains) found.push(wrong("contains"));
  }
  // Of many items that are alike, the last says what the others say.
  const shown = items.length > 40 ? items.slice(-2) : items;
  const first = items.length - shown.length;
  const each = shown.flatMap((item, index) => {
    const of = prefixItems[first + index] ?? shape.items;
    return of === undefined ? [] : under(String(first + index), misfits(context, of, item, depth + 1));
  });
  return [...found, ...each];
}

function ofObject(
  context: Context,
  shape: Shape,
  value: Readonly<Record<string, Known>>,
  depth: number,
): readonly Misfit[] {
  const { properties = [], additionalProperties, patternProperties = {}, propertyNames } = shape;
  const keys = Object.keys(value);
  const { wanted, known } = namesOf(shape);
  const patterns = Object.entries(patternProperties);
  const found: Misfit[] = [...wanted].filter((name) => !(name in value)).map((name) => wrong("required", name));
  for (const [name, names] of Object.entries(shape.dependentRequired ?? {}))
    if (name in value)
      found.push(...names.filter((each) => !(each in value)).map((each) => wrong("dependentRequired", each)));
  if (keys.length < (shape.minProperties ?? 0)) found.push(wrong("minProperties"));
  if (keys.length > (shape.maxProperties ?? Infinity)) found.push(wrong("maxProperties"));
  for (const { name, shape: of } of properties)
    if (name in value) found.push(...under(name, misfits(context, of, value[name] ?? null, depth + 1)));
  for (const key of keys) {
    const matching = patterns.filter(([pattern]) => isMatch(pattern, key));
    for (const [, of] of matching) found.push(...under(key, misfits(context, of, value[key] ?? null, depth + 1)));
    if (propertyNames !== undefined && misfits(context, propertyNames, key, depth + 1).length > 0)
      found.push(wrong("propertyNames", key));
    if (additionalProperties !== undefined && !known.has(key) && matching.length === 0)
      found.push(...under(key, misfits(context, additionalProperties, value[key] ?? null, depth + 1)));
  }
  for (const [name, of] of Object.entries(shape.dependentSchemas ?? {}))
    if (name in value) found.push(...misfits(context, of, value, depth + 1));
  if (shape.unevaluatedProperties !== undefined) {
    const { unevaluatedProperties: others, ...beside } = shape;
    const seen = evaluatedBy(context, beside, value, depth);
    for (const key of keys)
      if (!seen.has(key)) found.push(...under(key, misfits(context, others, value[key] ?? null, depth + 1)));
  }
  return found;
}

interface Names {
  /** That a value has to have. */
  readonly wanted: ReadonlySet<string>;
  /** That the shape has itself. */
  readonly known: ReadonlySet<string>;
}

const names = new WeakMap<Shape, Names>();

/** Worked out once: very many values are judged by the same shape. */
function namesOf(shape: Shape): Names {
  const { properties = [], required = [] } = shape;
  const found = names.get(shape) ?? {
    wanted: new Set([...required, ...properties.filter((each) => each.required).map(({ name }) => name)]),
    known: new Set(properties.map(({ name }) => name)),
  };
  names.set(shape, found);
  return found;
}

/** The fields that something in a shape has judged; of a choice, those of the forms that fit. */
function evaluatedBy(
  context: Context,
  shape: Shape,
  value: Readonly<Record<string, Known>>,
  depth: number,
): ReadonlySet<string> {
  const keys = Object.keys(value);
  if (depth > 24 || shape.additionalProperties !== undefined || shape.unevaluatedProperties !== undefined)
    return new Set(keys);
  const fits = (each: Shape): boolean => misfits(context, each, value, depth + 1).length === 0;
  const named = shape.ref === undefined ? undefined : context.shapes.get(shape.ref);
  const { if: condition, then, else: otherwise, allOf = [], anyOf = [], oneOf = [] } = shape;
  const isMet = condition !== undefined && fits(condition);
  const within = [
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
    ...within.flatMap((each) => [...evaluatedBy(context, each, value, depth + 1)]),
  ]);
}

function ofParts(context: Context, shape: Shape, value: Known, depth: number): readonly Misfit[] {
  const judge = (each: Shape): readonly Misfit[] => misfits(context, each, value, depth + 1);
  const found: Misfit[] = (shape.allOf ?? []).flatMap(judge);
  if (shape.anyOf !== undefined) found.push(...ofChoice(shape.anyOf.map(judge), false));
  if (shape.oneOf !== undefined) found.push(...ofChoice(shape.oneOf.map(judge), true));
  if (shape.not !== undefined && judge(shape.not).length === 0) found.push({ ...wrong("not"), vague: true });
  if (shape.if !== undefined) {
    const follows = judge(shape.if).length === 0 ? shape.then : shape.else;
    if (follows !== undefined) found.push(...judge(follows));
  }
  return found;
}

/** What is wrong with the form that was meant: the only one whose fixed values were sent. */
function ofChoice(branches: readonly (readonly Misfit[])[], onlyOne: boolean): readonly Misfit[] {
  const fitting = branches.filter((each) => each.length === 0).length;
  if (fitting === 1 || (fitting > 1 && !onlyOne)) return [];
  if (fitting > 1) return [{ ...wrong("oneOf"), vague: true }];
  const tagged = branches.filter((found) => !found.some(({ keyword, path }) => keyword === "const" && path.length < 2));
  const [meant] = tagged;
  if (tagged.length === 1 && meant !== undefined) return meant;
  return [{ ...wrong("union"), vague: true }];
}

/** A null in a field that takes none counts as nothing sent. */
function withoutNulls(context: Context, shape: Shape, value: Known): Known {
  if (isKnownList(value)) {
    const items = alwaysOf(context, shape).find((each) => each.items !== undefined)?.items;
    return items === undefined ? value : value.map((each) => withoutNulls(context, items, each));
  }
  if (!isKnownObject(value)) return value;
  const layers = branchesWith(context, shape);
  const kept = Object.entries(value).flatMap(([name, each]): readonly (readonly [string, Known])[] => {
    const shapes = layers.flatMap((layer) => layer.properties?.find((property) => property.name === name)?.shape ?? []);
    const [own] = shapes;
    if (own === undefined) return [[name, each]];
    if (each === null && !shapes.some((of) => misfits(context, of, null).length === 0)) return [];
    return [[name, withoutNulls(context, own, each)]];
  });
  return Object.fromEntries(kept);
}

export function same(a: Json | undefined, b: Known): boolean {
  if (typeof a !== "object" || a === null) return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}
