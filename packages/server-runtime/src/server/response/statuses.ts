/** The registered statuses, by the range that a description may use. */
interface StatusesByRange {
  readonly "1XX": 100 | 101 | 102 | 103;
  readonly "2XX": 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207 | 208 | 226;
  readonly "3XX": 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308;
  readonly "4XX":
    | 400
    | 401
    | 402
    | 403
    | 404
    | 405
    | 406
    | 407
    | 408
    | 409
    | 410
    | 411
    | 412
    | 413
    | 414
    | 415
    | 416
    | 417
    | 418
    | 421
    | 422
    | 423
    | 424
    | 425
    | 426
    | 428
    | 429
    | 431
    | 451;
  readonly "5XX": 500 | 501 | 502 | 503 | 504 | 505 | 506 | 507 | 508 | 510 | 511;
}

/** All registered statuses of a range, such as `StatusOf<"4XX">`. */
export type StatusOf<Range extends keyof StatusesByRange> = StatusesByRange[Range];

/** All statuses of errors. */
export type ErrorStatus = StatusOf<"4XX" | "5XX">;

/** All statuses that a description does not name. */
export type UndocumentedStatus<Named extends number> = Exclude<StatusOf<keyof StatusesByRange>, Named>;

/** All error statuses that a description does not name. `default` covers these if the description names a success. */
export type UndocumentedErrorStatus<Named extends number> = Exclude<ErrorStatus, Named>;

/** The key under which a status is documented: itself, its range, or `default`. Undefined if it is not documented. */
export function documentedStatusKey(status: number, described: Readonly<Record<string, unknown>>): string | undefined {
  const exact = String(status);
  if (Object.hasOwn(described, exact)) return exact;
  const range = `${Math.floor(status / 100)}XX`;
  if (Object.hasOwn(described, range)) return range;
  if (!Object.hasOwn(described, "default")) return undefined;
  return status >= 400 || !Object.keys(described).some(isSuccess) ? "default" : undefined;
}

/** Whether a description documents a success or a redirect, if only by `default`. */
export function documentsSuccess(described: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(described).some((key) => isSuccess(key) || key === "default");
}

function isSuccess(key: string): boolean {
  return key.startsWith("2") || key.startsWith("3");
}
