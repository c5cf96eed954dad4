import { parseArgs } from "node:util";
import type { OptionKind } from "@plumbline/command-line";
import { UsageError } from "./errors.js";

/** The options of a command, by name. */
export type OptionKinds = Readonly<Record<string, OptionKind>>;

/** The parsed options. */
export interface ParsedOptions {
  readonly text: (option: string) => string | undefined;
  /** The values of an option, split at commas. Undefined if the option is absent. */
  readonly list: (option: string) => readonly string[] | undefined;
  readonly flag: (option: string) => boolean;
  readonly wholeNumber: (option: string, least: number, most: number) => number | undefined;
  readonly positionals: readonly string[];
}

/**
 * Parses arguments.
 *
 * @throws UsageError for an unknown option, a missing or an unexpected value.
 */
export function parseOptions(args: readonly string[], kinds: OptionKinds, maxPositionals = 0): ParsedOptions {
  const { values, positionals } = parse(args, kinds);
  if (positionals.length > maxPositionals)
    throw new UsageError(
      `${JSON.stringify(positionals[maxPositionals])} is an unexpected argument. Write it after an option's name.`,
    );
  const texts = (option: string): readonly string[] => {
    const value = values[option];
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  };
  const text = (option: string): string | undefined => {
    const [first, ...others] = texts(option);
    if (others.length > 0) throw new UsageError(`--${option} is repeated. Pass it once.`);
    if (first === "") throw new UsageError(`--${option} needs a value.`);
    return first;
  };
  return {
    text,
    list: (option) => {
      const all = texts(option)
        .flatMap((each) => each.split(/[\s,]+/))
        .filter((each) => each !== "");
      return texts(option).length === 0 ? undefined : all;
    },
    flag: (option) => values[option] === true,
    wholeNumber: (option, least, most) => {
      const digits = text(option);
      if (digits === undefined) return undefined;
      const number = /^\d{1,12}$/.test(digits) ? Number(digits) : Number.NaN;
      if (number >= least && number <= most) return number;
      throw new UsageError(`--${option} ${JSON.stringify(digits)} is not an integer from ${least} to ${most}.`);
    },
    positionals,
  };
}

function parse(
  args: readonly string[],
  kinds: OptionKinds,
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  const options = Object.fromEntries(
    Object.entries(kinds).map(([name, kind]) => [
      name,
      kind === "flag" ? { type: "boolean" as const } : { type: "string" as const, multiple: true },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Node's message names the option in its first sentence.
    const [sentence = ""] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${sentence}.`.replace(/\.\.$/, "."), { cause: error });
  }
}
