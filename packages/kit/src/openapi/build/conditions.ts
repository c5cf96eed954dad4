import type { Condition, Expression, Json, Schema } from "../../model/index.js";
import { looksLikeExpression, parseExpression } from "../read/expression.js";
import type { SpecNode } from "../read/spec-node.js";
import { definedFields, readStrings } from "./plain-data.js";

/** Reads a `when`. `readSchema` reads the schemas in it. */
export function readCondition(
  place: SpecNode | undefined,
  readSchema: (place: SpecNode) => Schema,
): Condition | undefined {
  if (place === undefined) return undefined;
  const schemaAt = (key: string): Schema | undefined => {
    const child = place.child(key);
    return child && readSchema(child);
  };
  const refs = place
    .get("refs")
    ?.entries()
    .map(([field, schema]) => [field, readSchema(schema)] as const);
  const changes = place.get("changes");
  return definedFields<Condition>({
    caller: schemaAt("caller"),
    body: schemaAt("body"),
    target: schemaAt("target"),
    sent: schemaAt("sent"),
    refs: refs && Object.fromEntries(refs),
    changes: changes && readStrings(changes),
    compare: readComparison(place.get("compare")),
  });
}

/** Returns the expression under a key, or `undefined` if there is none or it does not parse, which the linter reports. */
export function readExpression(place: SpecNode, key: string): Expression | undefined {
  const text = place.text(key);
  return text === undefined ? undefined : parseExpression(text);
}

type Comparison = NonNullable<Condition["compare"]>;

function readComparison(place: SpecNode | undefined): Comparison | undefined {
  const [left, operator, right] = place?.items().map((item) => item.raw) ?? [];
  const parsed = typeof left === "string" ? parseExpression(left) : undefined;
  if (parsed === undefined || typeof operator !== "string") return undefined;
  const against = typeof right === "string" && looksLikeExpression(right) ? parseExpression(right) : undefined;
  return { left: parsed, operator: operator as Comparison["operator"], right: against ?? (right as Json) };
}
