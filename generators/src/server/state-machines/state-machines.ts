import {
  code,
  docComment,
  joinCode,
  propertyKey,
  importType,
  jsonLiteral,
  identifier,
  type Code,
} from "@plumbline/kit/codegen";
import { emitCondition } from "@plumbline/kit/codegen/conditions";
import type { CompileContext } from "@plumbline/kit/codegen/validation";
import {
  type Api,
  type InitialState,
  type Json,
  type NamedSchema,
  type Schema,
  type StateMachine,
  type Transition,
  camelCase,
} from "@plumbline/kit/model";
import { serverFunction, serverType } from "../runtime.js";
import { transitionKey } from "./transition-keys.js";

/** The names of what is printed for a state machine. */
export interface StateMachineNames {
  readonly constant: string;
  /** The type of the states. */
  readonly states: string;
  readonly transitions: string;
  /** The type of the triggers that no operation causes, if there are any. */
  readonly triggers: string | undefined;
  /** The types that are declared for it. That of the states is not, if a schema has the same values. */
  readonly types: readonly string[];
}

export function stateMachineNames(stateMachine: StateMachine, { schemas }: Api): StateMachineNames {
  const { name: stem } = stateMachine;
  const schema = stateSchema(stateMachine, schemas);
  const isTaken = schemas.some(({ name }) => name === stem);
  const suffixed = /(?:State|Status)$/.test(stem) ? stem : `${stem}State`;
  const states = schema ?? (isTaken && suffixed === stem ? `Stored${stem}` : suffixed);
  const transitions = `${stem}Transitions`;
  const isTriggered = stateMachine.transitions.some(({ event }) => event.kind !== "operation");
  const triggers = isTriggered ? `${stem}Triggers` : undefined;
  const types = [schema === undefined ? states : undefined, transitions, triggers].filter((each) => each !== undefined);
  return { constant: camelCase(stem) ?? stem, states, transitions, triggers, types };
}

/** The named schema of the field with the state, if it has all states. */
function stateSchema({ resource, field, states }: StateMachine, schemas: readonly NamedSchema[]): string | undefined {
  const schemaOf = (name: string | undefined): Schema | undefined => schemas.find((each) => each.name === name)?.schema;
  const ref = schemaOf(resource)?.properties?.find(({ name }) => name === field)?.schema.ref;
  const values = new Set<Json>(schemaOf(ref)?.enum);
  return values.size === states.length && states.every((state) => values.has(state)) ? ref : undefined;
}

/** Emits the types of a state machine and its constant. `from` is its location in the description. */
export function emitStateMachine(
  stateMachine: StateMachine,
  names: StateMachineNames,
  { context, from }: { readonly context: CompileContext; readonly from: string },
): readonly Code[] {
  const { constant, states, transitions, types } = names;
  const about =
    stateMachine.field === undefined ? stateMachine.resource : `${stateMachine.resource}.${stateMachine.field}`;
  return [
    ...(types.includes(states)
      ? [code`export type ${identifier(states)} = ${joinCode(stateMachine.states.map(jsonLiteral), code` | `)};`]
      : []),
    code`/** The next state of each trigger, by state. */\nexport interface ${identifier(transitions)} {\n${stateMachine.states.map((state) => transitionRow(stateMachine, state))}\n}`,
    ...triggerHandlers(stateMachine, names, about),
    code`${docComment([`The states of \`${about}\`.`, "", `From ${from}`])}
export const ${identifier(constant)}: ${serverType("StateMachine")}<${identifier(transitions)}${visibleStatesType(stateMachine, names)}> = /* @__PURE__ */ ${serverFunction("createStateMachine")}(${dataOf(stateMachine, context)});`,
  ];
}

/**
 * Emits the type of the handlers of triggers that no operation causes. A server that implements them with `satisfies` cannot forget one.
 */
function triggerHandlers(stateMachine: StateMachine, names: StateMachineNames, about: string): readonly Code[] {
  const { triggers } = names;
  const statesByTrigger = new Map<string, Set<string>>();
  for (const { event, subject, from } of stateMachine.transitions) {
    if (event.kind === "operation") continue;
    const trigger = transitionKey(event, subject);
    for (const state of from) statesByTrigger.set(trigger, (statesByTrigger.get(trigger) ?? new Set()).add(state));
  }
  if (triggers === undefined) return [];
  const members = [...statesByTrigger].map(([trigger, from]) => {
    const all = from.size === stateMachine.states.length;
    const state = all ? statesType(names) : joinCode([...from].map(jsonLiteral), code` | `);
    return code`readonly ${propertyKey(trigger)}: (object: Stored, state: ${state}) => unknown;`;
  });
  const lines = [
    `A handler for each transition of \`${about}\` that no request causes, but the platform or time. It gets the object, and its state before.`,
    "",
    `Write \`const triggers = {…} satisfies ${triggers}<Row>\`, so that the compiler reports a missing one.`,
  ];
  return [code`${docComment(lines)}\nexport interface ${identifier(triggers)}<Stored> {\n${members}\n}`];
}

function statesType({ states, types }: StateMachineNames): Code {
  return types.includes(states) ? identifier(states) : importType(states, "./types.js");
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
function visibleStatesType({ hidden }: StateMachine, names: StateMachineNames): Code {
  if (Object.keys(hidden).length === 0) return code``;
  const less = code`, Exclude<${statesType(names)}, ${joinCode(Object.keys(hidden).map(jsonLiteral), code` | `)}>`;
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
