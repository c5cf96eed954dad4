import type { AST } from "@eslint-community/regexpp";
import type { Template } from "@plumbline/conformance-runtime";
import { parsePattern } from "@plumbline/kit/codegen/patterns";

export interface UniqueTextOptions {
  readonly format: string | undefined;
  /** The regular expression that the text has to match. */
  readonly expression: string | undefined;
  /** The allowed lengths, in characters. */
  readonly least: number;
  readonly most: number;
  readonly isValid: (text: Template) => boolean;
}

/** A new text for each use that fits: a label if one does, else a text with the characters that the expression allows at each place. */
export function uniqueText({ format, expression, least, most, isValid }: UniqueTextOptions): Template {
  const label: Template = { $unique: /domain|host/.test(String(format)) ? "domain" : "label" };
  const usual: readonly Template[] = [
    ...(format === "email" ? [{ $text: [{ $unique: "label" }, "@example.com"] }] : []),
    ...(format === "uri" || format === "url" ? [{ $text: ["https://example.com/", { $unique: "label" }] }] : []),
    ...(format === "uuid" ? [{ $unique: uuidPlaces }] : []),
  ];
  const places = expression === undefined ? plainPlaces(least, most) : placesOfExpression(expression, { least, most });
  const written = places === undefined ? [] : [{ $unique: places } satisfies Template];
  // A label is longer in a run than its sample.
  return [...(most >= longestLabel ? [label] : []), ...usual, ...written, label].find(isValid) ?? label;
}

/** Whole numbers with as many digits as the greatest allowed one has, or ten. */
export function uniqueNumber(most: number | undefined): Template {
  const digits = most === undefined ? 10 : Math.max(String(Math.floor(most)).length - 1, 1);
  return { $number: { $unique: ["1-9", ...Array.from({ length: digits - 1 }, () => "0-9")] } };
}

const longestLabel = 32;

/** So many digits in a place are enough for all values of a run. */
const wantedValues = 1e12;

const hex = "0123456789abcdef";
const uuidPlaces = "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".split("").map((each) => (each === "x" ? hex : each));

function plainPlaces(least: number, most: number): readonly string[] | undefined {
  const length = Math.max(least, Math.min(most, 12));
  return length < 1 || length > 1000
    ? undefined
    : ["a-z", ...Array.from({ length: length - 1 }, () => lettersAndDigits)];
}

const lettersAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789";

/** A part of a regular expression: the characters of its places, and how often it may occur. */
interface ExpressionPart {
  readonly places: readonly string[];
  readonly fewest: number;
  readonly most: number;
}

export interface ExpressionSize {
  /** The allowed lengths, in characters. */
  readonly least: number;
  readonly most: number;
  /** How many different texts are wanted. Default: enough for a run. */
  readonly values?: number;
}

/** The characters at each place of a matching text. Undefined for an expression with other constructs than characters, sets and groups. */
export function placesOfExpression(
  expression: string,
  { least, most, values = wantedValues }: ExpressionSize,
): readonly string[] | undefined {
  const [first] = parsePattern(expression)?.alternatives ?? [];
  const parts = first && partsOf(first);
  if (parts === undefined) return undefined;
  const times = parts.map(({ fewest }) => fewest);
  const lengthOf = (): number => parts.reduce((sum, { places }, index) => sum + places.length * (times[index] ?? 0), 0);
  const valuesOf = (): number =>
    parts.reduce((all, { places }, index) => all * countOf(places) ** (times[index] ?? 0), 1);
  for (let isGrowing = true; isGrowing && (lengthOf() < least || valuesOf() < values);) {
    const next = parts.findIndex(
      ({ places, most: often }, index) =>
        countOf(places) > 1 && (times[index] ?? 0) < often && lengthOf() + places.length <= Math.min(most, 200),
    );
    isGrowing = next >= 0;
    if (isGrowing) times[next] = (times[next] ?? 0) + 1;
  }
  return parts.flatMap(({ places }, index) => Array.from({ length: times[index] ?? 0 }, () => places).flat());
}

function countOf(places: readonly string[]): number {
  return places.reduce((all, place) => all * (isRange(place) ? rangeOf(place).length : place.length), 1);
}

function isRange(place: string): boolean {
  return place.length === 3 && place[1] === "-";
}

/** A repetition without an end has so many more than its minimum. */
const maxRepetitions = 60;

function partsOf({ elements }: AST.Alternative): readonly ExpressionPart[] | undefined {
  const parts: ExpressionPart[] = [];
  for (const each of elements) {
    if (each.type === "Assertion" && (each.kind === "start" || each.kind === "end")) continue;
    const [element, min, max] = each.type === "Quantifier" ? [each.element, each.min, each.max] : [each, 1, 1];
    const places = placesOf(element);
    if (places === undefined) return undefined;
    parts.push({ places, fewest: min, most: Number.isFinite(max) ? max : min + maxRepetitions });
  }
  return parts;
}

/** The characters at each place of an element. A group matches its first alternative, as often as that needs to match at all. */
function placesOf(element: AST.Element): readonly string[] | undefined {
  switch (element.type) {
    case "Character":
      return [String.fromCodePoint(element.value)];
    case "CharacterSet":
    case "CharacterClass": {
      const place = compact([...new Set(charactersOf(element))].filter((each) => /[!-~]/.test(each)).join(""));
      return place === "" ? undefined : [place];
    }
    case "Group":
    case "CapturingGroup": {
      const [first] = element.alternatives;
      const parts = first && partsOf(first);
      return parts?.flatMap(({ places, fewest }) => Array.from({ length: fewest }, () => places).flat());
    }
    default:
      return undefined;
  }
}

function charactersOf(element: AST.CharacterClass | AST.CharacterClass["elements"][number] | AST.CharacterSet): string {
  switch (element.type) {
    case "Character":
      return String.fromCodePoint(element.value);
    case "CharacterClassRange":
      return rangeOf(`${String.fromCodePoint(element.min.value)}-${String.fromCodePoint(element.max.value)}`);
    case "CharacterSet":
      if (element.kind === "any") return lettersAndDigits;
      if (element.kind === "property" || element.negate) return "";
      return { digit: "0123456789", word: lettersAndDigits, space: "" }[element.kind];
    case "CharacterClass":
      return element.negate ? "" : element.elements.map(charactersOf).join("");
    default:
      return "";
  }
}

function rangeOf(span: string): string {
  const [from, to] = [span.charCodeAt(0), span.charCodeAt(2)];
  return Array.from({ length: Math.max(to - from + 1, 0) }, (_, index) => String.fromCharCode(from + index)).join("");
}

/** `0-9` for `0123456789`. Three characters of which the second is a hyphen would read as a range, so they are reordered. */
function compact(place: string): string {
  const span = `${place[0] ?? ""}-${place.at(-1) ?? ""}`;
  if (place.length > 3 && rangeOf(span) === place) return span;
  return isRange(place) ? `-${place.replace("-", "")}` : place;
}
