import { code, docComment, joinCode, propertyKey, jsonLiteral, identifier, type Code } from "@plumbline/codegen";
import type { CompileContext } from "@plumbline/codegen/validation";
import { type InitialState, type Json, type StateMachine, type Transition, camelCase } from "@plumbline/model";
import { emitCondition } from "@plumbline/codegen/conditions";
import { serverFunction, serverType } from "../runtime.js";
import { transitionKey } from "./transition-keys.js";

/**
 * Returns the names of a state machine's constant, and of the types of its states and transitions; and of the type of its triggers, if no operation
 * causes some of them.
 */
export function stateMachineNames({
  name: own,
  transitions,
}: StateMachine): readonly [constant: string, states: string, transitions: string, ...triggers: string[]] {
  const triggers = transitions.some(({ event }) => event.kind !== "operation") ? [`${own}Triggers`] : [];
  return [camelCase(own) ?? own, `${own}State`, `${own}Transitions`, ...triggers];
}

/** Emits the types of a state machine and its constant. `from` is its location in the description. */
export function emitStateMachine(stateMachine: StateMachine, context: CompileContext, from: string): readonly Code[] {
  const [own, states, transitions] = stateMachineNames(stateMachine);
  const about =
    stateMachine.field === undefined ? stateMachine.resource : `${stateMachine.resource}.${stateMachine.field}`;
  return [
    code`export type ${identifier(states)} = ${joinCode(stateMachine.states.map(jsonLiteral), code` | `)};`,
    code`/** The next state of each trigger, by state. */\nexport interface ${identifier(transitions)} {\n${stateMachine.states.map((state) => transitionRow(stateMachine, state))}\n}`,
    ...triggerHandlers(stateMachine, about),
    code`${docComment([`The states of \`${about}\`.`, "", `From ${from}`])}
export const ${identifier(own)}: ${serverType("StateMachine")}<${identifier(transitions)}${visibleStatesType(stateMachine)}> = /* @__PURE__ */ ${serverFunction("createStateMachine")}(${dataOf(stateMachine, context)});`,
  ];
}

/**
 * Emits the type of the handlers of triggers that no operation causes. A server that implements them with `satisfies` cannot forget one.
 */
function triggerHandlers(stateMachine: StateMachine, about: string): readonly Code[] {
  const [, states, , triggers] = stateMachineNames(stateMachine);
  const found = new Map<string, Set<string>>();
  for (const { event, subject, from } of stateMachine.transitions) {
    if (event.kind === "operation") continue;
    const trigger = transitionKey(event, subject);
    for (const state of from) found.set(trigger, (found.get(trigger) ?? new Set()).add(state));
  }
  if (triggers === undefined) return [];
  const members = [...found].map(([trigger, from]) => {
    const all = from.size === stateMachine.states.length;
    const state = all ? code`${identifier(states)}` : joinCode([...from].map(jsonLiteral), code` | `);
    return code`readonly ${propertyKey(trigger)}: (object: Stored, state: ${state}) => unknown;`;
  });
  const lines = [
    `A handler for each transition of \`${about}\` that no request causes, but the platform or time. It gets the object, and its state before.`,
    "",
    `Write \`const triggers = {…} satisfies ${triggers}<Row>\`, so that the compiler reports a missing one.`,
  ];
  return [code`${docComment(lines)}\nexport interface ${identifier(triggers)}<Stored> {\n${members}\n}`];
}

function transitionRow({ transitions }: StateMachine, state: string): Code {
  const targets = new Map<string, Set<string>>();
  for (const { event, subject, from, to } of transitions) {
    if (!from.includes(state)) continue;
    const trigger = transitionKey(event, subject);
    targets.set(trigger, (targets.get(trigger) ?? new Set()).add(to));
  }
  const cells = [...targets].map(
    ([trigger, all]) => code`readonly ${propertyKey(trigger)}: ${joinCode([...all].map(jsonLiteral), code` | `)};`,
  );
  return code`readonly ${propertyKey(state)}: ${cells.length === 0 ? code`object` : code`{\n${cells}\n}`};`;
}

/** Returns the type of the visible states, or nothing if all are visible. */
function visibleStatesType(stateMachine: StateMachine): Code {
  const { hidden } = stateMachine;
  const [, states] = stateMachineNames(stateMachine);
  if (Object.keys(hidden).length === 0) return code``;
  const less = code`, Exclude<${identifier(states)}, ${joinCode(Object.keys(hidden).map(jsonLiteral), code` | `)}>`;
  return Object.values(hidden).includes("$deleted") ? code`${less} | undefined` : less;
}

function dataOf(stateMachine: StateMachine, context: CompileContext): Code {
  const { initial, transitions, field } = stateMachine;
  const members = [
    code`name: ${jsonLiteral(stateMachine.name)}`,
    code`resource: ${jsonLiteral(stateMachine.resource)}`,
    ...(field === undefined ? [] : [code`field: ${jsonLiteral(field)}`]),
    code`states: ${jsonLiteral(stateMachine.states)}`,
    code`hidden: ${jsonLiteral(stateMachine.hidden)}`,
    code`initial: [${joinCode(
      initial.map((each) => emitInitialState(each, { stateMachine, context })),
      code`, `,
    )}]`,
    code`transitions: [${joinCode(
      transitions.map((each) => emitTransition(each, { stateMachine, context })),
      code`, `,
    )}]`,
  ];
  return code`{ ${joinCode(members, code`, `)} }`;
}

interface StateMachineContext {
  readonly stateMachine: StateMachine;
  readonly context: CompileContext;
}

function emitInitialState(initial: InitialState, place: StateMachineContext): Code {
  return code`{ trigger: ${jsonLiteral(transitionKey(initial.event))}, ${whenOf(initial, place)}initialState: ${jsonLiteral(stepsOf(initial))} }`;
}

function emitTransition(transition: Transition, place: StateMachineContext): Code {
  const after =
    transition.event.kind === "after" ? code`afterSeconds: ${jsonLiteral(transition.event.after.seconds)}, ` : code``;
  const data = {
    ...stepsOf(transition),
    ...(transition.error === undefined ? {} : { error: transition.error }),
    ...(transition.while === undefined ? {} : { while: transition.while }),
    ...(transition.limit === undefined ? {} : { limit: transition.limit }),
  };
  return code`{ trigger: ${jsonLiteral(transitionKey(transition.event, transition.subject))}, from: ${jsonLiteral(transition.from)}, ${whenOf(transition, place)}${after}transition: ${jsonLiteral(data)} }`;
}

function whenOf(
  { event, when }: Pick<Transition, "event" | "when">,
  { stateMachine, context }: StateMachineContext,
): Code {
  return when === undefined
    ? code``
    : code`when: ${emitCondition(when, context, `${transitionKey(event)} ${stateMachine.name}`)}, `;
}

function stepsOf({ to, then, duration }: Pick<Transition, "to" | "then" | "duration">): Readonly<Record<string, Json>> {
  return { to, then, ...(duration === undefined ? {} : { durationSeconds: duration.seconds }) };
}
