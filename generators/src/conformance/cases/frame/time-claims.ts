import type { FrameClaim, Template } from "@plumbline/conformance-runtime";
import type { StateMachine, Transition } from "@plumbline/kit/model";
import type { ConformanceContext } from "../../context/context.js";
import { acceptedPlan } from "../../requests/callers.js";
import { toLiteral } from "../../values/samples.js";
import { schemaWithValue } from "../effects/expression-values.js";
import { creationOf } from "./creations.js";
import { claimsOfMove, effectClaims, pointerOf } from "./frame-claims.js";

/** What time changes, and the platform by itself. */
export function claimsOfTime(context: ConformanceContext): readonly FrameClaim[] {
  const moves = context.api.stateMachines.flatMap((machine): readonly FrameClaim[] => [
    ...[...machine.initial, ...machine.transitions].flatMap((move) => laterClaims(machine, move)),
    ...machine.transitions.flatMap((move) => {
      const { kind } = move.event;
      const from = kind === "platform" ? move.from.filter((state) => isTransient(machine, state)) : move.from;
      if (kind === "operation" || from.length === 0) return [];
      const claims = claimsOfMove(machine, move, inStates(machine, from, [move.to, ...move.then]));
      const { event } = move;
      if (event.kind === "at") return claims.map((claim) => ({ ...claim, due: pointerOf(event.at) }));
      return kind === "platform" ? claims.map((claim) => ({ ...claim, later: true as const })) : claims;
    }),
    ...platformCreations(context, machine),
  ]);
  const retained = context.api.resources.flatMap(({ name }): readonly FrameClaim[] => {
    const limits = context.schemas.get(name)?.limits ?? [];
    return limits.some(({ kind }) => kind === "retention") ? [{ to: name, does: "delete", later: true }] : [];
  });
  const logged = context.api.resources.flatMap(({ name, isLog }): readonly FrameClaim[] =>
    isLog === true ? [{ to: name, does: "create" }] : [],
  );
  return [...new Map([...moves, ...retained, ...logged].map((each) => [JSON.stringify(each), each] as const)).values()];
}

/** What the platform creates by itself, beside operations that create the same. And what they set with it, where its time shows it. */
function platformCreations(
  context: ConformanceContext,
  { resource, field, initial }: StateMachine,
): readonly FrameClaim[] {
  const isMade = initial.some(({ event }) => event.kind === "platform") && creationOf(context, resource) !== undefined;
  if (!isMade) return [];
  const creators = initial.flatMap(({ event }) => {
    const operation = event.kind === "operation" ? context.operations.get(event.operation) : undefined;
    return operation === undefined ? [] : [operation];
  });
  const beside = creators.flatMap((operation) => {
    const plan = acceptedPlan(context, operation);
    return operation.effects.flatMap((effect) => effectClaims(context, plan, effect));
  });
  const sets = beside.flatMap(({ to, does, fields }): readonly FrameClaim[] => {
    if (does !== "set" || fields === undefined || to === resource) return [];
    const modified = context.resources.get(to)?.modified;
    return [{ to, does, fields: [...fields, ...(modified === undefined ? [] : [pointerOf(modified)])], timed: fields }];
  });
  const made = initial.filter(({ event }) => event.kind === "platform");
  return [...made.map((move): FrameClaim => ({ to: resource, does: "create", where: startOf(field, move) })), ...sets];
}

/** What a new object has: one of its first states, and the values that come with it. */
function startOf(
  field: string | undefined,
  { to, then, sets = {} }: Pick<Transition, "to" | "then" | "sets">,
): Template {
  const states = field === undefined ? [] : [schemaWithValue(field.split("."), { enum: [to, ...then] })];
  const values = Object.entries(sets).flatMap(([name, source]) =>
    source.kind === "value" ? [schemaWithValue(name.split("."), { const: toLiteral(source.value) })] : [],
  );
  return { allOf: [...states, ...values] };
}

/** True for a state that no operation ends, but by a deletion: an object in it waits for the platform. */
function isTransient({ transitions }: StateMachine, state: string): boolean {
  return transitions.every(
    ({ event, from, to }) => event.kind !== "operation" || !from.includes(state) || to === "$deleted",
  );
}

/** What follows the state that an operation leads to. */
function laterClaims(machine: StateMachine, move: Pick<Transition, "to" | "then" | "sets">): readonly FrameClaim[] {
  if (move.then.length === 0) return [];
  const states = inStates(machine, [move.to, ...move.then.slice(0, -1)], move.then);
  return claimsOfMove(machine, move, states).map((claim) => ({ ...claim, later: true as const }));
}

/** Objects that are in one of these states before, and in one of those afterwards. */
function inStates(
  { field }: StateMachine,
  from: readonly string[],
  to: readonly string[],
): Pick<FrameClaim, "where" | "becomes"> {
  if (field === undefined) return {};
  const stated = (states: readonly string[]): Template => schemaWithValue(field.split("."), { enum: states });
  const isKnown = to.every((state) => !state.startsWith("$"));
  return { ...(from.length === 0 ? {} : { where: stated(from) }), ...(isKnown ? { becomes: stated(to) } : {}) };
}
