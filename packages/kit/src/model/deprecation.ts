import type { Api, Operation } from "./api.js";

/** Response headers of a deprecated operation. */
export interface DeprecationHeaders {
  /** RFC 9745: a date of structured fields, such as `@1767225600`. */
  readonly Deprecation?: string;
  /** RFC 8594: an HTTP-date. */
  readonly Sunset?: string;
  /** RFC 8288: links with the relations `deprecation`, `sunset` and `successor-version`. */
  readonly Link?: string;
}

/** Returns the headers that responses of an operation have because it is deprecated. */
export function deprecationHeaders(api: Api, operation: Operation): DeprecationHeaders {
  const { since, sunset, link, sunsetLink, replacement } = operation.deprecation ?? {};
  const successor = replacement === undefined ? undefined : api.operations.find(({ name }) => name === replacement);
  const links = Object.entries({
    deprecation: link,
    sunset: sunsetLink,
    "successor-version": successor && relativeReference(operation, successor),
  }).flatMap(([rel, url]) => (url === undefined ? [] : [`<${url}>; rel="${rel}"`]));
  return {
    ...(since && { Deprecation: `@${since.seconds}` }),
    ...(sunset && { Sunset: new Date(sunset.seconds * 1000).toUTCString() }),
    ...(links.length > 0 && { Link: links.join(", ") }),
  };
}

/**
 * The reference from the path of one operation to that of another, which is right below any base path. Undefined if it would need the value
 * of a parameter.
 */
function relativeReference(from: Operation, to: Operation): string | undefined {
  const [before, after] = [from, to].map(({ path }) => path.split("/"));
  if (before === undefined || after === undefined || from.path === "") return undefined;
  // The last segment of a reference's base is replaced, so that it is never common.
  const differing = before.findIndex((segment, index) => index === before.length - 1 || segment !== after[index]);
  const start = Math.min(differing, after.length - 1);
  const rest = after.slice(start);
  const spansSegments = from.parameters.some(
    ({ in: place, segments, name }) => place === "path" && segments > 1 && before.slice(start).includes(`{${name}}`),
  );
  if (spansSegments || rest.some((segment) => !/^[\w.~-]*$/.test(segment))) return undefined;
  return [...(before.length - 1 - start === 0 ? ["."] : before.slice(start + 1).map(() => "..")), ...rest].join("/");
}
