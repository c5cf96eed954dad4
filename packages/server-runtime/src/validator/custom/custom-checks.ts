/** A check of a format: a pattern or a function. By default it applies to strings, with `type: "number"` to numbers. */
export type FormatCheck =
  | RegExp
  | ((value: string) => boolean)
  | { readonly type: "string"; readonly validate: RegExp | ((value: string) => boolean) }
  | { readonly type: "number"; readonly validate: (value: number) => boolean };

/**
 * A check of a keyword. Receives values of every type, and the value of the keyword in the schema. Returns whether the value is valid, or the
 * reason why it is not. It cannot be asynchronous.
 */
export type KeywordCheck = (value: unknown, keywordValue: unknown) => boolean | string;

/** The functions that check custom formats and keywords, by name. */
export interface CustomChecks {
  readonly formats?: Readonly<Record<string, FormatCheck>>;
  readonly keywords?: Readonly<Record<string, KeywordCheck>>;
}

/** The names of custom formats and keywords that the checks of a generated package call. */
export interface CustomCheckNames {
  readonly formats: readonly string[];
  readonly keywords: readonly string[];
}

/**
 * Returns a copy of the functions that a package requires.
 *
 * @throws TypeError for a function that is missing, unknown or of another type
 */
export function ensureCustomChecks(checks: CustomChecks, names: CustomCheckNames): Required<CustomChecks> {
  return {
    formats: pickChecks("formats", checks.formats, { names: names.formats, isValid: isFormatCheck }),
    keywords: pickChecks("keywords", checks.keywords, {
      names: names.keywords,
      isValid: (check) => typeof check === "function",
    }),
  };
}

interface Expected {
  readonly names: readonly string[];
  readonly isValid: (check: unknown) => boolean;
}

function pickChecks<Check>(
  option: keyof CustomChecks,
  given: Readonly<Record<string, Check>> = {},
  { names, isValid }: Expected,
): Readonly<Record<string, Check>> {
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new TypeError(`Unknown name \`${unknown}\` in option \`${option}\`. ${describeNames(names)}`);
  return Object.fromEntries(
    names.map((name) => {
      const check = Object.hasOwn(given, name) ? given[name] : undefined;
      const what = option === "formats" ? "a pattern or a function" : "a function";
      if (check === undefined)
        throw new TypeError(`Missing option \`${option}.${name}\`. Provide ${what} that checks it.`);
      if (!isValid(check)) throw new TypeError(`Option \`${option}.${name}\` is not valid. Provide ${what}.`);
      return [name, check] as const;
    }),
  );
}

function describeNames(names: readonly string[]): string {
  return names.length === 0 ? "The validator has none." : `The validator has ${names.join(", ")}.`;
}

function isFormatCheck(check: unknown): boolean {
  if (typeof check === "function" || check instanceof RegExp) return true;
  if (typeof check !== "object" || check === null) return false;
  const { type, validate } = check as { readonly type?: unknown; readonly validate?: unknown };
  if (type === "number") return typeof validate === "function";
  return type === "string" && (typeof validate === "function" || validate instanceof RegExp);
}
