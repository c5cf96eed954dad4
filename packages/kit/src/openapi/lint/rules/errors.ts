import { didYouMean } from "../../read/did-you-mean.js";
import { findApplicability } from "../applicability.js";
import { buildErrorRegistry, responseOf } from "../error-registry.js";
import { bodySchemas, fieldNamesIn, hasField } from "../fields.js";
import type { LintFinding, LintRule } from "../rule.js";
import type { LintOperation } from "../spec-index.js";
import { unknownName } from "../unknown-name.js";

/** Errors that an extension field refers to are available in the operations to which it applies. */
export const errorIdsRule: LintRule<"errors/unknown"> = {
  codes: { "errors/unknown": ["error", "warning", "An error is unknown in this operation."] },
  *check(index) {
    const registry = buildErrorRegistry(index);
    for (const { extension, path, at, value } of index.usesOf("errorId")) {
      if (typeof value !== "string" || value === "create") continue;
      if (!registry.everywhere.has(value)) {
        yield unknownName("errors/unknown", at, { noun: "error", name: value, names: registry.everywhere });
        continue;
      }
      const { rejectedOperations } = findApplicability(index, extension, path);
      const without = rejectedOperations.filter((operation) => !registry.of(operation).has(value));
      if (without.length === 0) continue;
      const names = without.map((operation) => operation.name ?? operation.path ?? operation.method).join(", ");
      const message = `${names} can fail with "${value}" and does not list it.`;
      yield { code: "errors/unknown", at, message, fix: `Add it to the x-errors of ${names}, or of the root.` };
    }
  },
};

/** Each list has an error once, and something causes it. */
export const errorEntriesRule: LintRule<"errors/duplicate" | "errors/proof"> = {
  codes: {
    "errors/duplicate": ["error", "warning", "One object lists the same error twice."],
    "errors/proof": ["error", "off", "Nothing causes an error."],
  },
  *check(index) {
    const causedIds = new Set(index.usesOf("errorId").map(({ value }) => String(value)));
    for (const { host, node } of index.byField("x-errors")) {
      const ids = new Set<string>();
      for (const entry of node.items()) {
        const id = entry.text("id");
        if (id === undefined) continue;
        if (ids.has(id))
          yield {
            code: "errors/duplicate",
            at: entry.at(["id"]),
            message: `"${id}" is listed here already.`,
            fix: "Join the two entries, or give one another id.",
          };
        ids.add(id);
        // Schemas, credentials and limits, which every operation has, cause the errors of the root.
        const isCaused = host.type === "Root" || entry.has("when") || entry.has("verifiedBy") || causedIds.has(id);
        if (!isCaused)
          yield {
            code: "errors/proof",
            at: entry,
            message: `Nothing says when "${id}" happens.`,
            fix: "Add `when`, name it from a limit, a grant, a reference or a transition, or add `verifiedBy` with the id of a workflow.",
          };
      }
    }
  },
};

/** The field of an error exists in the request. */
export const errorFieldsRule: LintRule<"errors/field"> = {
  codes: { "errors/field": ["error", "warning", "An error refers to a field that the request does not have."] },
  *check(index) {
    for (const extension of index.byField("x-errors")) {
      for (const [position, entry] of extension.node.items().entries()) {
        const field = entry.text("field");
        if (field === undefined || field === "$each") continue;
        const { operations, contexts } = findApplicability(index, extension, [String(position)]);
        if (operations.length === 0) continue;
        const path = field.replaceAll("$each", "*").split(".");
        const schemas = [...operations.flatMap(bodySchemas), ...contexts.map((each) => each.self)];
        const parameters = operations.flatMap((each) => each.parameters).flatMap((each) => each.text("name") ?? []);
        if (hasField(schemas, path) || parameters.includes(field)) continue;
        const fix = didYouMean(field, [...fieldNamesIn(schemas), ...parameters], "fields and parameters");
        yield { code: "errors/field", at: entry.at(["field"]), message: `The request has no field "${field}".`, fix };
      }
    }
  },
};

/** Every status that an operation's own rules cause is among its responses. */
export const errorResponsesRule: LintRule<"operations/responses"> = {
  codes: { "operations/responses": ["error", "off", "An operation can fail with a status that it does not document."] },
  *check(index) {
    const registry = buildErrorRegistry(index);
    for (const operation of index.operations) {
      const causes = new Map<number, string>();
      for (const [id, { status }] of registry.of(operation)) {
        if (registry.named(operation).has(id) && !causes.has(status)) causes.set(status, id);
      }
      for (const [status, id] of causes) {
        if (responseOf(operation, status) === undefined) yield missingResponse(operation, status, id);
      }
    }
  },
};

function missingResponse(
  { node, name }: LintOperation,
  status: number,
  id: string,
): LintFinding<"operations/responses"> {
  const at = node.child("responses") ?? node;
  return {
    code: "operations/responses",
    at,
    message: `${name ?? "This operation"} can fail with "${id}" and has no response ${status}.`,
    fix: `Add the response '${status}'.`,
  };
}
