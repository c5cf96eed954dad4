import { parseArgs } from "node:util";
import { UsageError } from "./errors.js";
import { formatSuggestion } from "./edit-distance.js";

/** The options of a command, by name. */
export type OptionNames = Readonly<Record<string, "text" | "texts" | "file" | "flag">>;

/** The parsed options. */
export interface ParsedOptions {
  readonly text: (option: string) => string | undefined;
  /** The values of a repeatable option, split at commas. */
  readonly list: (option: string) => readonly string[];
  /** The values of a repeatable option, unchanged. */
  readonly texts: (option: string) => readonly string[];
  readonly flag: (option: string) => boolean;
  readonly wholeNumber: (option: string, least: number, most: number) => number | undefined;
  readonly positionals: readonly string[];
}

export interface AcceptedArguments {
  readonly options: OptionNames;
  /** The names of the positional arguments, such as `ID`. */
  readonly positionals: readonly string[];
}

/**
 * Parses arguments.
 *
 * @throws UsageError when an option is unknown, repeated or has an invalid value.
 */
export function parseOptions(
  args: readonly string[],
  { options, positionals: names }: AcceptedArguments,
): ParsedOptions {
  const { tokens, values, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(
      Object.entries(options).map(([name, kind]) => [
        name,
        kind === "flag" ? { type: "boolean" } : { type: "string", multiple: true },
      ]),
    ),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === "option") validateOption(token, options);
  if (positionals.length > names.length) {
    throw new UsageError(
      `${JSON.stringify(positionals[names.length])} is an unexpected argument. Write it after an option's name.`,
    );
  }
  if (positionals.length < names.length) throw new UsageError(`${names[positionals.length] ?? ""} is missing.`);
  const texts = (option: string): readonly string[] => {
    const value = values[option];
    return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  };
  for (const [name, kind] of Object.entries(options)) {
    if (kind !== "texts" && texts(name).length > 1) throw new UsageError(`--${name} is repeated. Pass it once.`);
  }
  const text = (option: string): string | undefined => texts(option)[0];
  return {
    text,
    texts,
    list: (option) =>
      texts(option)
        .flatMap((each) => each.split(","))
        .map((each) => each.trim())
        .filter((each) => each !== ""),
    flag: (option) => values[option] === true,
    wholeNumber: (option, least, most) => {
      const given = text(option);
      if (given === undefined) return undefined;
      const number = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
      if (number >= least && number <= most) return number;
      throw new UsageError(`--${option} ${JSON.stringify(given)} is not an integer from ${least} to ${most}.`);
    },
    positionals,
  };
}

function validateOption({ name, rawName, value, inlineValue }: OptionToken, options: OptionNames): void {
  const kind = Object.hasOwn(options, name) ? options[name] : undefined;
  if (kind === undefined || !rawName.startsWith("--")) {
    const names = Object.keys(options).map((each) => `--${each}`);
    throw new UsageError(`Unknown option ${rawName}.${formatSuggestion(rawName, names)}`);
  }
  if (kind === "flag" && value !== undefined) throw new UsageError(`${rawName} takes no value. Remove the value.`);
  if (kind !== "flag" && (value === undefined || value === "" || (!inlineValue && value.startsWith("-"))))
    throw new UsageError(`${rawName} needs a value.`);
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  /** The value follows an equals sign. */
  readonly inlineValue: boolean | undefined;
}
