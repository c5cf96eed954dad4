import type { Api } from "../model/index.js";
import { escapeProse, toSingleLine } from "./escape-prose.js";
import { code, jsonLiteral, renderCode } from "./printer.js";

/** Prints the constant that lists the unchecked patterns of a description. Empty if there are none. */
export function printUncheckedPatterns({ uncheckedPatterns = [] }: Api): string {
  if (uncheckedPatterns.length === 0) return "";
  const list = uncheckedPatterns.map(({ pattern, origin }) => ({
    pattern,
    source: `${origin.file}#${origin.pointer}`,
  }));
  return renderCode(
    code`/** Patterns of the description that JavaScript cannot evaluate, so that nothing checks them. */\nexport const uncheckedPatterns: readonly { readonly pattern: string; readonly source: string }[] = ${jsonLiteral(list)};\n`,
  );
}

/** The unchecked patterns for a README, escaped. */
export function describeUncheckedPatterns({ uncheckedPatterns = [] }: Api): readonly {
  readonly pattern: string;
  readonly source: string;
}[] {
  return uncheckedPatterns.map(({ pattern, origin }) => ({
    pattern: toSingleLine(pattern).replaceAll(/[\\*_|[\]]/g, "\\$&"),
    source: escapeProse(`${origin.file}#${origin.pointer}`),
  }));
}
