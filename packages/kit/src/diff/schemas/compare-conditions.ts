import type { Schema } from "../../model/index.js";
import { isDeepEqual } from "../deep-equal.js";
import { reportDifference, type ComparisonContext } from "../description-comparison.js";
import { shorten } from "../shorten.js";

/** Compares conditions of whole values. Whether a changed condition is stricter is undecidable. */
export function compareConditions(old: Schema, next: Schema, at: ComparisonContext): void {
  for (const { keys, says } of conditionRules) {
    const [before, after] = [pickKeys(old, keys), pickKeys(next, keys)];
    if (!isDeepEqual(before, after)) reportRule({ says, before, after, here: next.origin }, at);
  }
}

interface RuleChange {
  readonly says: string;
  /** An empty object stands for no rule. */
  readonly before: object;
  readonly after: object;
  readonly here: Schema["origin"];
}

export function reportRule({ says, before, after, here }: RuleChange, at: ComparisonContext): void {
  const [had, has] = [before, after].map((each) => Object.keys(each).length > 0);
  const describe = (rule: object): string => shorten(`${says} ${Object.values(rule).map(shorten).join("; ")}`);
  reportDifference(at, `${at.direction}-rule-${had === true ? (has === true ? "changed" : "removed") : "added"}`, {
    ...(had === true ? { old: describe(before) } : {}),
    ...(has === true ? { new: describe(after) } : {}),
    newOrigin: here,
  });
}

const conditionRules: readonly { readonly says: string; readonly keys: readonly (keyof Schema)[] }[] = [
  { says: "not", keys: ["not"] },
  { says: "if, then, else", keys: ["if", "then", "else"] },
  { says: "dependent fields", keys: ["dependentRequired"] },
  { says: "unique items", keys: ["uniqueItems"] },
  { says: "custom keywords", keys: ["keywords"] },
];

function pickKeys(schema: Schema, keys: readonly (keyof Schema)[]): object {
  return Object.fromEntries(keys.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key]] as const])));
}
