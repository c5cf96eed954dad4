import { isJsonObject } from "../../../model/index.js";
import { didYouMean } from "../../read/did-you-mean.js";
import { findApplicability } from "../applicability.js";
import { findCompileError } from "../bundle-schema.js";
import { bodySchemas, resolveFields, fieldNamesIn, hasField, referencedResource } from "../fields.js";
import type { LintNode } from "../lint-node.js";
import type { LintFinding, LintRule } from "../rule.js";
import type { Extension, SpecIndex } from "../spec-index.js";

/** The JSON Schemas inside extension fields compile. */
export const conditionSchemasRule: LintRule<"conditions/compile"> = {
  codes: { "conditions/compile": ["error", "warning", "A JSON Schema in an extension does not compile."] },
  *check(index) {
    for (const { at } of index.usesOf("schema")) {
      const error = findCompileError(at);
      const message = `This schema does not compile: ${error}.`;
      const fix = "Write a JSON Schema of draft 2020-12.";
      if (error !== undefined) yield { code: "conditions/compile", at, message, fix };
    }
  },
};

/** The fields of a condition exist in its subject. */
export const conditionFieldsRule: LintRule<"conditions/field"> = {
  codes: { "conditions/field": ["error", "warning", "A condition refers to a field that its subject does not have."] },
  *check(index) {
    for (const { extension, kind, path, at, value } of index.usesOf("schema", "field")) {
      if (kind === "schema") {
        const subject = findConditionSubject(index, extension, path);
        if (subject) yield* unknownFields(at, subject);
      } else if (path.at(-2) === "changes") {
        const { operations } = findApplicability(index, extension, path);
        const bodies = operations.flatMap(bodySchemas);
        if (operations.length > 0 && !hasField(bodies, [String(value)]))
          yield unknownField(at, String(value), { noun: "body", schemas: bodies });
      }
    }
  },
};

interface ConditionSubject {
  readonly noun: string;
  readonly schemas: readonly LintNode[];
}

/** Returns the subject of a schema, by its key, or `undefined` if it is unknown. */
function findConditionSubject(
  index: SpecIndex,
  extension: Extension,
  path: readonly string[],
): ConditionSubject | undefined {
  const { field, host, node } = extension;
  const key = path.at(-1);
  const reach = findApplicability(index, extension, path);
  if (path.at(-2) === "refs") {
    const name = key ?? "";
    const resource = referencedResource(
      index,
      reach.operations.flatMap((each) => [
        ...resolveFields(bodySchemas(each), name.split(".")).schemas,
        ...each.parameters.filter((other) => other.text("name") === name),
      ]),
    );
    return resource && { noun: `resource of "${name}"`, schemas: [resource] };
  }
  if (key === "body") {
    const isOfOperation = host.type === "Operation" || field === "x-state-machine";
    const schemas = reach.operations.flatMap(bodySchemas);
    return schemas.length > 0 || (isOfOperation && reach.operations.length > 0) ? { noun: "body", schemas } : undefined;
  }
  if (key === "target") return reach.targets.length > 0 ? { noun: "target", schemas: reach.targets } : undefined;
  if (key === "sent" || key === "public")
    return { noun: key === "sent" ? "property" : "resource", schemas: [host.node] };
  if (key === "where") {
    const to = node.at(path.slice(0, -1)).text("to");
    const resource = to === undefined ? undefined : index.schemas.get(to);
    return resource && { noun: "resource", schemas: [resource] };
  }
  return undefined; // the description has no schema of the caller
}

/** Compares a condition with the schemas of its subject. References are not followed. */
function* unknownFields(condition: LintNode, subject: ConditionSubject): Iterable<LintFinding<"conditions/field">> {
  if (!isJsonObject(condition.value) || condition.reference !== undefined) return;
  const { schemas, noun } = subject;
  for (const [name, child] of condition.child("properties")?.entries() ?? []) {
    const match = resolveFields(schemas, [name]);
    if (match.schemas.length > 0) yield* unknownFields(child, { noun, schemas: match.schemas });
    else if (!match.open) yield unknownField(child, name, subject);
  }
  for (const item of condition.child("required")?.items() ?? []) {
    if (typeof item.value === "string" && !hasField(schemas, [item.value]))
      yield unknownField(item, item.value, subject);
  }
  for (const key of ["items", "contains"]) {
    const child = condition.child(key);
    const match = resolveFields(schemas, ["*"]);
    if (child && match.schemas.length > 0) yield* unknownFields(child, { noun, schemas: match.schemas });
  }
  const same = [
    ...["allOf", "anyOf", "oneOf"].flatMap((key) => condition.child(key)?.items() ?? []),
    ...["not", "if", "then", "else"].flatMap((key) => condition.child(key) ?? []),
  ];
  for (const child of same) yield* unknownFields(child, subject);
}

function unknownField(
  at: LintNode,
  name: string,
  { noun, schemas }: ConditionSubject,
): LintFinding<"conditions/field"> {
  return {
    code: "conditions/field",
    at,
    message: `The ${noun} has no field "${name}".`,
    fix: didYouMean(name, fieldNamesIn(schemas), "fields"),
  };
}
