import { code, join, literal, type Code } from "../emit/printer.js";
import type { Around } from "../judging/checks/scope.js";
import type { Api, StateMachine, Transition } from "../model/api.js";
import { emitCondition } from "./conditions.js";
import { emitExpression } from "./expressions.js";
import { $serverType } from "./runtime.js";
import { member } from "./table.js";

/** Emits the state rules by operation: one for each state machine and each object, if the operation can be rejected in some state. */
export function emitStateRules(api: Api, around: Around): Code {
  const entries = [...api.operations, ...api.linked].flatMap(({ name }) => {
    const rules = api.machines.flatMap((machine) => rulesOf(name, machine).map((rule) => emitRule(rule, around)));
    return rules.length === 0
      ? []
      : [member(name, code`[${join(rules, code`, `)}]`, code`readonly ${$serverType("StateRule")}[]`)];
  });
  return code`/** The states that each operation requires of stored objects, by name. */
export const operationStates: Readonly<Record<string, readonly ${$serverType("StateRule")}[]>> = { ${join(entries, code`, `)} };`;
}

interface Rule {
  readonly operation: string;
  readonly machine: StateMachine;
  /** The transitions of one object. */
  readonly moves: readonly Transition[];
}

function rulesOf(operation: string, machine: StateMachine): readonly Rule[] {
  const bySubject = new Map<string, Transition[]>();
  for (const move of machine.transitions) {
    if (move.by.kind !== "operation" || move.by.operation !== operation) continue;
    const subject = move.on?.text ?? "";
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), move]);
  }
  return [...bySubject.values()]
    .filter((moves) => isRefusable(machine, moves))
    .map((moves) => ({ operation, machine, moves }));
}

/** True if some state allows none of the unconditional transitions, or, if all are conditional, not each of them. */
function isRefusable({ states }: StateMachine, moves: readonly Transition[]): boolean {
  const always = moves.filter(({ when }) => when === undefined);
  const least = always.length > 0 ? [always] : moves.map((move) => [move]);
  return least.some((met) => states.some((state) => !met.some(({ from }) => from.includes(state))));
}

function emitRule({ operation, machine, moves }: Rule, around: Around): Code {
  const on = moves[0]?.on;
  const printed = moves.map((move) => {
    const when = move.when && emitCondition(move.when, around, `${operation} ${machine.name}`);
    const members = [
      code`from: ${literal(move.from)}`,
      ...(when === undefined ? [] : [code`when: ${when}`]),
      ...(move.else === undefined ? [] : [code`else: ${literal(move.else)}`]),
    ];
    return code`{ ${join(members, code`, `)} }`;
  });
  const members = [
    code`machine: ${literal(machine.name)}`,
    code`resource: ${literal(machine.resource)}`,
    ...(machine.field === undefined ? [] : [code`field: ${literal(machine.field)}`]),
    ...(on === undefined ? [] : [code`on: ${emitExpression(on)}`]),
    code`moves: [${join(printed, code`, `)}]`,
  ];
  return code`{ ${join(members, code`, `)} }`;
}
