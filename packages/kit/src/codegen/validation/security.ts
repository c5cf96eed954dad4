import type { SecurityScheme } from "../../model/index.js";

/** What a runtime has to know of a security scheme. */
export function securitySchemeData(scheme: SecurityScheme): Readonly<Record<string, string>> {
  if (scheme.kind === "apiKey") return { kind: scheme.kind, in: scheme.in, key: scheme.key };
  return scheme.kind === "http" ? { kind: scheme.kind, scheme: scheme.scheme } : { kind: scheme.kind };
}
