import { code, type Code } from "@plumbline/kit/codegen";
import { type CollectedLimit, type Json, type Limit, type LimitKind, uniqueKeyFields } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

/** The code of a limit. */
export interface PrintedLimit {
  readonly type: Code;
  readonly data: Readonly<Record<string, Json>>;
}

/** Returns the code of a limit, or `undefined` for limits that the validation of the body enforces alone. */
export function printLimit(stated: CollectedLimit): PrintedLimit | undefined {
  const { kind, within } = stated.limit;
  return kind === "unique" && within === "array" ? undefined : limitPrinters[kind]?.(stated);
}

const limitPrinters = {
  rate: (stated) => ({
    type: serverType("RateLimit"),
    data: { ...kindAndId(stated), max: maxOf(stated), windowSeconds: secondsOf(stated), ...errorMember(stated) },
  }),
  "outcome-rate": (stated) => ({
    type: serverType("RateLimit"),
    data: {
      kind: "rate",
      id: stated.limit.id,
      max: maxOf(stated),
      windowSeconds: secondsOf(stated),
      ...errorMember(stated),
    },
  }),
  concurrency: (stated) => ({
    type: serverType("ConcurrencyLimit"),
    data: { ...kindAndId(stated), max: maxOf(stated), ...errorMember(stated) },
  }),
  unique: (stated) => ({
    type: serverType("UniqueLimit"),
    data: {
      ...kindAndId(stated),
      resource: resourceOf(stated),
      by: uniqueKeyFields(stated),
      within: withinOf(stated),
      ...errorMember(stated),
    },
  }),
  retention: (stated) => {
    const { max, window, within, by } = stated.limit;
    const scope = within === undefined || within === "array" ? {} : { within };
    return {
      type: code`${serverType("RetentionLimit")}${window === undefined ? code`` : code` & { readonly windowSeconds: number }`}${
        max === undefined ? code`` : code` & { readonly max: number }`
      }`,
      data: {
        ...kindAndId(stated),
        ...(max === undefined ? {} : { max }),
        ...(window === undefined ? {} : { windowSeconds: window.seconds }),
        ...scope,
        ...(by === undefined ? {} : { by }),
      },
    };
  },
  bytes: (stated) => {
    const { window } = stated.limit;
    return {
      type: code`${serverType("BytesLimit")}${window === undefined ? code`` : code` & { readonly windowSeconds: number }`}`,
      data: {
        ...kindAndId(stated),
        max: maxOf(stated),
        ...(window === undefined ? {} : { windowSeconds: window.seconds }),
        ...errorMember(stated),
      },
    };
  },
  "combined-length": undefined,
  "serialized-length": undefined,
} satisfies Record<LimitKind, ((stated: CollectedLimit) => PrintedLimit) | undefined>;

function kindAndId({ limit: { kind, id } }: CollectedLimit): { readonly kind: string; readonly id: string } {
  return { kind, id };
}

function errorMember({ limit: { error } }: CollectedLimit): { readonly error?: string } {
  return error === undefined ? {} : { error };
}

function maxOf({ limit }: CollectedLimit): number {
  return limit.max ?? throwMissing(limit.id, "max");
}

function secondsOf({ limit }: CollectedLimit): number {
  return limit.window?.seconds ?? throwMissing(limit.id, "window");
}

function withinOf({ limit }: CollectedLimit): Exclude<NonNullable<Limit["within"]>, "array"> {
  const { within } = limit;
  return within === undefined || within === "array" ? throwMissing(limit.id, "within") : within;
}

function resourceOf({ resource = "" }: CollectedLimit): string {
  return resource;
}

/** The linter has reported it with its location. */
function throwMissing(id: string, what: string): never {
  throw new Error(`the limit ${id} has no ${what}`);
}
