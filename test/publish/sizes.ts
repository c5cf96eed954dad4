/** Bytes of packages, by their names. */
export type Sizes = Readonly<Record<string, { readonly packed: number; readonly unpacked: number }>>;

/** How far below a budget a package may be before the budget allows too much. */
const slack = 0.85;
/** The share for growth in a proposed budget. */
const margin = 1.05;

/** Sizes above their budgets, and budgets far above their sizes, a line each. */
export function excesses(measured: Sizes, allowed: Sizes): readonly string[] {
  const names = [...new Set([...Object.keys(measured), ...Object.keys(allowed)])].sort();
  return names.flatMap((name) => {
    const [found, budget] = [measured[name], allowed[name]];
    if (found === undefined || budget === undefined)
      return [
        found === undefined
          ? `${name}: is not published`
          : `${name}: packed ${found.packed} and unpacked ${found.unpacked} bytes, where nothing is allowed`,
      ];
    return (["packed", "unpacked"] as const).flatMap((kind) => {
      if (found[kind] > budget[kind])
        return [`${name}: ${kind} ${found[kind]} bytes, where ${budget[kind]} are allowed`];
      if (found[kind] >= slack * budget[kind]) return [];
      const proposed = Math.floor(found[kind] * margin);
      return [
        `${name}: ${kind} ${found[kind]} bytes, far from the ${budget[kind]} that are allowed: ${proposed} would do`,
      ];
    });
  });
}
