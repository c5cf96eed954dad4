import {
  type TextFile,
  code,
  docComment,
  importValue,
  jsonLiteral,
  printSourceFile,
  importType,
} from "@plumbline/kit/codegen";
import { type Api, type DocumentedRate, documentedRates } from "@plumbline/kit/model";
import { isNameFree } from "./names.js";
import { clientRuntime } from "./runtime.js";

/** Emits `limits.ts` with `withRateLimit`, which respects the documented rates. Emits no file if the description has no rates. */
export function emitClientLimits(api: Api): readonly TextFile[] {
  const rates = pacedRates(api);
  if (rates.length === 0) return [];
  const about = docComment([
    "Returns a `fetch` that respects the documented rate limits: it delays requests that would exceed one. Create one for each token.",
    "",
    "@example",
    `const client = createClient({ ${/^https?:/.test(api.servers[0]?.url ?? "") ? "" : "baseUrl, "}token, fetch: withRateLimit() });`,
  ]);
  const statements = [
    code`/** The documented rate limits. */\nconst rates: readonly ${importType("RateLimit", clientRuntime)}[] = ${jsonLiteral(rates.map((rate) => ({ ...rate })))};`,
    code`${about}
export function withRateLimit(options?: ${importType("RateLimitOptions", clientRuntime)}): ${importType("Fetch", clientRuntime)} {
  return ${importValue("rateLimit", clientRuntime)}(rates, options);
}`,
  ];
  return [{ path: "src/gen/limits.ts", text: printSourceFile(statements, ["withRateLimit", "rates"]) }];
}

/** Each rate limit, with the operations that share it. Empty if the package exports something else under the name of its function. */
export function pacedRates(api: Api): readonly DocumentedRate[] {
  return isNameFree(api, "withRateLimit") ? documentedRates(api) : [];
}
