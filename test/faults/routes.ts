/** Where an operation is. */
export interface Route {
  readonly method: string;
  /** `/images/{imageId}`. */
  readonly path: string;
  /** How many segments a parameter of the path has, where that is not one. */
  readonly segments: Readonly<Record<string, number>>;
}

/** Whether a path, without its query, is one of a route's. */
export function matcherOf({ path, segments }: Route): (pathname: string) => boolean {
  const source = path
    .split(/\{([^}]+)\}/)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : segmentsOf(segments[part] ?? 1)))
    .join("");
  const pattern = new RegExp(`^${source}$`);
  return (pathname) => pattern.test(pathname);
}

/** Those of a two-part id may be written with an escaped slash. */
function segmentsOf(many: number): string {
  return many === 1 ? "[^/]+" : `[^/]+(?:/[^/]+){0,${many - 1}}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
