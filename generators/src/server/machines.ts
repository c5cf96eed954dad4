import { code, comment, join, key, literal, name, type Code } from "../emit/printer.js";
import type { Around } from "../judging/checks/scope.js";
import type { InitialState, Json, StateMachine, Transition } from "../model/api.js";
import { camelCase } from "../model/names.js";
import { emitCondition } from "./conditions.js";
import { $server, $serverType } from "./runtime.js";
import { triggerName } from "./triggers.js";

/** Returns the names of a state machine's constant, and of the types of its states and transitions. */
export function machineNames({ name: own }: StateMachine): readonly [machine: string, states: string, moves: string] {
  return [camelCase(own) ?? own, `${own}State`, `${own}Moves`];
}

/** Emits the types of a state machine and its constant. `from` is its location in the description. */
export function emitMachine(machine: StateMachine, around: Around, from: string): readonly Code[] {
  const [own, states, moves] = machineNames(machine);
  const about = machine.field === undefined ? machine.resource : `${machine.resource}.${machine.field}`;
  return [
    code`export type ${name(states)} = ${join(machine.states.map(literal), code` | `)};`,
    code`/** The next state of each trigger, by state. */\nexport interface ${name(moves)} {\n${machine.states.map((state) => rowOf(machine, state))}\n}`,
    code`${comment([`The states of \`${about}\`.`, "", `From ${from}`])}
export const ${name(own)}: ${$serverType("Machine")}<${name(moves)}${shownType(machine)}> = /* @__PURE__ */ ${$server("machine")}(${dataOf(machine, around)});`,
  ];
}

function rowOf({ transitions }: StateMachine, state: string): Code {
  const targets = new Map<string, Set<string>>();
  for (const { by, on, from, to } of transitions) {
    if (!from.includes(state)) continue;
    const trigger = triggerName(by, on);
    targets.set(trigger, (targets.get(trigger) ?? new Set()).add(to));
  }
  const cells = [...targets].map(
    ([trigger, all]) => code`readonly ${key(trigger)}: ${join([...all].map(literal), code` | `)};`,
  );
  return code`readonly ${key(state)}: ${cells.length === 0 ? code`object` : code`{\n${cells}\n}`};`;
}

/** Returns the type of the visible states, or nothing if all are visible. */
function shownType(machine: StateMachine): Code {
  const { hidden } = machine;
  const [, states] = machineNames(machine);
  if (Object.keys(hidden).length === 0) return code``;
  const less = code`, Exclude<${name(states)}, ${join(Object.keys(hidden).map(literal), code` | `)}>`;
  return Object.values(hidden).includes("$gone") ? code`${less} | undefined` : less;
}

function dataOf(machine: StateMachine, around: Around): Code {
  const { initial, transitions, field } = machine;
  const members = [
    code`name: ${literal(machine.name)}`,
    code`resource: ${literal(machine.resource)}`,
    ...(field === undefined ? [] : [code`field: ${literal(field)}`]),
    code`states: ${literal(machine.states)}`,
    code`hidden: ${literal(machine.hidden)}`,
    code`initial: [${join(
      initial.map((each) => beginning(each, { machine, around })),
      code`, `,
    )}]`,
    code`moves: [${join(
      transitions.map((each) => transition(each, { machine, around })),
      code`, `,
    )}]`,
  ];
  return code`{ ${join(members, code`, `)} }`;
}

interface Place {
  readonly machine: StateMachine;
  readonly around: Around;
}

function beginning(initial: InitialState, place: Place): Code {
  return code`{ trigger: ${literal(triggerName(initial.by))}, ${whenOf(initial, place)}begins: ${literal(stepsOf(initial))} }`;
}

function transition(move: Transition, place: Place): Code {
  const after = move.by.kind === "after" ? code`afterSeconds: ${literal(move.by.after.seconds)}, ` : code``;
  const data = {
    ...stepsOf(move),
    ...(move.else === undefined ? {} : { else: move.else }),
    ...(move.while === undefined ? {} : { while: move.while }),
    ...(move.limit === undefined ? {} : { limit: move.limit }),
  };
  return code`{ trigger: ${literal(triggerName(move.by, move.on))}, from: ${literal(move.from)}, ${whenOf(move, place)}${after}move: ${literal(data)} }`;
}

function whenOf({ by, when }: Pick<Transition, "by" | "when">, { machine, around }: Place): Code {
  return when === undefined
    ? code``
    : code`when: ${emitCondition(when, around, `${triggerName(by)} ${machine.name}`)}, `;
}

function stepsOf({ to, then, takes }: Pick<Transition, "to" | "then" | "takes">): Readonly<Record<string, Json>> {
  return { to, then, ...(takes === undefined ? {} : { takesSeconds: takes.seconds }) };
}
