/**
 * A text in which characters that a reader cannot see, and line separators, are escaped as `\u…`. These are controls, marks of direction,
 * private and unassigned characters beside surrogates, and noncharacters.
 */
export function escapeInvisible(text: string): string {
  return text.replaceAll(invisible, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const invisible =
  /[\u007f-\u009f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud7fc-\ud7ff\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufffe\uffff]/g;
