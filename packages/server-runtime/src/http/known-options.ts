/** The names of options, with the allowed values of those that have some. */
export type KnownOptions = Readonly<Record<string, readonly string[] | "any">>;

/**
 * Checks the names and values of options, for plain JavaScript, where no compiler reports a misspelled one.
 *
 * @throws TypeError for an unknown option or value
 */
export function ensureKnown(options: object, known: KnownOptions): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const values = Object.hasOwn(known, name) ? known[name] : undefined;
    if (values === undefined)
      throw new TypeError(`Unknown option \`${name}\`. The options are ${Object.keys(known).sort().join(", ")}.`);
    if (values === "any" || value === undefined || values.some((each) => each === value)) continue;
    const allowed = values.map((each) => JSON.stringify(each)).join(", ");
    throw new TypeError(`Option \`${name}\` is ${formatValue(value)}. Write one of ${allowed}.`);
  }
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : `of type ${typeof value}`;
}
