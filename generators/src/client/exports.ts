import { type TextFile, code, joinCode, jsonLiteral, identifier, printSourceFile } from "@plumbline/kit/codegen";
import type { Api } from "@plumbline/kit/model";
import { hasPartHeaders } from "./contents.js";
import { listFilters } from "./filters.js";
import { pacedRates } from "./limits.js";
import { isNameFree } from "./names.js";
import { emitPagination, paginationOptions } from "./pagination.js";
import { returnsEvents } from "./responses.js";
import { clientRuntime } from "./runtime.js";
import { acceptsBearer, callOptionsType } from "./security.js";
import { stateWaits } from "./state-waits.js";
import { uploadOperations } from "./uploads.js";

/** Emits `index.ts`, which exports everything. Bundlers drop the unused exports. */
export function emitClientIndex(api: Api, tags: readonly string[]): TextFile {
  const isThere = {
    client: true,
    errors: true,
    successes: true,
    types: true,
    scopes: api.scopeGrammar !== undefined,
    filters: listFilters(api).length > 0,
    pagination: emitPagination(api).length > 0,
    states: stateWaits(api).length > 0,
    limits: pacedRates(api).length > 0,
    uploads: uploadOperations(api).length > 0,
  };
  const hasEvents = api.operations.some(returnsEvents);
  const rootFiles = Object.entries(isThere).flatMap(([file, there]) => (there ? [file] : []));
  const files = [...rootFiles, ...tags.map((tag) => `operations/${tag}`)];
  // The package exports a schema or an operation in preference to a runtime export of the same name.
  const values = [
    ...runtimeValues,
    ...(isThere.states ? waitValues : []),
    ...(acceptsBearer(api) ? oauth2Values : []),
    ...(hasPartHeaders(api) ? ["part"] : []),
    ...(hasEvents ? ["followEvents"] : []),
    ...(hasDeprecations(api) ? ["withDeprecationWarnings"] : []),
  ].filter((each) => isNameFree(api, each));
  const types = [
    ...runtimeTypes.map((each) => (each === "CallOptions" ? callOptionsType(api) : each)),
    ...(isThere.pagination ? ["PageIterable", ...paginationOptions(api)] : []),
    ...(isThere.states ? (["WaitErrorCode", "WaitOptions"] as const) : []),
    ...(acceptsBearer(api) ? (["OAuth2", "OAuth2Options", "OAuth2Tokens"] as const) : []),
    ...(hasEvents ? (["FollowOptions", "ServerSentEvent"] as const) : []),
    ...(hasDeprecations(api) ? (["DeprecationLink", "DeprecationNotice", "DeprecationOptions"] as const) : []),
    ...(isThere.uploads ? (["UploadBody", "UploadOptions", "UploadProgress"] as const) : []),
  ].filter((each) => isNameFree(api, each));
  const text = [
    ...files.map((file) => code`export * from ${jsonLiteral(`./${file}.js`)};`),
    code`export { ${joinCode(values.map(identifier), code`, `)} } from ${jsonLiteral(clientRuntime)};`,
    code`export type { ${joinCode(types.map(identifier), code`, `)} } from ${jsonLiteral(clientRuntime)};`,
  ];
  return { path: "src/gen/index.ts", text: printSourceFile([code`${text}`]) };
}

/** True if the description says when an operation was deprecated, ends, or what replaces it. */
export function hasDeprecations({ operations, operationsWithoutPath }: Api): boolean {
  return [...operations, ...operationsWithoutPath].some(({ deprecation }) => deprecation !== undefined);
}

const runtimeValues = ["ApiError", "isApiError", "toResult", "withResponse", "withResponseLimit", "withRetry"] as const;
const oauth2Values = ["createOAuth2", "isOAuth2Error", "OAuth2Error"] as const;
const waitValues = ["isWaitError", "WaitError"] as const;
const runtimeTypes = [
  "ApiErrorCode",
  "ResponseLimitOptions",
  "CallOptions",
  "Client",
  "Fetch",
  "UndocumentedStatus",
  "ApiPromise",
  "ResponseHeaders",
  "CallError",
  "Result",
  "RetryOptions",
  "SuccessResponse",
] as const;
