import { characterCount } from "@plumbline/kit/model";

/** Texts of exactly this length that may be valid, the likeliest first. `salt` distinguishes them from those of other cases. */
export function* textsOfLength(
  length: number,
  { salt, like }: { readonly salt: string; readonly like: string },
): Generator<string> {
  if (length < 0) return;
  for (const each of textsAbout(length, salt, like)) if (characterCount(each) === length) yield each;
}

/** A generator, since texts may be long and the first one is often valid. */
function* textsAbout(length: number, salt: string, like: string): Generator<string> {
  const salted = salt.slice(0, length);
  yield salted.padEnd(length, "a");
  yield salted.toUpperCase().padEnd(length, "A");
  yield "1".repeat(length);
  const letters = Array.from(like);
  const room = length - letters.length;
  if (room >= 0) {
    yield letters.map((each, index) => (index === 0 ? each + "a".repeat(room) : each)).join("");
    yield `${"a".repeat(room)}${like}`;
    yield `${like}${"a".repeat(room)}`;
    yield `${like}${"1".repeat(room)}`;
    yield `${like.slice(0, -1)}${"a".repeat(room)}${like.slice(-1)}`;
  }
  yield* hosts(length, salt);
  yield* mails(length, salt);
}

/** The first valid text. */
export function firstFitting<T>(all: Iterable<T>, fits: (each: T) => boolean): T | undefined {
  for (const each of all) if (fits(each)) return each;
  return undefined;
}

/** This many characters of two UTF-16 units and four UTF-8 bytes each. */
export function astralText(length: number): string {
  return "😀".repeat(length);
}

function hosts(length: number, salt: string): readonly string[] {
  const end = ".example.com";
  let room = length - end.length;
  if (room < 1) return [];
  const labels: string[] = [];
  while (room > 0) {
    // One less, to avoid a lone period.
    const size = Math.min(room === 64 ? 62 : 63, room);
    labels.push((labels.length === 0 ? salt : "").slice(0, size).padEnd(size, "a"));
    room -= size + 1;
  }
  return [`${labels.join(".")}${end}`, `${labels.join(".")}${end}.`.slice(1)];
}

function mails(length: number, salt: string): readonly string[] {
  return hosts(length - 2, salt).map((host) => `a@${host}`);
}

/** Changes of a valid text, by name. Some results may be valid. */
export function textChanges(text: string): Readonly<Record<string, string>> {
  const middle = Math.ceil(text.length / 2);
  const inserted = (mark: string): string => text.slice(0, middle) + mark + text.slice(middle);
  const marks: Record<string, string> = {};
  for (const [name, mark] of Object.entries(marked)) {
    marks[`${name}-first`] = mark + text.slice(1);
    marks[`${name}-last`] = text.slice(0, -1) + mark;
    marks[`${name}-within`] = text.slice(0, middle) + mark + text.slice(middle + 1);
  }
  return {
    "period-after": `${text}.`,
    "newline-after": `${text}\n`,
    "newline-and-more-after": `${text}\n!`,
    "newline-and-more-before": `!\n${text}`,
    "space-before": ` ${text}`,
    "space-after": `${text} `,
    "space-within": inserted(" "),
    "exclamation-mark-before": `!${text}`,
    "exclamation-mark-after": `${text}!`,
    "not-ascii": inserted("é"),
    astral: inserted("😀"),
    "control-character": inserted("\u0007"),
    "hyphens-in-a-row": inserted("--"),
    "underscores-in-a-row": inserted("__"),
    "periods-in-a-row": inserted(".."),
    blank: " ",
    ...marks,
  };
}

const marked: Readonly<Record<string, string>> = { hyphen: "-", underscore: "_", period: ".", letter: "x", digit: "7" };

/** Six lowercase letters and digits, a letter first, derived from the text. */
export function textSalt(text: string): string {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619) >>> 0;
  return `${String.fromCharCode(97 + (hash % 26))}${hash.toString(36).padStart(7, "0").slice(-5)}`;
}
