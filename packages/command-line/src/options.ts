import { UsageError } from "./usage-error.js";

/** What completes a value: nothing (`text`), paths of files or folders, or some of these words, separated by commas. */
export type Completion = "text" | "file" | "folder" | readonly string[];

/** An option of a command, or an argument without a name: how it is explained, completed and read. */
export interface Option<Value = unknown> {
  readonly kind: "flag" | "option" | "argument";
  /** What stands for the value in the help, such as `FILE`, or `[FILE]` for an argument that may be absent. Flags have none. */
  readonly placeholder: string;
  /** Its paragraph in the help. */
  readonly help: string;
  readonly completion: Completion;
  /** The letter of `-o`. */
  readonly letter?: string | undefined;
  /**
   * Reads the value. `values` are all of the command line, and `name` is how messages call the option.
   *
   * @throws UsageError for an invalid value.
   */
  readonly read: (values: readonly string[], name: string) => Value;
}

/** The options of a command. The key `dryRun` is the option `--dry-run`; arguments are read in the order of their keys. */
export type Options = Readonly<Record<string, Option>>;

/** The values of options. */
export type OptionValues<Table extends Options> = {
  readonly [Key in keyof Table]: Table[Key] extends Option<infer Value> ? Value : never;
};

/** An option without a value. */
export function flag(help: string): Option<boolean> {
  return { kind: "flag", placeholder: "", help, completion: [], read: ([value], name) => parseFlag(value, name) };
}

/** An option with a text. The last one counts, so that scripts can append to a command line. */
export function string(placeholder: string, help: string, completion: Completion = "text"): Option<string | undefined> {
  return { ...parsed(placeholder, help, (value) => value), completion };
}

/** An option whose value `parse` reads. The last one counts. */
export function parsed<Value>(
  placeholder: string,
  help: string,
  parse: (value: string, name: string) => Value,
): Option<Value | undefined> {
  const read: Option<Value | undefined>["read"] = (values, name) => {
    const value = values.at(-1);
    return value === undefined ? undefined : parse(value, name);
  };
  return { kind: "option", placeholder, help, completion: "text", read };
}

/** An option that is passed without its name, and may be absent. */
export function optionalArgument<Value>(option: Option<Value>): Option<Value> {
  return { ...option, kind: "argument", placeholder: `[${option.placeholder}]` };
}

/** An option that is passed without its name. */
export function requiredArgument<Value>(option: Option<Value | undefined>): Option<Value> {
  const read: Option<Value>["read"] = (values, name) => {
    const value = option.read(values, name);
    if (value !== undefined) return value;
    throw new UsageError(`Missing argument ${name}: ${option.help}.`);
  };
  return { ...option, kind: "argument", read };
}

/** An option whose values are separated by commas, and which may be repeated. */
export function list(
  placeholder: string,
  help: string,
  completion: Completion = "text",
): Option<readonly string[] | undefined> {
  const read: Option<readonly string[] | undefined>["read"] = (values) =>
    values.length === 0 ? undefined : values.flatMap((value) => value.split(/[\s,]+/)).filter((word) => word !== "");
  return { kind: "option", placeholder, help, completion, read };
}

/** An option that may be repeated. */
export function repeatable(placeholder: string, help: string): Option<readonly string[]> {
  return { kind: "option", placeholder, help, completion: "text", read: (values) => values };
}

/** An option with one of these words. */
export function oneOf<const Word extends string>(
  placeholder: string,
  words: readonly Word[],
  help: string,
): Option<Word | undefined> {
  const parse = (value: string, name: string): Word => {
    const word = words.find((each) => each === value);
    if (word !== undefined) return word;
    throw new UsageError(`${name} is one of ${words.join(", ")}, not ${JSON.stringify(value)}.`);
  };
  return { ...parsed(placeholder, help, parse), completion: words };
}

/** An option with a number from `least` to `most`. */
export function decimal(placeholder: string, range: NumberRange, help: string): Option<number | undefined> {
  return parsed(placeholder, help, (value, name) => parseNumber(value, name, { ...range, noun: "a number" }));
}

/** An option with an integer from `least` to `most`. */
export function integer(placeholder: string, range: NumberRange, help: string): Option<number | undefined> {
  return parsed(placeholder, help, (value, name) => parseNumber(value, name, { ...range, noun: "an integer" }));
}

export interface NumberRange {
  readonly least: number;
  readonly most: number;
}

/** The name of an option on the command line, without its dashes. */
export function dashedName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** In environment variables, flags are `true` or `false`. */
function parseFlag(value = "false", name: string): boolean {
  if (value === "true" || value === "false") return value === "true";
  throw new UsageError(`${name} is true or false, not ${JSON.stringify(value)}.`);
}

function parseNumber(
  value: string,
  name: string,
  { least, most, noun }: NumberRange & { readonly noun: "a number" | "an integer" },
): number {
  const pattern = noun === "an integer" ? /^\d{1,16}$/ : /^\d{1,16}(\.\d{1,16})?$/;
  const number = pattern.test(value) ? Number(value) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`${name} is ${noun} from ${least} to ${most}, not ${JSON.stringify(value)}.`);
}
