import {
  generatedBanner,
  type TextFile,
  code,
  joinCode,
  jsonLiteral,
  identifier,
  printSourceFile,
} from "@plumbline/codegen";
import type { Api } from "@plumbline/model";
import { listFilters } from "./filters.js";
import { documentedRates } from "./limits.js";
import { isNameFree } from "./names.js";
import { hasPartHeaders } from "./contents.js";
import { emitPagination } from "./pagination.js";
import { clientRuntime } from "./runtime.js";
import { callOptionsType } from "./security.js";
import { stateWaits } from "./state-waits.js";
import { uploadOperations } from "./uploads.js";

/** Emits `index.ts`, which exports everything. Bundlers drop the unused exports. */
export function emitClientIndex(api: Api, tags: readonly string[]): TextFile {
  const isThere = {
    client: true,
    errors: true,
    types: true,
    scopes: api.scopeGrammar !== undefined,
    filters: listFilters(api).length > 0,
    pagination: emitPagination(api).length > 0,
    states: stateWaits(api).length > 0,
    limits: documentedRates(api).length > 0,
    uploads: uploadOperations(api).length > 0,
  };
  const own = Object.entries(isThere).flatMap(([file, there]) => (there ? [file] : []));
  const files = [...own, ...tags.map((tag) => `operations/${tag}`)];
  // The package exports a schema or an operation in preference to a runtime export of the same name.
  const values = [
    ...runtimeValues,
    ...(isThere.states ? waitValues : []),
    ...(hasPartHeaders(api) ? ["part"] : []),
  ].filter((each) => isNameFree(api, each));
  const types = [
    ...runtimeTypes.map((each) => (each === "CallOptions" ? callOptionsType(api) : each)),
    ...(isThere.pagination ? (["PageIterable", "PaginateOptions"] as const) : []),
    ...(isThere.states ? (["WaitErrorCode", "WaitOptions"] as const) : []),
    ...(isThere.uploads ? (["UploadBody", "UploadOptions", "UploadProgress"] as const) : []),
  ].filter((each) => isNameFree(api, each));
  const text = [
    ...files.map((file) => code`export * from ${jsonLiteral(`./${file}.js`)};`),
    code`export { ${joinCode(values.map(identifier), code`, `)} } from ${jsonLiteral(clientRuntime)};`,
    code`export type { ${joinCode(types.map(identifier), code`, `)} } from ${jsonLiteral(clientRuntime)};`,
  ];
  return { path: "src/gen/index.ts", text: printSourceFile([code`${text}`], generatedBanner) };
}

const runtimeValues = ["ApiError", "isApiError", "toResult", "withResponseLimit", "withRetry"] as const;
const waitValues = ["isWaitError", "WaitError"] as const;
const runtimeTypes = [
  "ApiErrorCode",
  "ResponseLimitOptions",
  "CallOptions",
  "Client",
  "Fetch",
  "UndocumentedStatus",
  "ApiPromise",
  "Result",
  "RetryOptions",
] as const;
