import type { Json } from "../suite.js";
import { isJsonArray, isJsonObject } from "../values/json.js";

/** A keyword of JSON Schema that limits a number, a length or a count. */
export interface LimitKeyword {
  readonly isLower: boolean;
  readonly isExclusive: boolean;
  /** Absent for a limit of a number. */
  readonly unit?: "characters" | "items" | "fields" | undefined;
}

/** Parses the name of a keyword. Undefined when it is not a limit. */
export function parseLimitKeyword(keyword: string): LimitKeyword | undefined {
  const cached = parsed.get(keyword);
  if (cached !== undefined || parsed.has(keyword)) return cached;
  const [, exclusive, side, end = ""] = /^(exclusive)?(min|max)(imum|Length|Items|Properties)$/i.exec(keyword) ?? [];
  const unit = Object.hasOwn(units, end) ? units[end] : undefined;
  const limit =
    side === undefined
      ? undefined
      : {
          isLower: side.toLowerCase() === "min",
          isExclusive: exclusive !== undefined,
          unit,
        };
  parsed.set(keyword, limit);
  return limit;
}

const parsed = new Map<string, LimitKeyword | undefined>();

const units: Readonly<Record<string, NonNullable<LimitKeyword["unit"]>>> = {
  Length: "characters",
  Items: "items",
  Properties: "fields",
};

/** The number that a limit compares. Undefined for a value that the limit does not apply to. */
export function measureLimited({ unit }: LimitKeyword, value: Json | undefined): number | undefined {
  if (unit === "characters") return typeof value === "string" ? countCharacters(value) : undefined;
  if (unit === "items") return isJsonArray(value) ? value.length : undefined;
  if (unit === "fields") return isJsonObject(value) ? Object.keys(value).length : undefined;
  return typeof value === "number" ? value : undefined;
}

/** True for a number within a limit. */
export function isWithinLimit({ isLower, isExclusive }: LimitKeyword, limit: number, measured: number): boolean {
  if (isExclusive) return isLower ? measured > limit : measured < limit;
  return isLower ? measured >= limit : measured <= limit;
}

/** Unicode characters, as JSON Schema counts them. */
function countCharacters(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
