import type { Operation } from "../http/index.js";

/**
 * Replaces the operations of a validator that a server validates otherwise, and adds those without a path. Generated servers call it.
 *
 * @param validated - The operations of the validator.
 * @param own - The other ones, by name.
 */
export function withServerOperations(validated: readonly Operation[], own: readonly Operation[]): readonly Operation[] {
  const others = new Map(own.map((each) => [each.definition.name, each] as const));
  const replaced = validated.map((each) => {
    const other = others.get(each.definition.name);
    others.delete(each.definition.name);
    return other ?? each;
  });
  return [...replaced, ...others.values()];
}
