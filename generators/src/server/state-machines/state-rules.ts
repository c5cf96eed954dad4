import { code, joinCode, jsonLiteral, type Code } from "@plumbline/kit/codegen";
import { emitCondition, emitExpression, tableMember } from "@plumbline/kit/codegen/conditions";
import type { CompileContext } from "@plumbline/kit/codegen/validation";
import type { Api, StateMachine, Transition } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

/** Emits the state rules by operation: one for each state machine and each object, if the operation can be rejected in some state. */
export function emitStateRules(api: Api, context: CompileContext): Code {
  const entries = [...api.operations, ...api.operationsWithoutPath].flatMap(({ name }) => {
    const rules = api.stateMachines.flatMap((stateMachine) =>
      operationStateRules(name, stateMachine).map((rule) => emitRule(rule, context)),
    );
    return rules.length === 0
      ? []
      : [tableMember(name, code`[${joinCode(rules, code`, `)}]`, code`readonly ${serverType("StateRule")}[]`)];
  });
  return code`/** The states that each operation requires of stored objects, by name. */
export const operationStates: Readonly<Record<string, readonly ${serverType("StateRule")}[]>> = { ${joinCode(entries, code`, `)} };`;
}

interface OperationStateRule {
  readonly operation: string;
  readonly stateMachine: StateMachine;
  /** The transitions of one object. */
  readonly transitions: readonly Transition[];
}

function operationStateRules(operation: string, stateMachine: StateMachine): readonly OperationStateRule[] {
  const bySubject = new Map<string, Transition[]>();
  for (const transition of stateMachine.transitions) {
    if (transition.event.kind !== "operation" || transition.event.operation !== operation) continue;
    const subject = transition.subject?.text ?? "";
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), transition]);
  }
  return [...bySubject.values()]
    .filter((transitions) => canBeRejected(stateMachine, transitions))
    .map((transitions) => ({ operation, stateMachine, transitions }));
}

/** True if some state allows none of the unconditional transitions, or, if all are conditional, not each of them. */
function canBeRejected({ states }: StateMachine, transitions: readonly Transition[]): boolean {
  const always = transitions.filter(({ when }) => when === undefined);
  const least = always.length > 0 ? [always] : transitions.map((transition) => [transition]);
  return least.some((possible) => states.some((state) => !possible.some(({ from }) => from.includes(state))));
}

function emitRule({ operation, stateMachine, transitions }: OperationStateRule, context: CompileContext): Code {
  const subject = transitions[0]?.subject;
  const printed = transitions.map((transition) => {
    const when = transition.when && emitCondition(transition.when, context, `${operation} ${stateMachine.name}`);
    const members = [
      code`from: ${jsonLiteral(transition.from)}`,
      ...(when === undefined ? [] : [code`when: ${when}`]),
      ...(transition.error === undefined ? [] : [code`error: ${jsonLiteral(transition.error)}`]),
    ];
    return code`{ ${joinCode(members, code`, `)} }`;
  });
  const members = [
    code`stateMachine: ${jsonLiteral(stateMachine.name)}`,
    code`resource: ${jsonLiteral(stateMachine.resource)}`,
    ...(stateMachine.field === undefined ? [] : [code`field: ${jsonLiteral(stateMachine.field)}`]),
    ...(subject === undefined ? [] : [code`subject: ${emitExpression(subject)}`]),
    code`transitions: [${joinCode(printed, code`, `)}]`,
  ];
  return code`{ ${joinCode(members, code`, `)} }`;
}
