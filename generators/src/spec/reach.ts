import { targetsOf } from "./fields.js";
import type { Spot } from "./spot.js";
import type { Context, Extension, Operation, Survey } from "./survey.js";

/** The operations and schemas to which an extension field applies. They depend on its location. */
export interface Reach {
  /** The operations that evaluate it. */
  readonly operations: readonly Operation[];
  /** Those of them that it can reject: it belongs to the operation or to the request. */
  readonly refused: readonly Operation[];
  /** How its host takes part in operations. Empty for an extension field of an operation. */
  readonly contexts: readonly Context[];
  /** The schemas of `$target`. */
  readonly targets: readonly Spot[];
}

/** Finds what an extension field applies to. `path` leads to the relevant part, since each transition has its own operation. */
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

/** Returns the operation of the initial state or transition at a path. */
function triggerOf(survey: Survey, machine: Spot, path: readonly string[]): Operation | undefined {
  for (let length = path.length; length > 0; length--) {
    const by = machine.at(path.slice(0, length)).text("by");
    if (by !== undefined) return survey.operation(by);
  }
  return undefined;
}
