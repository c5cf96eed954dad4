import { targetsOf } from "./fields.js";
import type { Spot } from "./spot.js";
import type { Context, Extension, Operation, Survey } from "./survey.js";

/** What an extension speaks about, which depends on where it stands. */
export interface Reach {
  /** The operations in which it is judged. */
  readonly operations: readonly Operation[];
  /** Those of them that it can refuse: it stands on the operation itself or in what is sent. */
  readonly refused: readonly Operation[];
  /** How its host takes part in them; empty on an operation. */
  readonly contexts: readonly Context[];
  /** The schemas of `$target`. */
  readonly targets: readonly Spot[];
}

/** An extension's reach; `path` leads to the part that is meant, since each transition has its own operation. */
export function reachOf(survey: Survey, { field, host, spot }: Extension, path: readonly string[]): Reach {
  const [own] = survey.operationsAt(host.spot);
  if (own) return { operations: [own], refused: [own], contexts: [], targets: targetsOf(survey, own) };
  const all = survey.contextsOf(host.spot);
  if (field === "x-state-machine") {
    const operation = triggerOf(survey, spot, path);
    const around = all.flatMap((each) => each.around.slice(0, 1));
    const moving = operation ? [operation] : [];
    return { operations: moving, refused: moving, contexts: all, targets: [host.spot, ...around] };
  }
  const asked = all.filter((each) => each.side === "request");
  const contexts = asked.length > 0 && field !== "x-visible" ? asked : all;
  const operations = [...new Set(contexts.map((each) => each.operation))];
  const refused = [...new Set(asked.map((each) => each.operation))];
  const around = contexts.flatMap((each) => each.around);
  const targets = [
    ...(host.type === "Schema" ? [host.spot] : []),
    ...around,
    ...operations.flatMap((each) => targetsOf(survey, each)),
  ];
  return { operations, refused, contexts, targets };
}

/** The operation of the start or transition that the path leads into. */
function triggerOf(survey: Survey, machine: Spot, path: readonly string[]): Operation | undefined {
  for (let length = path.length; length > 0; length--) {
    const by = machine.at(path.slice(0, length)).text("by");
    if (by !== undefined) return survey.operation(by);
  }
  return undefined;
}
