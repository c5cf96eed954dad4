import { targetSchemas } from "./fields.js";
import type { LintNode } from "./lint-node.js";
import type { SchemaContext, Extension, LintOperation, SpecIndex } from "./spec-index.js";

/** The operations and schemas to which an extension field applies. They depend on its location. */
export interface Applicability {
  /** The operations that evaluate it. */
  readonly operations: readonly LintOperation[];
  /** Those of them that it can reject: it belongs to the operation or to the request. */
  readonly rejectedOperations: readonly LintOperation[];
  /** How its host takes part in operations. Empty for an extension field of an operation. */
  readonly contexts: readonly SchemaContext[];
  /** The schemas of `$target`. */
  readonly targets: readonly LintNode[];
}

/** Finds what an extension field applies to. `path` leads to the relevant part, since each transition has its own operation. */
export function findApplicability(
  index: SpecIndex,
  { field, host, node }: Extension,
  path: readonly string[],
): Applicability {
  const [own] = index.operationsAt(host.node);
  if (own) return { operations: [own], rejectedOperations: [own], contexts: [], targets: targetSchemas(index, own) };
  const all = index.contextsOf(host.node);
  if (field === "x-state-machine") {
    const operation = findTransitionOperation(index, node, path);
    const context = all.flatMap((each) => each.enclosing.slice(0, 1));
    const moving = operation ? [operation] : [];
    return { operations: moving, rejectedOperations: moving, contexts: all, targets: [host.node, ...context] };
  }
  const ofRequests = all.filter((each) => each.side === "request");
  const contexts = ofRequests.length > 0 && field !== "x-visibility" ? ofRequests : all;
  const operations = [...new Set(contexts.map((each) => each.operation))];
  const rejected = [...new Set(ofRequests.map((each) => each.operation))];
  const context = contexts.flatMap((each) => each.enclosing);
  const targets = [
    ...(host.type === "Schema" ? [host.node] : []),
    ...context,
    ...operations.flatMap((each) => targetSchemas(index, each)),
  ];
  return { operations, rejectedOperations: rejected, contexts, targets };
}

/** Returns the operation of the initial state or transition at a path. */
function findTransitionOperation(
  index: SpecIndex,
  stateMachine: LintNode,
  path: readonly string[],
): LintOperation | undefined {
  for (let length = path.length; length > 0; length--) {
    const by = stateMachine.at(path.slice(0, length)).text("event");
    if (by !== undefined) return index.operation(by);
  }
  return undefined;
}
