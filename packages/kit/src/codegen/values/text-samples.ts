import { characterCount, matchesPattern, maxTestedLength, type Schema, sizeLimits } from "../../model/index.js";
import { patternSamples } from "../patterns/pattern-samples.js";
import { formatTexts, isOfFormat } from "./formats.js";
import { take } from "./sample-source.js";

/** Texts that have the formats, the patterns and the lengths of schemas, the plainest first. */
export function* textSamples(layers: readonly Schema[]): Generator<string> {
  const { least = 0, most = Infinity } = sizeLimits("characters", layers);
  if (least > maxTestedLength || least > most) return;
  const patterns = layers.flatMap(({ pattern }) => pattern ?? []);
  const formats = layers.flatMap(({ format }) => format ?? []);
  const isFit = (text: string): boolean => {
    const length = characterCount(text);
    return (
      length >= least &&
      length <= most &&
      patterns.every((each) => matchesPattern(each, text)) &&
      formats.every((each) => isOfFormat(each, text))
    );
  };
  const bases: string[] = [];
  for (const text of baseTexts({ patterns, formats, least, most })) {
    if (!isFit(text)) continue;
    bases.push(text);
    yield text;
  }
  for (const base of bases.slice(0, maxBases))
    for (const text of take(changedTexts(base), maxChanges)) if (isFit(text)) yield text;
}

const maxBases = 3;
const maxChanges = 500;

interface TextRules {
  readonly patterns: readonly string[];
  readonly formats: readonly string[];
  readonly least: number;
  readonly most: number;
}

function* baseTexts({ patterns, formats, least, most }: TextRules): Generator<string> {
  for (const format of formats) yield* formatTexts(format, least);
  yield* plainTexts;
  for (const character of ["x", "1", "A"]) yield character.repeat(least);
  yield "text".slice(0, Math.max(0, Math.min(most, 4)));
  for (const pattern of patterns) {
    yield* patternSamples(pattern, { least, most });
    for (const text of patternSamples(pattern, { least: 0, most })) yield text.padStart(least, "a");
  }
}

const plainTexts = [
  "text",
  "a",
  "1",
  "a1",
  "A1b2",
  "example-1",
  "example.com",
  "2001:db8::1",
  "192.0.2.1",
  "/path",
  "https://example.com/",
];

/** Texts that differ from another one in a number at the end, or in one character: for lists without equal items. */
function* changedTexts(text: string): Generator<string> {
  for (let number = 2; number <= maxNumbered; number += 1) yield `${text}${number}`;
  const letters = Array.from(text);
  for (let index = letters.length - 1; index >= 0; index -= 1)
    for (const other of replacements) yield letters.with(index, other).join("");
}

const maxNumbered = 50;
const replacements = Array.from("123456789abcdefghijklmnopqrstuvwxyz0ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. ");
