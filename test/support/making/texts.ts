import * as fc from "fast-check";
import type { Form } from "./forms.js";

/** The constraints of a text. */
export interface TextRule {
  readonly patterns: readonly string[];
  /** Patterns that it must not match. */
  readonly excluded: readonly string[];
  readonly format: string | undefined;
  readonly min: number;
  /** Absent: no bound. */
  readonly max: number | undefined;
}

export function textRuleOf(form: Form): TextRule {
  const most = form.flatMap(({ maxLength }) => maxLength ?? []);
  return {
    patterns: [...new Set(form.flatMap(({ pattern }) => pattern ?? []))],
    excluded: [...new Set(form.flatMap(({ not }) => not?.pattern ?? []))],
    format: form.map(({ format }) => format).find((format) => format !== undefined && Object.hasOwn(formats, format)),
    min: Math.max(0, ...form.map(({ minLength = 0 }) => minLength)),
    max: most.length === 0 ? undefined : Math.min(...most),
  };
}

/** Valid texts, among them the shortest and the longest ones, if found. */
export function texts(rule: TextRule): fc.Arbitrary<string> {
  const key = JSON.stringify(rule);
  const known = made.get(key) ?? make(rule);
  made.set(key, known);
  return known;
}

const made = new Map<string, fc.Arbitrary<string>>();

/** Characters that are one code point, though not all are one unit, or one byte. */
export function lengthOf(text: string): number {
  return [...text].length;
}

function make(rule: TextRule): fc.Arbitrary<string> {
  const fitting = candidates(rule).filter((text) => fits(text, rule));
  const [sample = ""] = fc.sample(fitting, { numRuns: 1, seed: 1 });
  const edges = [rule.min, rule.min + 1, ...(rule.max === undefined ? [] : [rule.max - 1, rule.max])].flatMap(
    (length) => ofLength(sample, length, rule),
  );
  return edges.length === 0 ? fitting : fc.oneof({ weight: 3, arbitrary: fitting }, fc.constantFrom(...new Set(edges)));
}

function candidates({ patterns: [pattern], format, min, max }: TextRule): fc.Arbitrary<string> {
  const own = format === undefined ? undefined : formats[format];
  if (own !== undefined) return own.valid;
  // fast-check does not support lookarounds: the filter checks them.
  if (pattern !== undefined)
    return fc.stringMatching(new RegExp(pattern.replaceAll(/\(\?<?[!=](?:[^()]|\([^()]*\))*\)/g, ""), "u"));
  const bounds = { minLength: min, maxLength: Math.min(max ?? 40, Math.max(40, min)) };
  return fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: anyCharacter }));
}

// The unit `binary` of fast-check needs a second to create: it maps every character back to its number.
const surrogates = { first: 0xd800, count: 0x800 };
const anyCharacter = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map((number) => String.fromCodePoint(number < surrogates.first ? number : number + surrogates.count));

function fits(text: string, { patterns, excluded, min, max }: TextRule): boolean {
  const length = lengthOf(text);
  if (length < min || length > (max ?? Infinity)) return false;
  const matches = (pattern: string): boolean => new RegExp(pattern, "u").test(text);
  return patterns.every(matches) && !excluded.some(matches);
}

/** A text of a valid length, extended by repeating a part of a valid one. */
function ofLength(sample: string, length: number, rule: TextRule): readonly string[] {
  if (length < rule.min || length > (rule.max ?? Infinity) || rule.format !== undefined) return [];
  const isFit = (text: string): boolean => lengthOf(text) === length && fits(text, rule);
  const stems = [
    sample,
    ...(rule.patterns.length === 0 ? [] : ["a", "aa", "a.a", "a.aa", "*.a.aa", "0", "1.1", "https://a"]),
  ].filter((stem) => stem.length <= length && fits(stem, rule));
  for (const stem of stems) {
    for (let from = 0; from < stem.length; from += 1) {
      for (let to = from + 1; to <= Math.min(stem.length, from + 4); to += 1) {
        const part = stem.slice(from, to);
        const longer =
          stem.slice(0, from) +
          part.repeat(1 + Math.max(0, Math.floor((length - stem.length) / part.length))) +
          stem.slice(to);
        if (isFit(longer)) return [longer];
      }
    }
  }
  const any = "é".repeat(length);
  return isFit(any) ? [any] : [];
}

// `fc.webUrl` needs a second to create: it maps every character back to its encoding.
const uris = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.domain(),
    fc.array(fc.stringMatching(/^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-F]{2}){0,8}$/), { maxLength: 4 }),
  )
  .map(([scheme, domain, segments]) => `${scheme}://${domain}${segments.map((each) => `/${each}`).join("")}`);

interface Format {
  readonly valid: fc.Arbitrary<string>;
  readonly invalid: readonly string[];
}

/** Formats that texts are validated by: some that fit, some that do not. */
export const formats: Readonly<Record<string, Format>> = {
  email: {
    valid: fc.emailAddress({ size: "small" }),
    invalid: ["no address", "two@@example.com", "a@", "@example.com", "a@-example.com", "a.@example.com"],
  },
  "date-time": {
    valid: fc
      .date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
      .map((date) => date.toISOString()),
    invalid: ["2026-02-30T00:00:00Z", "2026-01-01 00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01", "tomorrow"],
  },
  ipv4: { valid: fc.ipV4(), invalid: ["256.1.1.1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.4/8"] },
  ipv6: { valid: fc.ipV6(), invalid: ["1::2::3", "12345::", ":::", "::1%eth0", "1:2:3:4:5:6:7:8:9"] },
  uuid: { valid: fc.uuid(), invalid: ["x", "urn:uuid:00000000-0000-4000-8000-000000000000"] },
  uri: { valid: uris, invalid: ["no address", "http://[::", "http://example.com/%zz"] },
};
