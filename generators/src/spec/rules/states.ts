import { instead } from "../names.js";
import type { Finding, Rule } from "../rule.js";
import { isRecord, type Spot } from "../spot.js";
import type { Extension, Survey } from "../survey.js";

/** A state machine, as far as it is readable. */
interface Machine {
  readonly spot: Spot;
  /** All states, including hidden ones. */
  readonly states: readonly string[];
  readonly enumerated: readonly string[] | undefined;
  readonly hidden: Spot | undefined;
  readonly initial: readonly Spot[];
  readonly transitions: readonly Spot[];
}

/** States match the enum and the hidden states, exist, and are reachable. Rejected transitions have an error. */
export const stateMachines: Rule = function* (survey) {
  for (const extension of survey.of("x-state-machine")) {
    for (const machine of machinesOf(extension)) {
      yield* enumAgrees(machine);
      yield* statesAreKnown(machine);
      yield* statesAreReached(machine);
      yield* refusalsHaveErrors(machine);
    }
    yield* subjectIsResource(survey, extension);
  }
  yield* credentialStates(survey);
};

function machinesOf({ spot, host }: Extension): readonly Machine[] {
  const spots = Array.isArray(spot.value) ? spot.items() : [spot];
  return spots.filter((each) => isRecord(each.value)).map((each) => machineOf(each, host.spot));
}

function machineOf(spot: Spot, host: Spot): Machine {
  const hidden = spot.child("hidden");
  const enumerated = host
    .read("enum")
    ?.items()
    .flatMap((each) => (typeof each.value === "string" ? [each.value] : []));
  const own = spot
    .child("states")
    ?.items()
    .map((each) => String(each.value));
  const shown = own ?? enumerated ?? [];
  const states = [...new Set([...shown, ...Object.keys(hidden?.object ?? {})])];
  return {
    spot,
    hidden,
    enumerated,
    states,
    initial: spot.child("initial")?.items() ?? [],
    transitions: spot.child("transitions")?.items() ?? [],
  };
}

function* enumAgrees({ spot, hidden, enumerated, states: all }: Machine): Iterable<Finding> {
  const named = spot.child("states");
  if (!enumerated && !named) {
    yield {
      code: "states/enum",
      at: spot,
      message: "Nothing says what the states are.",
      fix: "Put the machine on a property with an enum, or list them under `states`.",
    };
    return;
  }
  for (const [name, shownAs] of hidden?.entries() ?? []) {
    const shown = String(shownAs.value);
    const twice = enumerated?.includes(name) ?? false;
    if (twice)
      yield {
        code: "states/enum",
        at: shownAs,
        message: `The hidden state "${name}" is in the enum.`,
        fix: "Take it out of `hidden`, or out of the enum.",
      };
    if (shown === "$gone") continue; // not visible at all
    const visible = enumerated ?? all.filter((each) => !hidden?.has(each));
    if (!visible.includes(shown))
      yield {
        code: "states/enum",
        at: shownAs,
        message: `"${name}" is shown as "${shown}", which is not a visible state.`,
        fix: instead(shown, visible, "shown states"),
      };
  }
  if (!enumerated || !named) return;
  const wanted = new Set([...enumerated, ...Object.keys(hidden?.object ?? {})]);
  const own = new Set(named.items().map((each) => String(each.value)));
  const extra = [...own].filter((each) => !wanted.has(each));
  const absent = [...wanted].filter((each) => !own.has(each));
  if (extra.length + absent.length === 0) return;
  const parts = [
    extra.length > 0 ? `the enum lacks ${extra.join(", ")}` : "",
    absent.length > 0 ? `the states lack ${absent.join(", ")}` : "",
  ].filter((each) => each !== "");
  yield {
    code: "states/enum",
    at: named,
    message: `The states differ from the enum: ${parts.join("; ")}.`,
    fix: "Remove `states`, because the enum lists them.",
  };
}

function* statesAreKnown({ states: names, initial, transitions }: Machine): Iterable<Finding> {
  if (names.length === 0) return;
  const judge = function* (at: Spot | undefined, more: readonly string[]): Iterable<Finding> {
    if (typeof at?.value !== "string" || names.includes(at.value) || more.includes(at.value)) return;
    yield {
      code: "states/unknown",
      at,
      message: `There is no state "${at.value}".`,
      fix: instead(at.value, [...names, ...more], "states"),
    };
  };
  for (const move of [...initial, ...transitions]) {
    const start = initial.includes(move);
    for (const each of fromOf(move)) yield* judge(each, []);
    yield* judge(move.child("to"), start ? [] : passing);
    for (const each of move.child("then")?.items() ?? []) yield* judge(each, start ? passing.slice(0, 1) : passing);
  }
}

/** Other targets of a transition than states. */
const passing: readonly string[] = ["$gone", "$before"];

function fromOf(transition: Spot): readonly Spot[] {
  const from = transition.child("from");
  return from?.child("except")?.items() ?? from?.items() ?? [];
}

function* statesAreReached({
  spot,
  states: names,
  initial,
  transitions,
  enumerated,
  hidden,
}: Machine): Iterable<Finding> {
  if (initial.length === 0) return;
  const reached = new Set<string>();
  const take = (move: Spot): void => {
    for (const each of [move.child("to"), ...(move.child("then")?.items() ?? [])])
      if (typeof each?.value === "string") reached.add(each.value);
  };
  for (const each of initial) take(each);
  for (let before = -1; before < reached.size;) {
    before = reached.size;
    for (const each of transitions) if (startsOf(each, names).some((state) => reached.has(state))) take(each);
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

function startsOf(transition: Spot, names: readonly string[]): readonly string[] {
  const listed = fromOf(transition).map((each) => String(each.value));
  return transition.child("from")?.has("except") ? names.filter((each) => !listed.includes(each)) : listed;
}

function* refusalsHaveErrors({ states: names, transitions }: Machine): Iterable<Finding> {
  const judged = new Set<string>();
  for (const each of transitions) {
    const by = each.text("by");
    const on = each.text("on") ?? "";
    if (by === undefined || judged.has(`${by} ${on}`)) continue;
    judged.add(`${by} ${on}`);
    const same = transitions.filter((other) => other.text("by") === by && (other.text("on") ?? "") === on);
    const allowed = new Set(same.flatMap((other) => startsOf(other, names)));
    const refused = names.filter((state) => !allowed.has(state));
    if (refused.length === 0 || same.some((other) => other.has("else"))) continue;
    yield {
      code: "states/else",
      at: each,
      message: `${by} is refused in ${refused.join(", ")}, and nothing says with which error.`,
      fix: "Add `else` with the id of an error, or allow every state with {except: []}.",
    };
  }
}

/** A state machine belongs to a resource or to a property of one. */
function* subjectIsResource(survey: Survey, { host, spot }: Extension): Iterable<Finding> {
  const contexts = survey.contextsOf(host.spot);
  const candidates = [host.spot, ...contexts.flatMap((each) => [each.self, ...each.around])];
  if (candidates.some((each) => each.read("x-resource") !== undefined)) return;
  if (contexts.length === 0) return; // not used by any operation, which Redocly reports
  yield {
    code: "states/subject",
    at: spot,
    message: "No resource has this state machine.",
    fix: "Put it on a schema with x-resource, or on a property of one.",
  };
}

/** The state in which a credential is valid is a state of that resource. */
function* credentialStates(survey: Survey): Iterable<Finding> {
  for (const { spot } of survey.of("x-scopes")) {
    for (const credential of spot.child("credentials")?.items() ?? []) {
      const resource = survey.resources.get(credential.text("to") ?? "");
      const state = credential.child("in");
      if (resource === undefined || typeof state?.value !== "string") continue;
      const machines = survey
        .of("x-state-machine")
        .filter(
          ({ host }) =>
            host.spot.key === resource.key ||
            survey.contextsOf(host.spot).some((each) => each.around[0]?.follow()?.key === resource.key),
        );
      const names = machines.flatMap(machinesOf).flatMap((each) => each.states);
      if (!names.includes(state.value))
        yield {
          code: "states/unknown",
          at: state,
          message: `"${credential.text("to")}" has no state "${state.value}".`,
          fix: instead(state.value, names, "states"),
        };
    }
  }
}
