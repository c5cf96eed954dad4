import { ts } from "ts-morph";
import type { CodePlace, Difference } from "@plumbline/diff";
import type { CallUse, CodeUse, WriteUse } from "./code-use.js";
import { unwrap } from "./expressions.js";
import type { PartReader } from "./part-reader.js";

type Certainty = CodePlace["certainty"];

/** Judges a use of the part that a difference is about. Undefined: the difference does not concern it. */
export type Judge = (use: CodeUse, reader: PartReader) => Certainty | undefined;

type JudgeByKind = {
  readonly [Kind in CodeUse["kind"]]?: (
    use: Extract<CodeUse, { kind: Kind }>,
    reader: PartReader,
  ) => Certainty | undefined;
};

function byKind(judges: JudgeByKind): Judge {
  return (use, reader) => (judges[use.kind] as Judge | undefined)?.(use, reader);
}

const certain = (): Certainty => "certain";
const possible = (): Certainty => "possible";

/** Every use of an operation. */
export const everyCall: Judge = byKind({ call: certain });
/** Every use of an operation that there no longer is, imports included. */
export const everyUse: Judge = byKind({ call: certain, import: certain });
/** Calls by method and path. */
export const everyPathCall: Judge = byKind({ call: ({ call }) => (call?.form === "paths" ? "certain" : undefined) });
/** Every use of the function of an operation. Its method and path are no use of its name. */
export const everyNamedCall: Judge = byKind({
  call: ({ call }) => (call?.form === "paths" ? undefined : "certain"),
  import: certain,
});
export const someCalls: Judge = byKind({ call: possible });
/** Every place that names a type. */
export const everyMention: Judge = byKind({ type: certain, import: certain });

/** Every place that reads or writes a property that there no longer is. */
export const everyAccess: Judge = byKind({ read: certain, write: certain });

/** Calls without an argument that is required. `names` lead to it: `["query", "page"]`, or `["body"]`. */
export function callsWithout(names: readonly string[]): Judge {
  return byKind({ call: (use, reader) => missingIn(use, names, reader) });
}

function missingIn({ call }: CallUse, names: readonly string[], reader: PartReader): Certainty | undefined {
  if (call === undefined) return "possible";
  if (call.request === undefined) return "certain";
  const path = call.form === "paths" && names[0] !== "body" ? ["params", ...names] : names;
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

/** Objects without a property that is required. */
export function objectsWithout(name: string): Judge {
  return byKind({ construct: ({ names, isOpen }) => (names.has(name) ? undefined : isOpen ? "possible" : "certain") });
}

/** What a value that is written may be. */
type ValueTest = (value: ts.Expression | undefined, reader: PartReader) => Certainty | undefined;

function writes(test: ValueTest): Judge {
  return byKind({ write: ({ value }: WriteUse, reader) => test(value, reader) });
}

/** The text is written, or a value of a type with it. */
function mayBeText(text: string): ValueTest {
  return (value, { checker }) => {
    if (value === undefined) return "possible";
    const literal = unwrap(value);
    if (ts.isStringLiteralLike(literal)) return literal.text === text ? "certain" : undefined;
    const type = checker.getTypeAtLocation(value);
    const branches = type.isUnion() ? type.types : [type];
    const isOpen = branches.some(
      (each) => each.flags & (ts.TypeFlags.String | ts.TypeFlags.Any | ts.TypeFlags.Unknown),
    );
    return isOpen || branches.some((each) => each.isStringLiteral() && each.value === text) ? "possible" : undefined;
  };
}

const mayBeNull: ValueTest = (value, { checker }) => {
  if (value === undefined) return "possible";
  if (unwrap(value).kind === ts.SyntaxKind.NullKeyword) return "certain";
  const type = checker.getTypeAtLocation(value);
  const branches = type.isUnion() ? type.types : [type];
  return branches.some((each) => each.flags & (ts.TypeFlags.Null | ts.TypeFlags.Any | ts.TypeFlags.Unknown))
    ? "possible"
    : undefined;
};

const unguardedReads: Judge = byKind({ read: ({ isGuarded }) => (isGuarded ? undefined : "certain") });

const ofRequests: Readonly<Record<string, Judge>> = {
  "type-changed": byKind({ write: certain }),
  forbidden: byKind({ write: certain }),
  "property-removed": everyAccess,
  "null-removed": writes(mayBeNull),
};

const ofResponses: Readonly<Record<string, Judge>> = {
  "type-changed": byKind({ read: certain }),
  forbidden: byKind({ read: certain }),
  "property-removed": everyAccess,
  "property-optional": unguardedReads,
  "null-added": unguardedReads,
  "enum-value-added": byKind({ read: possible, compare: possible }),
};

/** The judge of a difference of a property or a whole body. */
export function judgeOfValue({ code, old }: Difference): Judge {
  const [, direction, kind = ""] = /^(request|response)-(.*)/.exec(code) ?? [];
  const text = parseText(old);
  if (kind === "enum-value-removed" && text !== undefined)
    return direction === "request" ? either(writes(mayBeText(text)), comparesWith(text)) : comparesWith(text);
  if (direction === "request") return ofRequests[kind] ?? byKind({ write: possible });
  if (direction === "response") return ofResponses[kind] ?? byKind({ read: possible });
  return byKind({ read: possible, write: possible });
}

/** Comparisons with a value that no longer occurs. They do not compile. */
function comparesWith(text: string): Judge {
  return byKind({ compare: ({ value }) => (value === text ? "certain" : undefined) });
}

function either(one: Judge, other: Judge): Judge {
  return (use, reader) => one(use, reader) ?? other(use, reader);
}

/** The text in a difference, which is JSON. Undefined for another value. */
function parseText(json: string | undefined): string | undefined {
  if (json === undefined || !json.startsWith('"')) return undefined;
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined; // shortened
  }
}
