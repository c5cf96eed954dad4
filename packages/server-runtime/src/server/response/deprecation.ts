/** Headers of every response of a deprecated operation. */
export interface DeprecationHeaders {
  readonly Deprecation?: string;
  readonly Sunset?: string;
  readonly Link?: string;
}

/** Adds the headers of a deprecated operation. Links of the handler come first. */
export function addDeprecationHeaders(headers: Record<string, string>, { Link, ...dates }: DeprecationHeaders): void {
  Object.assign(headers, dates);
  if (Link === undefined) return;
  const name = Object.keys(headers).find((each) => each.toLowerCase() === "link") ?? "Link";
  headers[name] = headers[name] === undefined ? Link : `${headers[name]}, ${Link}`;
}
