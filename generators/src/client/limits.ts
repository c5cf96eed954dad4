import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, imported, literal, print, typeImported } from "../emit/printer.js";
import type { Api, Json, Limit } from "../model/api.js";
import { once } from "../model/once.js";
import { isFree } from "./names.js";
import { runtime } from "./runtime.js";

/** Emits `limits.ts` with `pacing`, which respects the documented rates. Emits no file if the description has no rates. */
export function emitLimits(api: Api): readonly TextFile[] {
  const found = rates(api);
  if (found.length === 0) return [];
  const about = comment([
    "Returns a `fetch` that respects the documented rate limits: it delays requests that would exceed one. Create one for each token.",
    "",
    "@example",
    "const client = createClient({ token, fetch: pacing() });",
  ]);
  const statements = [
    code`/** The documented rate limits. */\nconst rates: readonly ${typeImported("Rate", runtime)}[] = ${literal(found)};`,
    code`${about}
export function pacing(options?: ${typeImported("PacingOptions", runtime)}): ${typeImported("Fetch", runtime)} {
  return ${imported("pacing", runtime)}(rates, options);
}`,
  ];
  return [{ path: "src/gen/limits.ts", text: print(statements, banner, ["pacing", "rates"]) }];
}

/** Each rate limit, with the operations that share it. */
export const rates: (api: Api) => readonly Json[] = once((api) => {
  if (!isFree(api, "pacing")) return [];
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
