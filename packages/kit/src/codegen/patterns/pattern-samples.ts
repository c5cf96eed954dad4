import type { AST } from "@eslint-community/regexpp";
import { matchesPattern } from "../../model/index.js";
import { parsePattern } from "./parse-pattern.js";

/** Bounds of a text, in characters. */
export interface TextBounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Texts that match a pattern and have a length within bounds: one for each of its first alternatives, in a stable order. It is
 * empty for a pattern that is not a regular expression of JavaScript, and may be for one with assertions.
 */
export function patternSamples(pattern: string, { least, most }: TextBounds): readonly string[] {
  const expression = parsePattern(pattern);
  if (expression === undefined) return [];
  const samples = new Set<string>();
  for (let choice = 0; choice < maxAlternatives; choice += 1) {
    const shortest = print(expression, { choice, extra: 0 });
    // Repetitions are lengthened, and a pattern without an end is continued.
    const longer = print(expression, { choice, extra: Math.max(0, least - lengthOf(shortest)) });
    for (const text of [shortest, longer, longer.padEnd(Math.min(least, maxSteps), "a")])
      if (lengthOf(text) >= least && lengthOf(text) <= most && matchesPattern(pattern, text)) samples.add(text);
  }
  return [...samples];
}

/**
 * Texts in which one bounded repetition of a pattern has its smallest and its largest count, and one item less and one more. Other
 * repetitions are as short as possible. The names tell the bound, such as `at-most-62`; some texts may match all the same.
 */
export function repetitionTexts(pattern: string): Readonly<Record<string, string>> {
  const expression = parsePattern(pattern);
  if (expression === undefined) return {};
  const texts: Record<string, string> = {};
  const quantifiers = quantifiersOf(expression.alternatives, 0).slice(0, maxQuantifiers);
  for (const { quantifier, choice } of quantifiers) {
    const { min, max } = quantifier;
    const isBounded = Number.isFinite(max) && max > 1 && max <= maxRepetitions;
    const counts: Readonly<Record<string, number>> = isBounded
      ? { most: max, above: max + 1, ...(min > 1 ? { below: min - 1 } : {}) }
      : {};
    for (const [what, count] of Object.entries(counts)) {
      const text = print(expression, { choice, extra: 0, forced: { quantifier, count } });
      if (!Object.values(texts).includes(text)) texts[`${what}-${count}-of-${max}`] ??= text;
    }
  }
  return texts;
}

const maxQuantifiers = 6;
const maxRepetitions = 200;

interface FoundQuantifier {
  readonly quantifier: AST.Quantifier;
  /** The alternative of each group that leads to it. */
  readonly choice: number;
}

function quantifiersOf(alternatives: readonly AST.Alternative[], choice: number): readonly FoundQuantifier[] {
  return alternatives.flatMap(({ elements }, index) =>
    elements.flatMap((element) => quantifiersIn(element, alternatives.length > 1 ? index : choice)),
  );
}

function quantifiersIn(element: AST.Element, choice: number): readonly FoundQuantifier[] {
  if (element.type === "Quantifier")
    return [{ quantifier: element, choice }, ...quantifiersIn(element.element, choice)];
  return element.type === "Group" || element.type === "CapturingGroup"
    ? quantifiersOf(element.alternatives, choice)
    : [];
}

/** True when an element contains a quantifier, so that it must occur. */
function hasQuantifier(element: AST.Element, sought: AST.Quantifier): boolean {
  return quantifiersIn(element, 0).some(({ quantifier }) => quantifier === sought);
}

/** How many alternatives of each group are tried. */
const maxAlternatives = 4;

/** Elements of a sample, a bound of the work. */
const maxSteps = 8192;

interface Progress {
  /** The alternative of each group, as far as it has so many. */
  readonly choice: number;
  /** Characters that repetitions may add to their minimum. */
  extra: number;
  /** The text of each group so far. */
  readonly groups: Map<AST.CapturingGroup, string>;
  /** Elements so far. Without a bound, repetitions of nothing would multiply. */
  steps: number;
  /** A repetition with a fixed count. */
  readonly forced?: { readonly quantifier: AST.Quantifier; readonly count: number };
}

function print(pattern: AST.Pattern, options: Pick<Progress, "choice" | "extra" | "forced">): string {
  return printAlternatives(pattern.alternatives, { ...options, groups: new Map(), steps: 0 });
}

function printAlternatives(alternatives: readonly AST.Alternative[], progress: Progress): string {
  const chosen = alternatives[Math.min(progress.choice, alternatives.length - 1)];
  return (chosen?.elements ?? []).map((element) => printElement(element, progress)).join("");
}

function printElement(element: AST.Element, progress: Progress): string {
  progress.steps += 1;
  switch (element.type) {
    case "Assertion":
      return "";
    case "Quantifier":
      return printQuantifier(element, progress);
    case "Group":
      return printAlternatives(element.alternatives, progress);
    case "CapturingGroup": {
      const text = printAlternatives(element.alternatives, progress);
      progress.groups.set(element, text);
      return text;
    }
    case "Backreference": {
      const [group] = [element.resolved].flat();
      return (group && progress.groups.get(group)) ?? "";
    }
    default:
      return characterOf(element.raw);
  }
}

function printQuantifier(quantifier: AST.Quantifier, progress: Progress): string {
  const { forced } = progress;
  const { element } = quantifier;
  const isForced = forced?.quantifier === quantifier;
  const isOnWay = forced !== undefined && !isForced && hasQuantifier(element, forced.quantifier);
  const min = isForced ? forced.count : isOnWay ? Math.max(1, quantifier.min) : quantifier.min;
  const max = isForced ? forced.count : quantifier.max;
  const parts: string[] = [];
  while (parts.length < max && progress.steps < maxSteps) {
    const isNeeded = parts.length < min;
    if (!isNeeded && progress.extra <= 0) break;
    const part = printElement(element, progress);
    parts.push(part);
    if (!isNeeded) progress.extra -= Math.max(1, lengthOf(part));
  }
  return parts.join("");
}

/** The first character that a set or a character of a pattern matches. */
function characterOf(raw: string): string {
  const cached = characters.get(raw);
  if (cached !== undefined) return cached;
  const expression = new RegExp(`^(?:${raw})$`, "u");
  const character = candidates.find((each) => expression.test(each)) ?? "";
  characters.set(raw, character);
  return character;
}

const characters = new Map<string, string>();

/** Readable characters first, then the rest of ASCII, and the first of some scripts. */
const candidates: readonly string[] = [
  ...Array.from("a1Abcdefghijklmnopqrstuvwxyz023456789BCDEFGHIJKLMNOPQRSTUVWXYZ-_. /:"),
  ...Array.from({ length: 128 }, (_, code) => String.fromCodePoint(code)),
  ...Array.from("éßñαж日あ한אا\u00A0\u2028€😀"),
];

function lengthOf(text: string): number {
  return Array.from(text).length;
}
