import type { Difference } from "@plumbline/kit/diff";
import { ts } from "ts-morph";
import type { CallUse } from "../impact/code-use.js";
import { unwrap } from "../impact/expressions.js";
import type { ConcernedUse } from "../impact/find-impact.js";
import { marker } from "./code-text.js";
import type { InputMove, InputPlace } from "./input-moves.js";
import type { MovableProperty, ObjectChanges, RequestArgument } from "./object-changes.js";

/** The argument for the request of a call. Undefined where the function is passed on, or called later. */
export function requestOf({ call, node }: CallUse): RequestArgument | undefined {
  if (call === undefined || call.isDeferred) return undefined;
  let at = node;
  while (!ts.isCallExpression(at)) {
    if (ts.isSourceFile(at) || ts.isStatement(at)) return undefined;
    at = at.parent;
  }
  return { call: at, request: call.request };
}

/** The names that lead to a group: openapi-fetch has `params`, and singular names in it. */
export function pathToGroup(group: InputPlace["group"], form: "client" | "paths"): readonly string[] {
  if (form === "client" || group === "body") return [group];
  return ["params", group.replace(/^(header|cookie)s$/, "$1")];
}

/** What has moved in a file. */
export interface MovedInputs {
  /** Whether the use is a call in which the value of its difference has moved. */
  readonly isMovedBy: (use: ConcernedUse) => boolean;
  /** Whether there is nothing else to do about a use: its value has moved, or the call has it from there. */
  readonly covers: (use: ConcernedUse) => boolean;
  /** Whether the call has a new body with markers for other required fields. */
  readonly isOpen: (use: ConcernedUse) => boolean;
}

/** Moves the values of requests that have another group now, in the calls that show both groups. */
export function moveInputs(
  uses: readonly ConcernedUse[],
  moves: readonly InputMove[],
  changes: ObjectChanges,
): MovedInputs {
  const calls = new Map<Difference, Set<ts.Node>>();
  const added = new Map<Difference, Set<ts.Node>>();
  const removed = new Set<ts.Node>();
  /** The required fields that new bodies still lack, by their calls. */
  const newBodies = new Map<CallUse, Set<string>>();
  const addTo = (map: Map<Difference, Set<ts.Node>>, difference: Difference, nodes: readonly ts.Node[]): void =>
    void map.set(difference, new Set([...(map.get(difference) ?? []), ...nodes]));
  for (const { use, difference } of uses)
    for (const move of moves) {
      if (use.kind !== "call" || move.removal !== difference || move.operation.name !== use.part.owner) continue;
      const moved = moveInput(use, move, changes);
      if (moved === undefined) continue;
      addTo(calls, difference, [use.node]);
      removed.add(moved.property.name);
      if (move.to.group === "body") {
        const missing = newBodies.get(use) ?? new Set(move.newFields);
        missing.delete(move.to.name);
        newBodies.set(use, missing);
      }
      for (const addition of move.additions) addTo(added, addition, [use.node, ...moved.targets]);
    }
  for (const [use, missing] of newBodies) markFields(use, missing, changes);
  const open = new Set([...newBodies].flatMap(([{ node }, missing]) => (missing.size > 0 ? [node] : [])));
  const removals = new Set(moves.map(({ removal }) => removal));
  return {
    isMovedBy: ({ use, difference }) => calls.get(difference)?.has(use.node) === true,
    covers: ({ use, difference }) =>
      (use.kind === "call" && use.call !== undefined && removals.has(difference)) ||
      (removals.has(difference) && removed.has(use.node)) ||
      added.get(difference)?.has(use.node) === true,
    isOpen: ({ use, difference }) => difference.code.startsWith("body-required") && open.has(use.node),
  };
}

/** Marks the required fields of a new body that have no value yet. */
function markFields(use: CallUse, names: ReadonlySet<string>, changes: ObjectChanges): void {
  const argument = requestOf(use);
  if (argument === undefined) return;
  const group = pathToGroup("body", use.call?.form ?? "client");
  for (const name of names)
    changes.addToRequest(argument, group, { name, value: marker, reason: `The request body requires "${name}".` });
}

interface MovedInput {
  readonly property: MovableProperty;
  /** The group that the value has moved into, where the call has it as an object. */
  readonly targets: readonly ts.Node[];
}

/** Moves a value in a call. Undefined: the call does not show both groups. */
function moveInput(use: CallUse, { from, to, hasBody }: InputMove, changes: ObjectChanges): MovedInput | undefined {
  const argument = requestOf(use);
  const form = use.call?.form ?? "client";
  if (argument?.request === undefined) return undefined;
  const source = groupIn(argument.request, pathToGroup(from.group, form));
  const property = source?.properties.find(
    (each): each is MovableProperty => isMovable(each) && nameOf(each) === from.name,
  );
  if (source === undefined || property === undefined || source.properties.some(ts.isSpreadAssignment)) return undefined;
  const isAdded = changes.addToRequest(
    argument,
    pathToGroup(to.group, form),
    { name: to.name, value: property },
    to.group === "body" ? "spread" : undefined,
  );
  if (!isAdded) return undefined;
  changes.remove(property, from.group === "body" && hasBody ? "keepGroup" : undefined);
  const target = groupIn(argument.request, pathToGroup(to.group, form));
  return { property, targets: target === undefined ? [] : [target] };
}

function isMovable(node: ts.ObjectLiteralElementLike): node is MovableProperty {
  return ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
}

function nameOf({ name }: MovableProperty): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;
}

/** The object literal of a group in a request. */
function groupIn(request: ts.Expression, names: readonly string[]): ts.ObjectLiteralExpression | undefined {
  let object = unwrap(request);
  for (const name of names) {
    if (!ts.isObjectLiteralExpression(object)) return undefined;
    const group = object.properties.find((each) => ts.isPropertyAssignment(each) && nameOf(each) === name);
    if (group === undefined || !ts.isPropertyAssignment(group)) return undefined;
    object = unwrap(group.initializer);
  }
  return ts.isObjectLiteralExpression(object) ? object : undefined;
}
