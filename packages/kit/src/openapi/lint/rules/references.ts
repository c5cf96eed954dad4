import { didYouMean } from "../../read/did-you-mean.js";
import { findApplicability } from "../applicability.js";
import { bodySchemas, resolveFields, fieldNamesIn, hasField, referencedResource } from "../fields.js";
import type { LintNode } from "../lint-node.js";
import type { LintFinding, LintRule } from "../rule.js";
import type { Extension, SpecIndex } from "../spec-index.js";
import { unknownName } from "../unknown-name.js";

/** Resources, schemas and operations that an extension field refers to exist. */
export const referencesRule: LintRule<"references/unknown" | "operations/unknown"> = {
  codes: {
    "references/unknown": ["error", "warning", "A resource or schema is unknown."],
    "operations/unknown": ["error", "warning", "An operation is unknown."],
  },
  *check(index) {
    const operations = index.operations.flatMap((operation) => operation.name ?? []);
    for (const { kind, at, value } of index.usesOf("operation", "resource", "target", "subject", "schemaName")) {
      if (typeof value !== "string") continue;
      const isOperation = operations.includes(value);
      if (kind === "operation") {
        if (!isOperation)
          yield unknownName("operations/unknown", at, { noun: "operation", name: value, names: operations });
      } else if (kind === "schemaName") {
        if (!index.schemas.has(value))
          yield unknownName("references/unknown", at, { noun: "schema", name: value, names: index.schemas.keys() });
      } else if (!index.resources.has(value) && (kind === "resource" || !isOperation)) {
        if (kind !== "subject" || !value.startsWith("$")) yield unknownResource(index, at, value);
      }
    }
  },
};

function unknownResource(index: SpecIndex, at: LintNode, name: string): LintFinding<"references/unknown"> {
  const finding = unknownName("references/unknown", at, { noun: "resource", name, names: index.resources.keys() });
  if (!index.schemas.has(name)) return finding;
  return { ...finding, message: `The schema "${name}" is not a resource, because it has no x-resource.` };
}

/** Fields in references, effects and state machines exist in the resource. */
export const referencedFieldsRule: LintRule<"references/field"> = {
  codes: { "references/field": ["error", "warning", "A field is unknown."] },
  *check(index) {
    for (const { node } of index.byField("x-reference")) {
      const by = node.text("by");
      const resource = index.schemas.get(node.text("to") ?? "");
      if (by !== undefined && resource && !hasField([resource], [by]))
        yield unknownResourceField(node.at(["by"]), by, resource);
    }
    for (const extension of index.byField("x-effects")) {
      for (const [position, effect] of extension.node.items().entries()) {
        const resource = findEffectResource(index, extension, [String(position), "to"]);
        if (resource === undefined) continue;
        for (const [name, at] of effect.child("values")?.entries() ?? []) {
          if (!hasField([resource], name.split("/"))) yield unknownResourceField(at, name, resource);
        }
      }
    }
    for (const extension of index.byField("x-state-machine")) {
      const resource = holderOf(index, extension);
      if (resource === undefined) continue;
      for (const [name, at] of setsOf(extension.node))
        if (!hasField([resource], name.split("."))) yield unknownResourceField(at, name, resource);
    }
  },
};

/** Returns the resource with the state machine. */
function holderOf(index: SpecIndex, { host }: Extension): LintNode | undefined {
  const contexts = index.contextsOf(host.node).flatMap((each) => [each.self, ...each.enclosing]);
  return [host.node, ...contexts].find((each) => each.read("x-resource") !== undefined)?.follow();
}

/** Returns the fields that initial states and transitions set. */
function setsOf(stateMachines: LintNode): readonly (readonly [string, LintNode])[] {
  return (Array.isArray(stateMachines.value) ? stateMachines.items() : [stateMachines])
    .flatMap((stateMachine) => [stateMachine.child("initial"), stateMachine.child("transitions")])
    .flatMap((moves) => moves?.items() ?? [])
    .flatMap((move) => move.child("sets")?.entries() ?? []);
}

/** Returns the resource that an effect changes, if the description determines it. */
function findEffectResource(index: SpecIndex, extension: Extension, path: readonly string[]): LintNode | undefined {
  const to = extension.node.at(path).value;
  if (typeof to !== "string") return undefined;
  if (!to.startsWith("$")) return index.resources.get(to);
  const [root, pointer = ""] = to.split("#");
  if (root !== "$request.body") return undefined;
  const bodies = findApplicability(index, extension, path).operations.flatMap(bodySchemas);
  return referencedResource(index, resolveFields(bodies, pointer.split("/").slice(1)).schemas);
}

function unknownResourceField(at: LintNode, name: string, resource: LintNode): LintFinding<"references/field"> {
  return {
    code: "references/field",
    at,
    message: `The resource has no field "${name}".`,
    fix: didYouMean(name, fieldNamesIn([resource]), "fields"),
  };
}
