import type { SecurityScheme } from "./security.js";

/** The value of `WWW-Authenticate` for these security schemes. */
export function challengeFor(
  names: readonly string[],
  securitySchemes: Readonly<Record<string, SecurityScheme>>,
): string {
  const challenges = names.map((name) => {
    const scheme = securitySchemes[name];
    if (scheme === undefined || scheme.kind === "apiKey" || scheme.kind === "mutualTLS") return "ApiKey";
    if (scheme.kind === "basic") return 'Basic realm="api", charset="UTF-8"';
    return scheme.kind === "http" ? scheme.scheme : "Bearer";
  });
  return [...new Set(challenges)].join(", ");
}
