/** The route of an operation. */
export interface Route {
  readonly method: string;
  /** `/images/{imageId}`. */
  readonly path: string;
  /** The number of segments of path parameters with more than one. */
  readonly segments: Readonly<Record<string, number>>;
}

/** Creates a predicate for paths, without query, of a route. */
export function matcherOf({ path, segments }: Route): (pathname: string) => boolean {
  const source = path
    .split(/\{([^}]+)\}/)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : segmentsOf(segments[part] ?? 1)))
    .join("");
  const pattern = new RegExp(`^${source}$`);
  return (pathname) => pattern.test(pathname);
}

/** The slash of an id with two segments may be escaped. */
function segmentsOf(many: number): string {
  return many === 1 ? "[^/]+" : `[^/]+(?:/[^/]+){0,${many - 1}}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
