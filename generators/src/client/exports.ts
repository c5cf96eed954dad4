import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, join, literal, name, print } from "../emit/printer.js";
import type { Api } from "../model/api.js";
import { filters } from "./filters.js";
import { rates } from "./limits.js";
import { isFree } from "./names.js";
import { emitPagination } from "./pagination.js";
import { runtime } from "./runtime.js";
import { waits } from "./states.js";
import { uploads } from "./uploads.js";

/** Emits `index.ts`, which exports everything. Bundlers drop the unused exports. */
export function emitIndex(api: Api, areas: readonly string[]): TextFile {
  const isThere = {
    client: true,
    errors: true,
    types: true,
    scopes: api.scopes !== undefined,
    filters: filters(api).length > 0,
    pagination: emitPagination(api).length > 0,
    states: waits(api).length > 0,
    limits: rates(api).length > 0,
    uploads: uploads(api).length > 0,
  };
  const own = Object.entries(isThere).flatMap(([file, there]) => (there ? [file] : []));
  const files = [...own, ...areas.map((area) => `operations/${area}`)];
  // The package exports a schema or an operation in preference to a runtime export of the same name.
  const values = [...runtimeValues, ...(isThere.states ? waitValues : [])].filter((each) => isFree(api, each));
  const types = [
    ...runtimeTypes,
    ...(isThere.pagination ? (["Paginated", "PaginateOptions"] as const) : []),
    ...(isThere.states ? (["WaitErrorCode", "WaitOptions"] as const) : []),
    ...(isThere.uploads ? (["UploadBody", "UploadOptions", "UploadProgress"] as const) : []),
  ].filter((each) => isFree(api, each));
  const text = [
    ...files.map((file) => code`export * from ${literal(`./${file}.js`)};`),
    code`export { ${join(values.map(name), code`, `)} } from ${literal(runtime)};`,
    code`export type { ${join(types.map(name), code`, `)} } from ${literal(runtime)};`,
  ];
  return { path: "src/gen/index.ts", text: print([code`${text}`], banner) };
}

const runtimeValues = ["ApiError", "isApiError", "safe", "bounded", "retrying"] as const;
const waitValues = ["isWaitError", "WaitError"] as const;
const runtimeTypes = [
  "ApiErrorCode",
  "BoundedOptions",
  "CallOptions",
  "Client",
  "Fetch",
  "OtherStatus",
  "Pending",
  "Result",
  "RetryOptions",
] as const;
