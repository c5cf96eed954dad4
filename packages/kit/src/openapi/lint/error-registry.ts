import { findApplicability } from "./applicability.js";
import type { LintNode } from "./lint-node.js";
import type { LintOperation, SpecIndex } from "./spec-index.js";

export interface ErrorEntry {
  readonly status: number;
  readonly spot: LintNode;
}

/** The errors that a description lists. */
export interface ErrorRegistry {
  readonly everywhere: ReadonlySet<string>;
  /** The errors available in an operation, with their statuses. */
  readonly of: (operation: LintOperation) => ReadonlyMap<string, ErrorEntry>;
  /** The errors that an operation lists, or that something in it refers to. */
  readonly named: (operation: LintOperation) => ReadonlySet<string>;
}

export function buildErrorRegistry(index: SpecIndex): ErrorRegistry {
  const listed = index.byField("x-errors").map((each) => ({ host: each.host, entries: toErrorEntries(each.node) }));
  const shared = listed.filter(({ host }) => host.type === "Root").flatMap(({ entries }) => entries);
  const listedIn = new Map<LintOperation, (readonly [string, ErrorEntry])[]>();
  const namedIn = new Map<LintOperation, Set<string>>(index.operations.map((each) => [each, new Set<string>()]));
  for (const { host, entries } of listed) {
    const operations = index.operationsAt(host.node);
    const using = host.type === "Schema" ? index.contextsOf(host.node).map((each) => each.operation) : [];
    for (const operation of [...operations, ...using]) {
      listedIn.set(operation, [...(listedIn.get(operation) ?? []), ...entries]);
      for (const [id] of entries) namedIn.get(operation)?.add(id);
    }
  }
  for (const { extension, path, value } of index.usesOf("errorId")) {
    if (typeof value !== "string") continue;
    for (const operation of findApplicability(index, extension, path).rejectedOperations)
      namedIn.get(operation)?.add(value);
  }
  return {
    everywhere: new Set(listed.flatMap(({ entries }) => entries.map(([id]) => id))),
    of: (operation) => new Map([...shared, ...(listedIn.get(operation) ?? [])]),
    named: (operation) => namedIn.get(operation) ?? new Set(),
  };
}

function toErrorEntries(errors: LintNode): readonly (readonly [string, ErrorEntry])[] {
  return errors.items().flatMap((each) => {
    const id = each.text("id");
    const status = each.object["status"];
    return id !== undefined && typeof status === "number" ? [[id, { status, spot: each }] as const] : [];
  });
}

/** The response that documents a status, by itself or by its range. */
export function responseOf({ responses }: LintOperation, status: number): LintNode | undefined {
  const range = `${Math.floor(status / 100)}XX`;
  const exact = responses.find((each) => each.status === String(status));
  return (exact ?? responses.find((each) => each.status.toUpperCase() === range))?.spot;
}
