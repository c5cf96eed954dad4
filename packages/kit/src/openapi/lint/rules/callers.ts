import { defaultOwners } from "../../../model/index.js";
import { parseExpression } from "../../read/expression.js";
import type { LintNode } from "../lint-node.js";
import type { LintFinding, LintRule } from "../rule.js";
import type { SpecIndex } from "../spec-index.js";
import { unknownName } from "../unknown-name.js";

/** What conditions and grants state about callers exists in x-callers, and callers can have these values. */
export const callersRule: LintRule<"callers/attribute" | "callers/value"> = {
  codes: {
    "callers/attribute": ["error", "warning", "An attribute of callers is not declared."],
    "callers/value": ["error", "warning", "An attribute of callers cannot have a value."],
  },
  *check(index) {
    const attributes = attributesOf(index);
    for (const { at } of index.usesOf("callerValues"))
      for (const [name, values] of at.entries()) {
        yield* attributeFindings(attributes, values, name);
        yield* valueFindings(attributes, name, Array.isArray(values.value) ? values.items() : [values]);
      }
    for (const { at, path } of index.usesOf("schema"))
      if (path.at(-1) === "caller") yield* conditionFindings(attributes, at);
    for (const { at, value } of index.usesOf("expression")) {
      const expression = typeof value === "string" ? parseExpression(value) : undefined;
      if (expression?.root === "caller" && expression.name !== undefined)
        yield* attributeFindings(attributes, at, expression.name);
    }
  },
};

/** The owners of resources, and those within which values are unique, are owners of x-callers. */
export const ownersRule: LintRule<"callers/owner"> = {
  codes: { "callers/owner": ["error", "warning", "An owner is unknown."] },
  *check(index) {
    const owners = ["platform", ...ownersOf(index)];
    for (const { node } of index.byField("x-resource"))
      for (const item of node.child("owner")?.items() ?? []) yield* ownerFindings(item, owners);
    for (const { node } of index.byField("x-limits"))
      for (const limit of node.items())
        if (limit.has("within")) yield* ownerFindings(limit.at(["within"]), ["array", "parent", ...owners]);
  },
};

function* ownerFindings(at: LintNode, names: readonly string[]): Iterable<LintFinding<"callers/owner">> {
  if (typeof at.value === "string" && !names.includes(at.value))
    yield unknownName("callers/owner", at, { noun: "owner", name: at.value, names });
}

function ownersOf(index: SpecIndex): readonly string[] {
  const stated = index.root.get("x-callers")?.child("owners");
  return stated === undefined ? defaultOwners : stated.items().map(({ value }) => String(value));
}

/** The schema of each attribute. Undefined: nothing is stated about its values. */
function attributesOf(index: SpecIndex): ReadonlyMap<string, LintNode | undefined> {
  const stated = index.root.get("x-callers")?.child("attributes")?.entries() ?? [];
  const others = ["user", "scopes", ...ownersOf(index)];
  return new Map([...others.map((name) => [name, undefined] as const), ...stated]);
}

function* attributeFindings(
  attributes: ReadonlyMap<string, unknown>,
  at: LintNode,
  name: string,
): Iterable<LintFinding<"callers/attribute">> {
  if (attributes.has(name)) return;
  const { message, fix } = unknownName("callers/attribute", at, {
    noun: "attribute of callers",
    name,
    names: attributes.keys(),
  });
  yield { code: "callers/attribute", at, message, fix: `${fix} Or declare it in \`attributes\` of x-callers.` };
}

/** A condition over callers: its properties, whatever it is combined of. */
function* conditionFindings(
  attributes: ReadonlyMap<string, LintNode | undefined>,
  condition: LintNode,
): Iterable<LintFinding<"callers/attribute" | "callers/value">> {
  if (condition.reference !== undefined) return;
  for (const [name, schema] of condition.child("properties")?.entries() ?? []) {
    yield* attributeFindings(attributes, schema, name);
    const values = [...(schema.has("const") ? [schema.at(["const"])] : []), ...(schema.child("enum")?.items() ?? [])];
    yield* valueFindings(attributes, name, values);
  }
  for (const item of condition.child("required")?.items() ?? [])
    yield* attributeFindings(attributes, item, String(item.value));
  const inner = [
    ...["allOf", "anyOf", "oneOf"].flatMap((key) => condition.child(key)?.items() ?? []),
    ...["not", "if", "then", "else"].flatMap((key) => condition.child(key) ?? []),
  ];
  for (const each of inner) yield* conditionFindings(attributes, each);
}

function* valueFindings(
  attributes: ReadonlyMap<string, LintNode | undefined>,
  name: string,
  values: readonly LintNode[],
): Iterable<LintFinding<"callers/value">> {
  const schema = attributes.get(name)?.follow();
  const listed = schema
    ?.child("enum")
    ?.items()
    .map((each) => each.value);
  const possible = listed ?? (schema?.text("type") === "boolean" ? [true, false] : undefined);
  for (const at of values)
    if (possible !== undefined && !possible.includes(at.value))
      yield {
        code: "callers/value",
        at,
        message: `\`${name}\` of a caller cannot be ${JSON.stringify(at.value)}.`,
        fix: `Write ${possible.map((each) => JSON.stringify(each)).join(" or ")}, or add the value to x-callers.`,
      };
}
