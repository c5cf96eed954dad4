import * as fc from "fast-check";
import type { Api, Json, JsonType } from "../model.js";
import { typesOf, valuesOf, type Form } from "./forms.js";
import { breaking, type Break, type Made } from "./made.js";
import { formats, lengthOf, textRuleOf, texts, type TextRule } from "./texts.js";

/** One of the listed values. */
export function listed(values: readonly Json[]): fc.Arbitrary<Made> {
  const breaks = ["no such value", -7, true, [], {}]
    .filter((each) => !values.includes(each))
    .map((each) => breaking("value", each));
  return fc.constantFrom(...values).map((value) => ({ value, breaks: () => breaks }));
}

/** Values of other types, without null, which may count as absent. */
export function wrongTypes(form: Form): readonly Break[] {
  const types = typesOf(form) ?? [];
  if (types.length === 0 || valuesOf(form) !== undefined) return [];
  const others: readonly (readonly [JsonType, Json])[] = [
    ["string", "text"],
    ["number", 1.5],
    ["boolean", true],
    ["array", []],
    ["object", {}],
    ...(types.includes("number") ? [] : [["integer", 1] as const]),
  ];
  return others.filter(([type]) => !types.includes(type)).map(([, value]) => breaking("type", value));
}

export function numbers(form: Form, isInteger: boolean): fc.Arbitrary<Made> {
  const { min, max, isOpenBelow, isOpenAbove } = rangeOf(form, isInteger);
  const values = isInteger
    ? integers(min, max)
    : fc.double({ min, max, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  const breaks = [
    ...(isOpenBelow ? [] : [breaking("too small", min - 1)]),
    ...(isOpenAbove ? [] : [breaking("too large", max + 1)]),
    ...(isInteger && isOpenAbove ? [breaking("inexact", 2 ** 53), breaking("inexact", 1e300)] : []),
  ];
  return values.map((value) => ({ value, breaks: () => breaks }));
}

function integers(min: number, max: number): fc.Arbitrary<number> {
  const near = [min, min + 1, max - 1, max].filter((each) => each >= min && each <= max);
  return fc.oneof(
    fc.integer({ min, max }),
    fc.constantFrom(...near),
    fc.integer({ min, max: Math.min(max, min + 1000) }),
  );
}

interface Range {
  readonly min: number;
  readonly max: number;
  /** True without an upper bound. */
  readonly isOpenBelow: boolean;
  readonly isOpenAbove: boolean;
}

function rangeOf(form: Form, isInteger: boolean): Range {
  const step = isInteger ? 1 : Number.EPSILON;
  const mins = form.flatMap(({ minimum, exclusiveMinimum: above }) =>
    [minimum ?? [], above === undefined ? [] : above + step].flat(),
  );
  const maxs = form.flatMap(({ maximum, exclusiveMaximum: below }) =>
    [maximum ?? [], below === undefined ? [] : below - step].flat(),
  );
  const most = form.some(({ format }) => format === "int32") ? 2 ** 31 - 1 : isInteger ? Number.MAX_SAFE_INTEGER : 1e9;
  return {
    min: mins.length === 0 ? -most : Math.max(...mins),
    max: maxs.length === 0 ? most : Math.min(...maxs),
    isOpenBelow: mins.length === 0,
    isOpenAbove: maxs.length === 0,
  };
}

export function strings(form: Form, scopes: Api["scopeGrammar"]): fc.Arbitrary<Made> {
  const rule = textRuleOf(form);
  if (scopes !== undefined && form.some(({ scopeCeiling }) => scopeCeiling !== undefined)) return scopeTexts(scopes);
  return texts(rule).map((value) => ({ value, breaks: () => textBreaks(value, rule) }));
}

function textBreaks(value: string, { patterns, excluded, format, min, max }: TextRule): readonly Break[] {
  const characters = [...value];
  const breaks: Break[] = [];
  if (min > 0) breaks.push(breaking("too short", characters.slice(0, min - 1).join("")));
  if (max !== undefined) {
    const more = characters.at(-1) ?? "a";
    breaks.push({ field: "", kind: "too long", value: () => value + more.repeat(max + 1 - characters.length) });
  }
  const isAllowed = (text: string): boolean => lengthOf(text) >= min && lengthOf(text) <= (max ?? Infinity);
  for (const pattern of patterns) {
    const compiled = new RegExp(pattern, "u");
    const [first = "a", ...rest] = characters;
    const wrong = ["\0", " ", "!", "😀", "é", "a", "--"].flatMap((strange) => [
      strange + rest.join(""),
      first + strange + rest.slice(1).join(""),
    ]);
    const found = wrong.find((text) => isAllowed(text) && !compiled.test(text));
    if (found !== undefined) breaks.push(breaking("pattern", found));
  }
  for (const pattern of excluded) {
    const compiled = new RegExp(pattern, "u");
    const [first = "a", ...rest] = characters;
    const wrong = ["--", "__", ".."].map((strange) => first + strange + rest.join(""));
    const matchesAll = (text: string): boolean => patterns.every((each) => new RegExp(each, "u").test(text));
    const found = wrong.find((text) => isAllowed(text) && matchesAll(text) && compiled.test(text));
    if (found !== undefined) breaks.push(breaking("pattern", found));
  }
  const { invalid = [] } = format === undefined ? {} : (formats[format] ?? {});
  return [...breaks, ...invalid.filter(isAllowed).map((text) => breaking("format", text))];
}

function scopeTexts({ areas, levels, all, separator }: NonNullable<Api["scopeGrammar"]>): fc.Arbitrary<Made> {
  const one = fc
    .tuple(fc.constantFrom(...areas), fc.constantFrom(...Object.keys(levels)))
    .map((parts) => parts.join(":"));
  const breaks = [
    "instances:destroy",
    `${areas[0]}:`,
    `${areas[0]}:read_only${separator}`,
    "anything",
    [all, all].join(separator),
    [`${areas[0]}:read_only`, all].join(separator),
  ].map((text) => breaking("scopes", text));
  return fc
    .oneof(fc.constant([all]), fc.array(one, { minLength: 1, maxLength: 4 }))
    .map((scopes) => ({ value: scopes.join(separator), breaks: () => breaks }));
}
