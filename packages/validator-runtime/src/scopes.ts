/** How an API writes what a token may do. */
export interface ScopeGrammar {
  readonly areas: readonly string[];
  readonly levels: readonly string[];
  /** The scope that is all of them. */
  readonly all: string;
  readonly separator: string;
}

/** True for scopes that there are, one at least, each an area and a level with a colon between or all of them. */
export function isScopes(text: string, { areas, levels, all, separator }: ScopeGrammar): boolean {
  return text.split(separator).every((scope) => {
    if (scope === all) return true;
    const [area = "", level = "", ...more] = scope.split(":");
    return more.length === 0 && areas.includes(area) && levels.includes(level);
  });
}
