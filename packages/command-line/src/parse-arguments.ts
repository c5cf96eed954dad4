import { parseArgs } from "node:util";
import { dashedName, type Option, type Options, type OptionValues } from "./options.js";
import { formatSuggestion } from "./suggestion.js";
import { UsageError } from "./usage-error.js";

/** Returns the variable that sets an option where the command line does not. */
export type OptionVariables = (dashedName: string) => string | undefined;

/**
 * Parses what follows the name of a command.
 *
 * @throws UsageError where an option is unknown or without a value, an argument is missing or unexpected, or a value is invalid.
 */
export function parseArguments<Table extends Options>(
  options: Table,
  args: readonly string[],
  variables: OptionVariables = () => undefined,
): OptionValues<Table> {
  const named = new Map(
    Object.entries(options).flatMap(([key, { kind, ...option }]) =>
      kind === "argument" ? [] : [[dashedName(key), { kind, ...option }] as const],
    ),
  );
  const config = [...named].map(([name, { kind, letter }]) => [
    name,
    { type: kind === "flag" ? ("boolean" as const) : ("string" as const), ...(letter && { short: letter }) },
  ]);
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options: Object.fromEntries(config),
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const value = readToken(token, named);
    values.set(token.name, [...(values.get(token.name) ?? []), value]);
  }
  const read = (key: string, option: Option): unknown => {
    if (option.kind === "argument") return option.read(positionals.splice(0, 1), option.placeholder);
    const name = dashedName(key);
    const variable = variables(name);
    return option.read(values.get(name) ?? (variable ? [variable] : []), `--${name}`);
  };
  const result = Object.fromEntries(Object.entries(options).map(([key, option]) => [key, read(key, option)]));
  const [unexpected] = positionals;
  if (unexpected !== undefined) throw new UsageError(`${JSON.stringify(unexpected)} is an unexpected argument.`);
  return result as OptionValues<Table>;
}

function readToken({ name, rawName, value, inlineValue }: OptionToken, options: ReadonlyMap<string, Option>): string {
  const option = options.get(name);
  if (option === undefined || (rawName !== `--${name}` && rawName !== `-${option.letter}`)) {
    const names = [...options.keys()].map((each) => `--${each}`);
    throw new UsageError(`Unknown option ${rawName}.${formatSuggestion(rawName, names, "options")}`);
  }
  if (option.kind === "flag") {
    if (value !== undefined) throw new UsageError(`${rawName} takes no value. Remove the value.`);
    return "true";
  }
  // A single dash is standard input. Other words with a dash are the next option.
  if (value === undefined || value === "" || (!inlineValue && /^-./.test(value)))
    throw new UsageError(`${rawName} needs a value.`);
  return value;
}

interface OptionToken {
  readonly name: string;
  /** As written, with its dashes. */
  readonly rawName: string;
  readonly value: string | undefined;
  /** The value follows an equals sign. */
  readonly inlineValue: boolean | undefined;
}
