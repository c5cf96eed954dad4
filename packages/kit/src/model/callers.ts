import type { Api, CallerValues, Json, Schema } from "./api.js";

/** What callers of an API are, with defaults. */
export interface Callers {
  /** The schemas of attributes besides `user`, `scopes` and the owners, as far as the description states them. */
  readonly attributes: Readonly<Record<string, Schema>>;
  /** The attributes that own objects. Besides `user` and `client`, they are objects with an `id`. */
  readonly owners: readonly string[];
  /** The owner that several users share, such as an account. Undefined: each user is alone. */
  readonly tenant: string | undefined;
  readonly needNoGrants: CallerValues | undefined;
  /** The member of a user's grants with those that have names. */
  readonly namedGrants: string;
}

/** The attributes that own objects, where the description states nothing else. */
export const defaultOwners: readonly string[] = ["account", "user", "client"];

/** Returns what callers of an API are: `x-callers`, and defaults. */
export function callersOf({ callers }: Pick<Api, "callers">): Callers {
  const { owners = defaultOwners, namedGrants = "named" } = callers ?? {};
  return {
    attributes: callers?.attributes ?? {},
    owners,
    tenant: owners.find((each) => each !== "user" && each !== "client"),
    needNoGrants: callers?.needNoGrants,
    namedGrants,
  };
}

type CallerValue = CallerValues[string][number];

/** The attributes of one caller. */
export type CallerAttributes = Readonly<Record<string, CallerValue>>;

/** Whether a caller has one of the values of each attribute. */
export function matchesCaller(attributes: CallerAttributes, values: CallerValues): boolean {
  return Object.entries(values).every(([name, allowed]) => {
    const value = attributes[name];
    return value !== undefined && allowed.includes(value);
  });
}

/** Every value that an attribute can have. Empty: they cannot be listed. */
export function attributeValues({ enum: listed, const: only, types }: Schema): readonly CallerValue[] {
  const values = listed ?? (only === undefined ? [] : [only]);
  if (values.length > 0) return values.filter(isCallerValue);
  return types.join() === "boolean" ? [true, false] : [];
}

function isCallerValue(value: Json): value is CallerValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/**
 * The attributes of the caller that may do most: one that needs no grant, or else with the values that most grants allow. Only attributes whose
 * values can be listed are set, and those that `needNoGrants` names.
 */
export function mainAttributes(api: Pick<Api, "callers" | "operations" | "operationsWithoutPath">): CallerAttributes {
  const { attributes, needNoGrants = {} } = callersOf(api);
  const grants = [...api.operations, ...api.operationsWithoutPath].flatMap((each) => each.grants);
  const allowing = (name: string, value: CallerValue): number =>
    grants.filter((grant) => grant.kind === "caller" && grant.caller[name]?.includes(value) === true).length;
  const chosen = Object.entries(attributes).flatMap(([name, schema]) => {
    const best = attributeValues(schema).toSorted((a, b) => allowing(name, b) - allowing(name, a))[0];
    return best === undefined ? [] : [[name, best] as const];
  });
  const exempt = Object.entries(needNoGrants).flatMap(([name, [value]]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries([...chosen, ...exempt]);
}

/** Names a caller by its attributes: `restricted`, `not-restricted` or `doctor`. */
export function callerLabel(attributes: CallerAttributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (typeof value === "boolean" ? (value ? name : `not-${name}`) : String(value)))
    .join("-");
}
