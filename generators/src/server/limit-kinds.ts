import { code, type Code } from "../emit/printer.js";
import type { Json, LimitKind } from "../model/api.js";
import { $serverType } from "./runtime.js";
import type { StatedLimit } from "./stated-limits.js";

/** The code of a limit. */
export interface Printed {
  readonly type: Code;
  readonly data: Readonly<Record<string, Json>>;
  /** A sentence that describes it. */
  readonly says: string;
}

/** Returns the code of a limit, or `undefined` for limits that the validation of the body enforces alone. */
export function printedLimit(stated: StatedLimit): Printed | undefined {
  const { kind, within } = stated.limit;
  return kind === "unique" && within === "array" ? undefined : kinds[kind]?.(stated);
}

/** Returns the fields of a unique key: those in `by`, or the property with the limit. */
export function keyOf({ limit, property }: StatedLimit): readonly string[] {
  return limit.by ?? (property === undefined ? [] : [property]);
}

const kinds = {
  rate: (stated) => ({
    type: $serverType("RateLimit"),
    data: { ...named(stated), max: maxOf(stated), windowSeconds: secondsOf(stated), ...failing(stated) },
    says: `At most ${maxOf(stated)} in ${stated.limit.window?.text ?? ""}${per(stated)}${onFailure("one more", stated)}.`,
  }),
  "outcome-rate": (stated) => ({
    type: $serverType("RateLimit"),
    data: {
      kind: "rate",
      id: stated.limit.id,
      max: maxOf(stated),
      windowSeconds: secondsOf(stated),
      ...failing(stated),
    },
    says: `At most ${maxOf(stated)} in ${stated.limit.window?.text ?? ""}${per(stated)} that end with ${fields(outcomesOf(stated))}${onFailure("one more", stated)}.`,
  }),
  concurrency: (stated) => ({
    type: $serverType("ConcurrencyLimit"),
    data: { ...named(stated), max: maxOf(stated), ...failing(stated) },
    says: `At most ${maxOf(stated)} at a time${per(stated)}${onFailure("one more", stated)}.`,
  }),
  unique: (stated) => ({
    type: $serverType("UniqueLimit"),
    data: {
      ...named(stated),
      resource: resourceOf(stated),
      by: keyOf(stated),
      within: withinOf(stated),
      ...failing(stated),
    },
    says: `No two of \`${resourceOf(stated)}\` have the same ${fields(keyOf(stated))} within ${places[withinOf(stated)]}${onFailure("another", stated)}.`,
  }),
  retention: (stated) => {
    const { max, window, within, by } = stated.limit;
    const scope = within === undefined || within === "array" ? {} : { within };
    const place = scope.within === undefined ? "" : ` within ${places[scope.within]}`;
    const since = by === undefined ? "" : `, from ${fields(by)} on`;
    return {
      type: code`${$serverType("RetentionLimit")}${window === undefined ? code`` : code` & { readonly windowSeconds: number }`}${
        max === undefined ? code`` : code` & { readonly max: number }`
      }`,
      data: {
        ...named(stated),
        ...(max === undefined ? {} : { max }),
        ...(window === undefined ? {} : { windowSeconds: window.seconds }),
        ...scope,
        ...(by === undefined ? {} : { by }),
      },
      says: `Kept${max === undefined ? "" : `: ${max}${place}`}${window === undefined ? "" : ` for ${window.text}${since}`}.`,
    };
  },
  bytes: (stated) => {
    const { window } = stated.limit;
    return {
      type: code`${$serverType("BytesLimit")}${window === undefined ? code`` : code` & { readonly windowSeconds: number }`}`,
      data: {
        ...named(stated),
        max: maxOf(stated),
        ...(window === undefined ? {} : { windowSeconds: window.seconds }),
        ...failing(stated),
      },
      says: `At most ${maxOf(stated)} bytes${window === undefined ? "" : ` in ${window.text}`}${onFailure("one more", stated)}.`,
    };
  },
  "combined-length": undefined,
  "serialized-length": undefined,
} satisfies Record<LimitKind, ((stated: StatedLimit) => Printed) | undefined>;

const places = { parent: "its parent", user: "its user", account: "its account", platform: "the platform" };

function named({ limit: { kind, id } }: StatedLimit): { readonly kind: string; readonly id: string } {
  return { kind, id };
}

function failing({ limit: { error } }: StatedLimit): { readonly error?: string } {
  return error === undefined ? {} : { error };
}

function outcomesOf({ limit: { counts } }: StatedLimit): readonly string[] {
  return [...(counts?.errors ?? []), ...(counts?.effects ?? [])];
}

function maxOf({ limit }: StatedLimit): number {
  return limit.max ?? lacking(limit.id, "max");
}

function secondsOf({ limit }: StatedLimit): number {
  return limit.window?.seconds ?? lacking(limit.id, "window");
}

function withinOf({ limit }: StatedLimit): keyof typeof places {
  const { within } = limit;
  return within === undefined || within === "array" ? lacking(limit.id, "within") : within;
}

function resourceOf({ resource = "" }: StatedLimit): string {
  return resource;
}

/** The linter has reported it with its location. */
function lacking(id: string, what: string): never {
  throw new Error(`the limit ${id} has no ${what}`);
}

function per({ limit }: StatedLimit): string {
  return limit.per === undefined ? "" : ` per \`${limit.per.text}\``;
}

function onFailure(which: string, { limit }: StatedLimit): string {
  return limit.error === undefined ? "" : `; ${which} fails with \`${limit.error}\``;
}

function fields(names: readonly string[]): string {
  return names.map((each) => `\`${each}\``).join(" and ");
}
