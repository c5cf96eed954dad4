/** The syntax of an API's scopes. */
export interface ScopeSyntax {
  readonly areas: readonly string[];
  readonly levels: readonly string[];
  /** The scope that implies all others. */
  readonly all: string;
  readonly separator: string;
}

/** Whether a text has one or more known scopes, each an area and a level separated by a colon, or only the scope that implies all others. */
export function isScopeString(text: string, { areas, levels, all, separator }: ScopeSyntax): boolean {
  if (text === all) return true;
  return text.split(separator).every((scope) => {
    const [area = "", level = "", ...more] = scope.split(":");
    return more.length === 0 && areas.includes(area) && levels.includes(level);
  });
}
