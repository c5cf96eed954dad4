import {
  generatedBanner,
  type TextFile,
  code,
  docComment,
  importValue,
  jsonLiteral,
  printSourceFile,
  importType,
} from "@plumbline/codegen";
import { type Api, type Json, type Limit, memoize } from "@plumbline/model";
import { isNameFree } from "./names.js";
import { clientRuntime } from "./runtime.js";

/** Emits `limits.ts` with `rateLimit`, which respects the documented rates. Emits no file if the description has no rates. */
export function emitClientLimits(api: Api): readonly TextFile[] {
  const found = documentedRates(api);
  if (found.length === 0) return [];
  const about = docComment([
    "Returns a `fetch` that respects the documented rate limits: it delays requests that would exceed one. Create one for each token.",
    "",
    "@example",
    "const client = createClient({ token, fetch: rateLimit() });",
  ]);
  const statements = [
    code`/** The documented rate limits. */\nconst rates: readonly ${importType("RateLimit", clientRuntime)}[] = ${jsonLiteral(found)};`,
    code`${about}
export function rateLimit(options?: ${importType("RateLimitOptions", clientRuntime)}): ${importType("Fetch", clientRuntime)} {
  return ${importValue("rateLimit", clientRuntime)}(rates, options);
}`,
  ];
  return [{ path: "src/gen/limits.ts", text: printSourceFile(statements, generatedBanner, ["rateLimit", "rates"]) }];
}

/** Each rate limit, with the operations that share it. */
export const documentedRates: (api: Api) => readonly Json[] = memoize((api) => {
  if (!isNameFree(api, "rateLimit")) return [];
  const found = new Map<string, { readonly limit: Limit; readonly operations: string[] }>();
  for (const operation of api.operations)
    for (const limit of operation.limits.filter(({ kind }) => kind === "rate")) {
      const known = found.get(limit.id) ?? { limit, operations: [] };
      known.operations.push(`${operation.method} ${operation.path}`);
      found.set(limit.id, known);
    }
  return [...found.values()].flatMap(({ limit: { id, max, window, per }, operations }): readonly Json[] => {
    if (max === undefined || window === undefined) return [];
    const rate = { id, max, windowSeconds: window.seconds, operations };
    // A client cannot see other keys of a rate limit. In these cases, it keeps all requests together below the rate.
    return [per?.root === "request" && per.part === "path" ? { ...rate, per: per.name ?? "" } : rate];
  });
});
