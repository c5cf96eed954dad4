import type { Schema } from "../api.js";
import { sizeLimits, type SizeLimits } from "../keywords/size-limits.js";
import { countOf } from "./counts.js";
import { withArticle } from "./names.js";

/** Returns the bounds of a value in words: characters, range and items, such as `3 to 64 characters`. */
export function describeBounds(schema: Schema): readonly string[] {
  const bounds = [
    between(sizeLimits("characters", [schema]), "character"),
    rangeOf(schema),
    between(sizeLimits("items", [schema]), "item"),
  ];
  return bounds.filter((text) => text !== undefined);
}

/** A branch of a union that has no name, and so no description of its own elsewhere. */
export interface TypedBranch {
  /** Introduces what is true of its values, such as `As a number`. */
  readonly label: string;
  readonly schema: Schema;
}

/** Returns the unnamed branches of `anyOf` and `oneOf` that have one type beside null, also those of branches. */
export function typedBranches({ anyOf = [], oneOf = [] }: Schema): readonly TypedBranch[] {
  return [...anyOf, ...oneOf].flatMap((schema): readonly TypedBranch[] => {
    if (schema.ref !== undefined) return [];
    const [type, ...others] = schema.types.filter((each) => each !== "null");
    const branches = type === undefined || others.length > 0 ? [] : [{ label: `As ${withArticle(type)}`, schema }];
    return [...branches, ...typedBranches(schema)];
  });
}

function rangeOf(schema: Schema): string | undefined {
  const { least, most } = sizeLimits("number", [schema]);
  const { least: above, most: below } = sizeLimits("exclusiveNumber", [schema]);
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  const low = least ?? above;
  const high = most ?? below;
  const from = low === undefined ? undefined : least === undefined ? `more than ${low}` : `at least ${low}`;
  const to = high === undefined ? undefined : most === undefined ? `less than ${high}` : `at most ${high}`;
  return capitalize([from, to].filter((text) => text !== undefined).join(", "));
}

function between({ least: min, most: max }: SizeLimits, unit: string): string | undefined {
  if (min === undefined || min === 0) return max === undefined ? undefined : `At most ${countOf(max, unit)}`;
  if (max === undefined) return `At least ${countOf(min, unit)}`;
  return min === max ? `Exactly ${countOf(min, unit)}` : `${min} to ${countOf(max, unit)}`;
}

function capitalize(text: string): string | undefined {
  return text === "" ? undefined : text.charAt(0).toUpperCase() + text.slice(1);
}
