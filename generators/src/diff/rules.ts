import type { Shape } from "../model/api.js";
import { report, type At } from "./comparison.js";
import { same } from "./same.js";
import { short } from "./short.js";

/** Compares conditions of whole values. Whether a changed condition is stricter is undecidable. */
export function conditions(old: Shape, next: Shape, at: At): void {
  for (const { keys, says } of all) {
    const [before, after] = [pick(old, keys), pick(next, keys)];
    if (!same(before, after)) tellRule({ says, before, after, here: next.origin }, at);
  }
}

interface Change {
  readonly says: string;
  /** An empty object stands for no rule. */
  readonly before: object;
  readonly after: object;
  readonly here: Shape["origin"];
}

export function tellRule({ says, before, after, here }: Change, at: At): void {
  const [had, has] = [before, after].map((each) => Object.keys(each).length > 0);
  const shown = (rule: object): string => short(`${says} ${Object.values(rule).map(short).join("; ")}`);
  report(at, `${at.direction}-rule-${had === true ? (has === true ? "changed" : "removed") : "added"}`, {
    ...(had === true ? { old: shown(before) } : {}),
    ...(has === true ? { new: shown(after) } : {}),
    here,
  });
}

const all: readonly { readonly says: string; readonly keys: readonly (keyof Shape)[] }[] = [
  { says: "not", keys: ["not"] },
  { says: "if, then, else", keys: ["if", "then", "else"] },
  { says: "dependent fields", keys: ["dependentRequired"] },
  { says: "unique items", keys: ["uniqueItems"] },
];

function pick(shape: Shape, keys: readonly (keyof Shape)[]): object {
  return Object.fromEntries(keys.flatMap((key) => (shape[key] === undefined ? [] : [[key, shape[key]] as const])));
}
