import type { Header, Reply } from "../model/api.js";
import { headerRoles } from "../model/headers.js";

/** Response headers that the server sets itself, in lower case. */
export const serverHeaders: ReadonlySet<string> = new Set(
  [...Object.values(headerRoles), "Retry-After"].map((each) => each.toLowerCase()),
);

/** Returns the documented headers of a response that its handler sets. */
export function handlerHeaders({ headers }: Reply): readonly Header[] {
  return headers.filter((header) => !serverHeaders.has(header.name.toLowerCase()));
}
