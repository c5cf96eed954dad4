import type { Template } from "@plumbline/conformance-runtime";

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
  const inner = expression.replace(/^\^/, "").replace(/\$$/, "");
  const read = readSequence(inner, 0);
  if (read === undefined || read.end !== inner.length) return undefined;
  const { parts } = read;
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

interface ReadParts {
  readonly parts: readonly ExpressionPart[];
  readonly end: number;
}

/** Reads until the end, or the end of a group. */
function readSequence(text: string, start: number): ReadParts | undefined {
  const parts: ExpressionPart[] = [];
  let at = start;
  while (at < text.length && text[at] !== ")" && text[at] !== "|") {
    const atom = readAtom(text, at);
    if (atom === undefined) return undefined;
    const [all = "", fewest = "", comma = "", most = ""] =
      /^(?:\{(\d+)(,?)(\d*)\}|[*+?])\??/.exec(text.slice(atom.end)) ?? [];
    const many = { "*": [0, 60], "+": [1, 60], "?": [0, 1] }[all[0] ?? ""] ?? [1, 1];
    const low = all.startsWith("{") ? Number(fewest) : (many[0] ?? 1);
    const high = all.startsWith("{") ? (comma === "" ? low : most === "" ? low + 60 : Number(most)) : (many[1] ?? 1);
    parts.push({ places: atom.places, fewest: low, most: high });
    at = atom.end + all.length;
  }
  return { parts, end: at };
}

interface ReadAtom {
  readonly places: readonly string[];
  readonly end: number;
}

function readAtom(text: string, at: number): ReadAtom | undefined {
  const one = text[at] ?? "";
  if (one === "(") return readGroup(text, at);
  if (one === "[") return readSet(text, at);
  if (one === ".") return { places: [lettersAndDigits], end: at + 1 };
  if (one === "\\") {
    const next = text[at + 1] ?? "";
    const known = escapes[next] ?? (/[A-Za-z0-9]/.test(next) ? undefined : next);
    return known === undefined || known === "" ? undefined : { places: [known], end: at + 2 };
  }
  return /[*+?{}^$\]]/.test(one) ? undefined : { places: [one], end: at + 1 };
}

const escapes: Readonly<Record<string, string>> = { d: "0123456789", w: lettersAndDigits };

/** A group matches its first alternative, as often as that needs to match at all. */
function readGroup(text: string, at: number): ReadAtom | undefined {
  if (text[at + 1] === "?" && text[at + 2] !== ":") return undefined;
  const inner = readSequence(text, text[at + 1] === "?" ? at + 3 : at + 1);
  if (inner === undefined) return undefined;
  let end = inner.end;
  while (text[end] === "|") {
    const other = readSequence(text, end + 1);
    if (other === undefined) return undefined;
    end = other.end;
  }
  if (text[end] !== ")") return undefined;
  const places = inner.parts.flatMap(({ places: own, fewest }) => Array.from({ length: fewest }, () => own).flat());
  return { places, end: end + 1 };
}

function readSet(text: string, at: number): ReadAtom | undefined {
  const [all, content = ""] = /^\[((?:[^\]\\]|\\.)+)\]/.exec(text.slice(at)) ?? [];
  if (all === undefined || content.startsWith("^")) return undefined;
  const characters: string[] = [];
  const units = [...content.matchAll(/\\(.)|(.)/gs)].map(([, escaped, plain]) =>
    escaped === undefined ? (plain ?? "") : (escapes[escaped] ?? escaped),
  );
  for (let index = 0; index < units.length; index++) {
    const [first = "", mark, last] = units.slice(index, index + 3);
    const isSpan = mark === "-" && last?.length === 1 && first.length === 1;
    characters.push(isSpan ? rangeOf(`${first}-${last}`) : first);
    if (isSpan) index += 2;
  }
  const place = [...new Set(characters.join(""))].filter((each) => /[!-~]/.test(each)).join("");
  return place === "" ? undefined : { places: [compact(place)], end: at + all.length };
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
