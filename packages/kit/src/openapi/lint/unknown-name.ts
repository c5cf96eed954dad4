import { didYouMean } from "../read/did-you-mean.js";
import type { LintFinding } from "./rule.js";

interface UnknownName {
  readonly noun: string;
  readonly name: string;
  /** The names that exist. */
  readonly names: Iterable<string>;
}

/** Says that a name refers to nothing, and which one may be meant. */
export function unknownName<Code extends string>(
  code: Code,
  at: LintFinding<Code>["at"],
  { noun, name, names }: UnknownName,
): LintFinding<Code> {
  return { code, at, message: `There is no ${noun} "${name}".`, fix: didYouMean(name, names, `${noun}s`) };
}
