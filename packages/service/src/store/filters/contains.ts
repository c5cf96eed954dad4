import { sql } from "kysely";
import { allOf, type Condition, type Contains } from "../database.js";

/**
 * For SQLite, whose `lower` and LIKE only fold ASCII letters. GLOB matches both cases of a letter, `[éÉ]`. A `replace` for each letter would be
 * nested, and 27 of them fill the parser's stack of 100 entries.
 */
export const containsByGlob: Contains = (column, text) =>
  isAscii(text)
    ? containsByLike(sql`lower(cast(${column} as text))`, text)
    : sql`cast(${column} as text) glob ${`*${text.replaceAll(/./gsu, eitherCase)}*`}`;

/**
 * For PostgreSQL, whose `lower` only folds ASCII letters under the collation C. One `translate` lowers the others. Indexes know the lowered text
 * only, so they find the part in ASCII.
 */
export const containsByTranslate: Contains = (column, text) => {
  const letters = [...new Set(text)].filter((letter) => !isAscii(letter) && capitalOf(letter) !== undefined);
  const lowered = sql`lower(cast(${column} as text))`;
  if (letters.length === 0) return containsByLike(lowered, text);
  const capitals = letters.map(capitalOf).join("");
  const translated = sql`translate(${lowered}, ${capitals}, ${letters.join("")})`;
  return allOf([like(lowered, escaped(text).replaceAll(/[^\0-\u007f]/gu, "_")), like(translated, escaped(text))]);
};

function containsByLike(lowered: Condition, text: string): Condition {
  return like(lowered, escaped(text));
}

function like(lowered: Condition, pattern: string): Condition {
  return sql`${lowered} like ${`%${pattern}%`} escape '\\'`;
}

function escaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

function eitherCase(letter: string): string {
  const cases = bothCases(letter);
  return cases.length > 1 || /[*?[]/.test(letter) ? `[${cases.join("")}]` : letter;
}

/** A letter in lower case, and the capital that `+contains` regards as equal. */
export function bothCases(letter: string): readonly string[] {
  const capital = capitalOf(letter);
  return capital === undefined ? [letter] : [letter, capital];
}

/** The capital of a small letter, if each is one character and the only counterpart of the other. */
function capitalOf(letter: string): string | undefined {
  const capital = letter.toUpperCase();
  return capital !== letter && capital.toLowerCase() === letter && /^.$/su.test(capital) ? capital : undefined;
}

function isAscii(text: string): boolean {
  return /^[\0-\u007f]*$/.test(text);
}
