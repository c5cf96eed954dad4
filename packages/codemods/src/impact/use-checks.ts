import type { CodePlace, Difference } from "@plumbline/kit/diff";
import { camelCase, pascalCase } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import type { CallUse, CodeUse } from "./code-use.js";
import type { PartReader } from "./part-reader.js";
import { isOfOldType, isOutside, isText, mayBeNull, mayBeText, type ValueTest } from "./value-tests.js";

type Certainty = CodePlace["certainty"];

/** Checks a use of the part that a difference is about. Undefined: the difference does not concern it. */
export type UseCheck = (use: CodeUse, reader: PartReader) => Certainty | undefined;

type CheckByKind = {
  readonly [Kind in CodeUse["kind"]]?: (
    use: Extract<CodeUse, { kind: Kind }>,
    reader: PartReader,
  ) => Certainty | undefined;
};

function byKind(checks: CheckByKind): UseCheck {
  return (use, reader) => (checks[use.kind] as UseCheck | undefined)?.(use, reader);
}

const certain = (): Certainty => "certain";
const possible = (): Certainty => "possible";

/** Every call of an operation. */
export const everyCall: UseCheck = byKind({ call: (use) => (isNamed(use) ? "certain" : undefined) });
export const someCalls: UseCheck = byKind({ call: (use) => (isNamed(use) ? "possible" : undefined) });

/** Whether an operation is named here, and not only sent. */
function isNamed({ call }: CallUse): boolean {
  return call?.isArgument !== true;
}

/** Every use of an operation that was removed. Files of the user may have other names for it, which are not its own. */
export function everyUse(name: string): UseCheck {
  return byKind({
    call: (use) => (isNamed(use) ? "certain" : undefined),
    mention: ({ name: usedName, isPath }) => (isPath || isNameOf(usedName, name) ? "certain" : undefined),
  });
}

/** Every place with the name of an operation. Calls by method and path do not have it. */
export function everyName(name: string): UseCheck {
  return byKind({
    call: ({ node, call }) => (call?.form !== "paths" && isNameOf(node.getText(), name) ? "certain" : undefined),
    mention: ({ name: usedName, isPath }) => (!isPath && isNameOf(usedName, name) ? "certain" : undefined),
  });
}

/** Whether a name is that of an operation, of a function for query libraries, or of a type of its request or responses. */
function isNameOf(usedName: string, name: string): boolean {
  const text = usedName.replaceAll(/['"`]/g, "");
  if (camelCase(text) === name) return true;
  const base = text.replace(/(Query|InfiniteQuery|Mutation|Request|Arguments|Error|ApiError|Success|Filter)$/, "");
  return base !== text && (base === name || base === pascalCase(name));
}

/** Calls by method and path. */
export const everyPath: UseCheck = byKind({
  call: (use) => (use.call?.form === "paths" && isNamed(use) ? "certain" : undefined),
  mention: ({ isPath }) => (isPath ? "certain" : undefined),
});

/** Every place with the name of a type. */
export function everyTypeName(name: string): UseCheck {
  const isIt = ({ name: usedName }: { readonly name: string }): Certainty | undefined =>
    usedName === name ? "certain" : undefined;
  return byKind({ type: isIt, mention: isIt });
}

/** Comparisons of a status, and the calls after which it may be another one. */
export function statuses(status: string | undefined, calls?: "calls"): UseCheck {
  return byKind({
    status: (use) => (use.status === status ? "certain" : undefined),
    ...(calls === undefined ? {} : { call: (use: CallUse) => (isNamed(use) ? "possible" : undefined) }),
  });
}

/** Every place that passes, reads or writes something that there no longer is. */
export const everyAccess: UseCheck = byKind({ read: certain, write: certain });
const everyWrite: UseCheck = byKind({ write: certain, read: ({ isType }) => (isType ? "certain" : undefined) });

/** A function that is passed on: what it will be called with is not known. */
export const passedOn: UseCheck = byKind({ call: ({ call }) => (call === undefined ? "possible" : undefined) });

/** Calls without an argument that is required. `names` lead to it: `["query", "page"]`, or `["body"]`. */
export function callsWithout(names: readonly string[]): UseCheck {
  return byKind({ call: (use, reader) => missingIn(use, names, reader) });
}

function missingIn({ call }: CallUse, names: readonly string[], reader: PartReader): Certainty | undefined {
  if (call === undefined) return "possible";
  if (call.isDeferred) return undefined;
  if (call.request === undefined) return "certain";
  const path = call.form === "paths" && names[0] !== "body" ? ["params", ...names.map(toSingular)] : names;
  let type: ts.Type | undefined = reader.checker.getTypeAtLocation(call.request);
  for (const name of path) {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return "possible";
    const [property] = reader.property(type, name);
    if (property === undefined) return type.getStringIndexType() === undefined ? "certain" : "possible";
    if (property.flags & ts.SymbolFlags.Optional) return "possible";
    type = reader.checker.getTypeOfSymbolAtLocation(property, call.request);
  }
  return undefined;
}

/** openapi-fetch has `header` and `cookie` where the client has `headers` and `cookies`. */
function toSingular(name: string, index: number): string {
  return index === 0 ? name.replace(/^(header|cookie)s$/, "$1") : name;
}

/** Objects without a property that is required. */
export function objectsWithout(name: string): UseCheck {
  return byKind({
    construct: ({ names, maybe, isOpen }) =>
      names.has(name) ? undefined : isOpen || maybe.has(name) ? "possible" : "certain",
  });
}

function writes(test: ValueTest): UseCheck {
  return byKind({ write: ({ value }, reader) => test(value, reader) });
}

const unguardedReads: UseCheck = byKind({
  read: ({ isGuarded, hasDefault, isType }) => (isGuarded || hasDefault || isType ? undefined : "certain"),
});
const nullReads: UseCheck = byKind({
  read: ({ isGuarded, isType }) => (isGuarded || isType ? undefined : "certain"),
});
const valueReads: UseCheck = byKind({ read: ({ isType }) => (isType ? undefined : "certain") });
const possibleReads: UseCheck = byKind({ read: ({ isType }) => (isType ? undefined : "possible") });

const ofRequests: Readonly<Record<string, UseCheck>> = {
  "type-changed": writes(isOfOldType),
  forbidden: byKind({ write: certain }),
  "property-removed": everyWrite,
  "null-removed": writes(mayBeNull),
};

const ofResponses: Readonly<Record<string, UseCheck>> = {
  "type-changed": firstOf(valueReads, writes(isOfOldType)),
  forbidden: everyAccess,
  // Fixtures of tests write responses.
  "property-removed": everyAccess,
  "property-optional": unguardedReads,
  "null-added": nullReads,
  "enum-value-added": byKind({
    read: ({ isType }) => (isType ? undefined : "possible"),
    compare: ({ isOneOfMany }) => (isOneOfMany ? undefined : "possible"),
    construct: ({ isOpen }) => (isOpen ? undefined : "certain"),
  }),
};

/** The check of the uses of a value that a difference is about of a property or a whole body. */
export function checkOfValue(difference: Difference): UseCheck {
  const { code, old } = difference;
  if (code.endsWith("-deprecated")) return everyAccess;
  const [, direction, kind = ""] = /^(request|response)-(.*)/.exec(code) ?? [];
  const text = parseText(old);
  if (kind === "enum-value-removed" && text !== undefined)
    return direction === "request" ? writes(mayBeText(text)) : firstOf(comparesWith(text), writes(isText(text)));
  if (direction === "request" && kind === "bound-tightened") return writes(isOutside(difference.new));
  if (direction === "request") return ofRequests[kind] ?? byKind({ write: possible });
  if (direction === "response") return ofResponses[kind] ?? possibleReads;
  return byKind({ read: ({ isType }) => (isType ? undefined : "possible"), write: possible });
}

function firstOf(one: UseCheck, other: UseCheck): UseCheck {
  return (use, reader) => one(use, reader) ?? other(use, reader);
}

/** Comparisons with a value that no longer occurs. They do not compile. */
export function comparesWith(text: string): UseCheck {
  return byKind({ compare: ({ value }) => (value === text ? "certain" : undefined) });
}

/** Comparisons with the value that selects a branch of a union. */
export const branchCompares: UseCheck = byKind({
  read: ({ isType }) => (isType ? undefined : "possible"),
  construct: ({ isOpen }) => (isOpen ? undefined : "certain"),
});

/** Objects of a branch of a union that is no longer accepted. */
export const everyObject: UseCheck = byKind({ construct: ({ isOpen }) => (isOpen ? undefined : "certain") });
/** Every place that reads the result of an operation. */
export const everyResult: UseCheck = byKind({ result: certain });

/** The text in a difference, which is JSON. Undefined for another value. */
function parseText(json: string | undefined): string | undefined {
  if (json === undefined || !json.startsWith('"')) return undefined;
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined; // shortened
  }
}
