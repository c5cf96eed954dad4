import { bodySchemas, resolveFields, fieldNamesIn } from "../fields.js";
import { didYouMean } from "../../read/did-you-mean.js";
import { findApplicability } from "../applicability.js";
import type { LintFinding, LintRule } from "../rule.js";
import type { LintNode } from "../lint-node.js";
import type { LintOperation, SpecIndex } from "../spec-index.js";

/** Errors that an extension field refers to are available in the operations to which it applies. */
export const errorIdsRule: LintRule = function* (survey) {
  const known = buildErrorRegistry(survey);
  for (const extension of survey.extensions) {
    for (const { kind, path, value } of extension.reading.uses) {
      if (kind !== "errorId" || typeof value !== "string" || value === "create") continue;
      const { rejectedOperations } = findApplicability(survey, extension, path);
      const at = extension.node.at(path);
      if (!known.everywhere.has(value)) {
        yield {
          code: "errors/unknown",
          at,
          message: `There is no error "${value}".`,
          fix: didYouMean(value, known.everywhere, "errors"),
        };
        continue;
      }
      const without = rejectedOperations.filter((each) => !known.of(each).has(value));
      if (without.length === 0) continue;
      const names = without.map((each) => each.name ?? each.path ?? each.method).join(", ");
      yield {
        code: "errors/unknown",
        at,
        message: `${names} can fail with "${value}" and does not list it.`,
        fix: `Add it to the x-errors of ${names}, or of the root.`,
      };
    }
  }
};

/** Each list has an error once, and something causes it. */
export const errorEntriesRule: LintRule = function* (survey) {
  const named = new Set<string>();
  for (const { reading } of survey.extensions) {
    for (const { kind, value } of reading.uses) if (kind === "errorId") named.add(String(value));
  }
  for (const { host, node } of survey.byField("x-errors")) {
    const seen = new Set<string>();
    for (const entry of node.items()) {
      const id = entry.text("id");
      if (id === undefined) continue;
      if (seen.has(id))
        yield {
          code: "errors/duplicate",
          at: entry.at(["id"]),
          message: `"${id}" is listed here already.`,
          fix: "Join the two entries, or give one another id.",
        };
      seen.add(id);
      // Schemas, credentials and limits, which every operation has, cause the errors of the root.
      const caused = host.type === "Root" || entry.has("when") || entry.has("verifiedBy") || named.has(id);
      if (!caused)
        yield {
          code: "errors/proof",
          at: entry,
          message: `Nothing says when "${id}" happens.`,
          fix: "Add `when`, name it from a limit, a grant, a reference or a transition, or add `verifiedBy` with the id of a workflow.",
        };
    }
  }
};

/** The field of an error exists in the request. */
export const errorFieldsRule: LintRule = function* (survey) {
  for (const extension of survey.byField("x-errors")) {
    for (const [index, entry] of extension.node.items().entries()) {
      const field = entry.text("field");
      if (field === undefined || field === "$each") continue;
      const { operations, contexts } = findApplicability(survey, extension, [String(index)]);
      if (operations.length === 0) continue;
      const path = field.replaceAll("$each", "*").split(".");
      const schemas = [...operations.flatMap(bodySchemas), ...contexts.map((each) => each.self)];
      const parameters = operations.flatMap((each) => each.parameters).flatMap((each) => each.text("name") ?? []);
      const found = resolveFields(schemas, path);
      if (found.open || found.schemas.length > 0 || parameters.includes(field)) continue;
      const fix = didYouMean(field, [...fieldNamesIn(schemas), ...parameters], "fields and parameters");
      yield { code: "errors/field", at: entry.at(["field"]), message: `The request has no field "${field}".`, fix };
    }
  }
};

/** Every status that an operation's own rules cause is among its responses. */
export const errorResponsesRule: LintRule = function* (survey) {
  const known = buildErrorRegistry(survey);
  for (const operation of survey.operations) {
    const causes = new Map<number, string>();
    for (const [id, { status }] of known.of(operation)) {
      if (known.named(operation).has(id) && !causes.has(status)) causes.set(status, id);
    }
    for (const [status, id] of causes) {
      if (responseOf(operation, status) === undefined) yield missingResponse(operation, status, id);
    }
  }
};

/** The response that documents a status, by itself or by its range. */
export function responseOf({ responses }: LintOperation, status: number): LintNode | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const own = responses.find((each) => each.status === String(status));
  return (own ?? responses.find((each) => each.status.toUpperCase() === range))?.spot;
}

function missingResponse({ node, name }: LintOperation, status: number, id: string): LintFinding {
  const at = node.child("responses") ?? node;
  return {
    code: "operations/responses",
    at,
    message: `${name ?? "This operation"} can fail with "${id}" and has no response ${status}.`,
    fix: `Add the response '${status}'.`,
  };
}

interface ErrorEntry {
  readonly status: number;
  readonly spot: LintNode;
}

interface ErrorRegistry {
  readonly everywhere: ReadonlySet<string>;
  /** The errors available in an operation, with their statuses. */
  readonly of: (operation: LintOperation) => ReadonlyMap<string, ErrorEntry>;
  /** The errors that an operation lists, or that something in it refers to. */
  readonly named: (operation: LintOperation) => ReadonlySet<string>;
}

export function buildErrorRegistry(survey: SpecIndex): ErrorRegistry {
  const listed = survey.byField("x-errors").map((each) => ({ host: each.host, entries: toErrorEntries(each.node) }));
  const shared = listed.filter(({ host }) => host.type === "Root").flatMap(({ entries }) => entries);
  const own = new Map<LintOperation, (readonly [string, ErrorEntry])[]>();
  const named = new Map<LintOperation, Set<string>>(survey.operations.map((each) => [each, new Set<string>()]));
  for (const { host, entries } of listed) {
    const operations = survey.operationsAt(host.node);
    const using = host.type === "Schema" ? survey.contextsOf(host.node).map((each) => each.operation) : [];
    for (const operation of [...operations, ...using]) {
      own.set(operation, [...(own.get(operation) ?? []), ...entries]);
      for (const [id] of entries) named.get(operation)?.add(id);
    }
  }
  for (const extension of survey.extensions) {
    for (const { kind, path, value } of extension.reading.uses) {
      if (kind !== "errorId" || typeof value !== "string") continue;
      for (const operation of findApplicability(survey, extension, path).rejectedOperations)
        named.get(operation)?.add(value);
    }
  }
  return {
    everywhere: new Set(listed.flatMap(({ entries }) => entries.map(([id]) => id))),
    of: (operation) => new Map([...shared, ...(own.get(operation) ?? [])]),
    named: (operation) => named.get(operation) ?? new Set(),
  };
}

function toErrorEntries(errors: LintNode): readonly (readonly [string, ErrorEntry])[] {
  return errors.items().flatMap((each) => {
    const id = each.text("id");
    const status = each.object["status"];
    return id !== undefined && typeof status === "number" ? [[id, { status, spot: each }] as const] : [];
  });
}
