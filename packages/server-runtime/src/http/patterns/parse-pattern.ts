/** The syntax of a pattern. Captures do not matter, because nothing refers to them. */
export type PatternNode =
  | { readonly type: "character"; readonly reads: (character: string) => boolean }
  | { readonly type: "edge"; readonly edge: "start" | "end" | "word" | "notWord" }
  | { readonly type: "choice"; readonly alternatives: readonly PatternNode[] }
  | { readonly type: "sequence"; readonly parts: readonly PatternNode[] }
  | { readonly type: "repetition"; readonly part: PatternNode; readonly min: number; readonly max: number }
  | ({ readonly type: "lookaround" } & Lookaround);

export interface Lookaround {
  readonly isBehind: boolean;
  readonly isNegated: boolean;
  readonly body: PatternNode;
}

/** A pattern has a construct that cannot be matched in linear time. */
export class PatternSyntaxError extends Error {
  override readonly name = "PatternSyntaxError";
}

/** Escapes, classes, beginnings of groups, quantifiers and other characters. */
const tokens =
  /\\(?:u\{[^}]*\}|u[dD][89a-bA-B][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|k<[^>]*>|[1-9]\d*|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>|))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu;

/** Longer patterns may nest too deeply for the stack. */
const maxPatternLength = 2000;

/**
 * Parses a valid pattern of JavaScript with the flag `u`.
 *
 * @throws PatternSyntaxError for backreferences, modifiers and long patterns
 */
export function parsePattern(source: string): PatternNode {
  if (source.length > maxPatternLength) throw new PatternSyntaxError("The pattern is too long.");
  const rest = (source.match(tokens) ?? []).toReversed();
  return parseChoice(rest);
}

/** Takes tokens up to the end of a group, or of the pattern. They are in reverse, so that the next one is the last. */
function parseChoice(rest: string[]): PatternNode {
  const alternatives: PatternNode[] = [];
  let parts: PatternNode[] = [];
  for (let token = rest.pop(); token !== undefined && token !== ")"; token = rest.pop()) {
    if (token === "|") {
      alternatives.push({ type: "sequence", parts });
      parts = [];
      continue;
    }
    const bounds = repetitionBounds(token);
    const repeated = bounds && parts.pop();
    parts.push(bounds && repeated ? { type: "repetition", part: repeated, ...bounds } : parseToken(token, rest));
  }
  const last: PatternNode = { type: "sequence", parts };
  return alternatives.length === 0 ? last : { type: "choice", alternatives: [...alternatives, last] };
}

function parseToken(token: string, rest: string[]): PatternNode {
  const edge = edges.get(token);
  if (edge !== undefined) return { type: "edge", edge };
  if (token === "(?" || /^\\(?:k<|[1-9])/.test(token))
    throw new PatternSyntaxError(`${token} cannot be matched in linear time.`);
  const [, behind, sign] = /^\(\?(<?)([=!])$/.exec(token) ?? [];
  if (sign !== undefined)
    return { type: "lookaround", isBehind: behind === "<", isNegated: sign === "!", body: parseChoice(rest) };
  return token.startsWith("(") ? parseChoice(rest) : { type: "character", reads: characterTest(token) };
}

const edges: ReadonlyMap<string, "start" | "end" | "word" | "notWord"> = new Map([
  ["^", "start"],
  ["$", "end"],
  ["\\b", "word"],
  ["\\B", "notWord"],
]);

function repetitionBounds(token: string): { readonly min: number; readonly max: number } | undefined {
  if (/^[*+?]/.test(token)) return { min: token.startsWith("+") ? 1 : 0, max: token.startsWith("?") ? 1 : Infinity };
  const [, min, comma, max = ""] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(token) ?? [];
  if (min === undefined) return undefined;
  return { min: Number(min), max: comma === undefined ? Number(min) : max === "" ? Infinity : Number(max) };
}

/** Most characters of texts are ASCII, and are looked up. */
function characterTest(token: string): (character: string) => boolean {
  if (!/^[\\[.]/.test(token)) return (character) => character === token;
  const expression = new RegExp(`^${token}$`, "u");
  const ascii = Array.from({ length: 128 }, (_, code) => expression.test(String.fromCharCode(code)));
  return (character) => ascii[character.charCodeAt(0)] ?? expression.test(character);
}
