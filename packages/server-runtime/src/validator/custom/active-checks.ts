import { addIssue, type Issues } from "../../http/index.js";
import type { CustomChecks, FormatCheck } from "./custom-checks.js";

/** The functions for compiled checks that run now, or `ignored` where something else checks formats and keywords. */
export type ActiveChecks = Required<CustomChecks> | "ignored";

// Compiled checks are synchronous functions of modules, and operations are constants of modules. Between them and the options of a
// validator there is no argument that could carry its functions, and adding one would cost every validator without such functions.
let active: ActiveChecks | undefined;

/** Runs compiled checks with the functions of a validator. */
export function runWith<Result>(checks: ActiveChecks | undefined, run: () => Result): Result {
  const before = active;
  active = checks;
  try {
    return run();
  } finally {
    active = before;
  }
}

/**
 * Whether a value has a custom format. Generated checks call it.
 *
 * @throws TypeError without a function for the format, and for a result other than true and false
 */
export function hasCustomFormat(value: string | number, format: string): boolean {
  if (active === "ignored") return true;
  const check = findCheck(active?.formats, `formats.${format}`, format);
  const { type, validate } = toTypedFormat(check);
  if (typeof value !== type) return true;
  // Unlike `test`, `search` is independent of `lastIndex`, which a pattern with the flag `g` changes.
  if (validate instanceof RegExp) return String(value).search(validate) !== -1;
  const result: unknown = runWith(undefined, () => (validate as (value: string | number) => unknown)(value));
  if (typeof result === "boolean") return result;
  throw new TypeError(
    `The function of the format \`${format}\` returned ${describeResult(result)}. Return true or false.`,
  );
}

/**
 * Checks a value against a custom keyword. Generated checks call it.
 *
 * @throws TypeError without a function for the keyword, and for a result other than true, false and a text
 */
export function checkCustomKeyword(value: unknown, issues: Issues, keyword: string, keywordValue: unknown): void {
  if (active === "ignored") return;
  const check = findCheck(active?.keywords, `keywords.${keyword}`, keyword);
  const result: unknown = runWith(undefined, () => check(value, keywordValue));
  if (result === true) return;
  if (result !== false && typeof result !== "string")
    throw new TypeError(
      `The function of the keyword \`${keyword}\` returned ${describeResult(result)}. Return true, false or a text.`,
    );
  addIssue(issues, "rule", result === false ? `must satisfy ${keyword}` : result, keyword);
}

function findCheck<Check>(checks: Readonly<Record<string, Check>> | undefined, option: string, name: string): Check {
  const check = checks !== undefined && Object.hasOwn(checks, name) ? checks[name] : undefined;
  if (check !== undefined) return check;
  throw new TypeError(`Missing option \`${option}\`. Without a server, call \`withChecks\` to provide it.`);
}

function toTypedFormat(check: FormatCheck): Extract<FormatCheck, { readonly type: string }> {
  return typeof check === "function" || check instanceof RegExp ? { type: "string", validate: check } : check;
}

function describeResult(result: unknown): string {
  if (result instanceof Promise) return "a promise";
  return result === undefined || result === null ? String(result) : `a value of type ${typeof result}`;
}
