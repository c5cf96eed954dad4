import { isJsonObject } from "../../../model/index.js";
import { didYouMean } from "../../read/did-you-mean.js";
import type { LintNode } from "../lint-node.js";
import type { LintFinding, LintRule } from "../rule.js";
import type { Extension, SpecIndex } from "../spec-index.js";
import { unknownName } from "../unknown-name.js";

/** A state machine, as far as it is readable. */
interface StateMachineNode {
  readonly spot: LintNode;
  /** All states, including hidden ones. */
  readonly states: readonly string[];
  readonly enumerated: readonly string[] | undefined;
  readonly hidden: LintNode | undefined;
  readonly initial: readonly LintNode[];
  readonly transitions: readonly LintNode[];
}

/** States match the enum and the hidden states, exist, and are reachable. Rejected transitions have an error. */
export const stateMachinesRule: LintRule<
  "states/enum" | "states/unknown" | "states/unreachable" | "states/missing-error" | "states/not-a-resource"
> = {
  codes: {
    "states/enum": ["error", "warning", "The states differ from the enum and the hidden states."],
    "states/unknown": ["error", "warning", "A state is unknown."],
    "states/unreachable": ["error", "warning", "No initial state and no transition leads to a state."],
    "states/missing-error": ["error", "off", "An operation is rejected in some states, and no error is specified."],
    "states/not-a-resource": ["error", "warning", "A state machine belongs to a schema that is not a resource."],
  },
  *check(index) {
    for (const extension of index.byField("x-state-machine")) {
      for (const stateMachine of readMachineNodes(extension)) {
        yield* checkEnum(stateMachine);
        yield* checkStateNames(stateMachine);
        yield* checkReachability(stateMachine);
        yield* checkRejectedStates(stateMachine);
      }
      yield* checkSubject(index, extension);
    }
    yield* checkCredentialStates(index);
  },
};

function readMachineNodes({ node, host }: Extension): readonly StateMachineNode[] {
  const spots = Array.isArray(node.value) ? node.items() : [node];
  return spots.filter((each) => isJsonObject(each.value)).map((each) => readMachineNode(each, host.node));
}

function readMachineNode(spot: LintNode, host: LintNode): StateMachineNode {
  const hidden = spot.child("hidden");
  const enumerated = host
    .read("enum")
    ?.items()
    .flatMap((each) => (typeof each.value === "string" ? [each.value] : []));
  const stated = spot
    .child("states")
    ?.items()
    .map((each) => String(each.value));
  const visible = stated ?? enumerated ?? [];
  const states = [...new Set([...visible, ...Object.keys(hidden?.object ?? {})])];
  return {
    spot,
    hidden,
    enumerated,
    states,
    initial: spot.child("initial")?.items() ?? [],
    transitions: spot.child("transitions")?.items() ?? [],
  };
}

function* checkEnum({ spot, hidden, enumerated, states: all }: StateMachineNode): Iterable<LintFinding<"states/enum">> {
  const list = spot.child("states");
  if (!enumerated && !list) {
    yield {
      code: "states/enum",
      at: spot,
      message: "Nothing says what the states are.",
      fix: "Put the machine on a property with an enum, or list them under `states`.",
    };
    return;
  }
  for (const [name, shownAs] of hidden?.entries() ?? []) {
    const visibleName = String(shownAs.value);
    const twice = enumerated?.includes(name) ?? false;
    if (twice)
      yield {
        code: "states/enum",
        at: shownAs,
        message: `The hidden state "${name}" is in the enum.`,
        fix: "Take it out of `hidden`, or out of the enum.",
      };
    if (visibleName === "$deleted") continue; // not visible at all
    const visible = enumerated ?? all.filter((each) => !hidden?.has(each));
    if (!visible.includes(visibleName))
      yield {
        code: "states/enum",
        at: shownAs,
        message: `"${name}" is shown as "${visibleName}", which is not a visible state.`,
        fix: didYouMean(visibleName, visible, "shown states"),
      };
  }
  if (!enumerated || !list) return;
  const enumeratedOrHidden = new Set([...enumerated, ...Object.keys(hidden?.object ?? {})]);
  const listed = new Set(list.items().map((each) => String(each.value)));
  const extra = [...listed].filter((each) => !enumeratedOrHidden.has(each));
  const absent = [...enumeratedOrHidden].filter((each) => !listed.has(each));
  if (extra.length + absent.length === 0) return;
  const parts = [
    extra.length > 0 ? `the enum lacks ${extra.join(", ")}` : "",
    absent.length > 0 ? `the states lack ${absent.join(", ")}` : "",
  ].filter((each) => each !== "");
  yield {
    code: "states/enum",
    at: list,
    message: `The states differ from the enum: ${parts.join("; ")}.`,
    fix: "Remove `states`, because the enum lists them.",
  };
}

function* checkStateNames({
  states: names,
  initial,
  transitions,
}: StateMachineNode): Iterable<LintFinding<"states/unknown">> {
  if (names.length === 0) return;
  const checkStates = function* (
    at: LintNode | undefined,
    more: readonly string[],
  ): Iterable<LintFinding<"states/unknown">> {
    if (typeof at?.value !== "string" || names.includes(at.value) || more.includes(at.value)) return;
    yield unknownName("states/unknown", at, { noun: "state", name: at.value, names: [...names, ...more] });
  };
  for (const move of [...initial, ...transitions]) {
    const start = initial.includes(move);
    for (const each of listedSources(move)) yield* checkStates(each, []);
    yield* checkStates(move.child("to"), start ? [] : specialTargets);
    for (const each of move.child("then")?.items() ?? [])
      yield* checkStates(each, start ? specialTargets.slice(0, 1) : specialTargets);
  }
}

/** Other targets of a transition than states. */
const specialTargets: readonly string[] = ["$deleted", "$previous"];

function listedSources(transition: LintNode): readonly LintNode[] {
  const from = transition.child("from");
  return from?.child("except")?.items() ?? from?.items() ?? [];
}

function* checkReachability({
  spot,
  states: names,
  initial,
  transitions,
  enumerated,
  hidden,
}: StateMachineNode): Iterable<LintFinding<"states/unreachable">> {
  if (initial.length === 0) return;
  const reached = new Set<string>();
  const take = (move: LintNode): void => {
    for (const each of [move.child("to"), ...(move.child("then")?.items() ?? [])])
      if (typeof each?.value === "string") reached.add(each.value);
  };
  for (const each of initial) take(each);
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const each of transitions) if (sourceStates(each, names).some((state) => reached.has(state))) take(each);
  }
  for (const name of names.filter((each) => !reached.has(each))) {
    const at =
      hidden?.child(name) ??
      (enumerated
        ? spot
        : (spot
            .child("states")
            ?.items()
            .find((each) => each.value === name) ?? spot));
    yield {
      code: "states/unreachable",
      at,
      message: `Nothing leads to the state "${name}".`,
      fix: "Add an initial state or a transition, by {platform: name} if no operation causes it.",
    };
  }
}

function sourceStates(transition: LintNode, names: readonly string[]): readonly string[] {
  const listed = listedSources(transition).map((each) => String(each.value));
  return transition.child("from")?.has("except") ? names.filter((each) => !listed.includes(each)) : listed;
}

function* checkRejectedStates({
  states: names,
  transitions,
}: StateMachineNode): Iterable<LintFinding<"states/missing-error">> {
  const validated = new Set<string>();
  for (const each of transitions) {
    const by = each.text("event");
    const on = each.text("subject") ?? "";
    if (by === undefined || validated.has(`${by} ${on}`)) continue;
    validated.add(`${by} ${on}`);
    const same = transitions.filter((other) => other.text("event") === by && (other.text("subject") ?? "") === on);
    const allowed = new Set(same.flatMap((other) => sourceStates(other, names)));
    const rejected = names.filter((state) => !allowed.has(state));
    if (rejected.length === 0 || same.some((other) => other.has("error"))) continue;
    yield {
      code: "states/missing-error",
      at: each,
      message: `${by} is rejected in ${rejected.join(", ")} without a stated error.`,
      fix: "Add `error` with the id of an error, or allow every state with {except: []}.",
    };
  }
}

/** A state machine belongs to a resource or to a property of one. */
function* checkSubject(index: SpecIndex, { host, node }: Extension): Iterable<LintFinding<"states/not-a-resource">> {
  const contexts = index.contextsOf(host.node);
  const candidates = [host.node, ...contexts.flatMap((each) => [each.self, ...each.enclosing])];
  if (candidates.some((each) => each.read("x-resource") !== undefined)) return;
  if (contexts.length === 0) return; // not used by any operation, which Redocly reports
  yield {
    code: "states/not-a-resource",
    at: node,
    message: "No resource has this state machine.",
    fix: "Put it on a schema with x-resource, or on a property of one.",
  };
}

/** The state in which a credential is valid is a state of that resource. */
function* checkCredentialStates(index: SpecIndex): Iterable<LintFinding<"states/unknown">> {
  for (const { node } of index.byField("x-scopes")) {
    for (const credential of node.child("credentials")?.items() ?? []) {
      const resource = index.resources.get(credential.text("to") ?? "");
      const state = credential.child("in");
      if (resource === undefined || typeof state?.value !== "string") continue;
      const stateMachines = index
        .byField("x-state-machine")
        .filter(
          ({ host }) =>
            host.node.key === resource.key ||
            index.contextsOf(host.node).some((each) => each.enclosing[0]?.follow()?.key === resource.key),
        );
      const names = stateMachines.flatMap(readMachineNodes).flatMap((each) => each.states);
      if (!names.includes(state.value))
        yield {
          code: "states/unknown",
          at: state,
          message: `"${credential.text("to")}" has no state "${state.value}".`,
          fix: didYouMean(state.value, names, "states"),
        };
    }
  }
}
