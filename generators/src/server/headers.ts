import type { Header, Reply } from "../model/api.js";
import { headerRoles } from "../model/headers.js";

/** Headers of replies that the server sets itself, in lower case. */
export const serverHeaders: ReadonlySet<string> = new Set(
  [...Object.values(headerRoles), "Retry-After"].map((each) => each.toLowerCase()),
);

/** The described headers of a reply that its handler gives. */
export function handlerHeaders({ headers }: Reply): readonly Header[] {
  return headers.filter((header) => !serverHeaders.has(header.name.toLowerCase()));
}
