import type { Case, MakeStep, Step } from "@plumbline/conformance-runtime";
import type { Operation, StateMachine, Transition } from "../model/api.js";
import { caseOf, nearestRequirements, type Context } from "./context.js";
import { nameOf, planOf } from "./plans.js";
import { breaking } from "./satisfying.js";
import { byId } from "./stated-limits.js";
import { bodyShape, ownParameter, readingOf, showing, standingIn } from "./standing.js";

/** Cases of transitions by the platform and by time, and of hidden states. */
export function platformCases(context: Context, machine: StateMachine): readonly Case[] {
  const read = context.operations.get(context.resources.get(machine.resource)?.read ?? "");
  if (read === undefined || ownParameter(read, machine.resource) === undefined) return [];
  const about = { context, machine, read };
  return [
    ...Object.keys(machine.hidden).flatMap((state) => hiddenCase(about, state) ?? []),
    ...endCases(about),
    ...machine.transitions.flatMap((transition) => [
      ...(transition.by.kind === "after" ? afterCases(about, transition, transition.by.after.seconds) : []),
      ...(transition.by.kind === "platform" ? triggerCases(about, transition, transition.by.platform) : []),
    ]),
  ];
}

interface About {
  readonly context: Context;
  readonly machine: StateMachine;
  readonly read: Operation;
}

function hiddenCase({ context, machine, read }: About, state: string): Case | undefined {
  const parents = parentsOf(context, read);
  const as = nameOf(machine.resource);
  const standing = standingIn(context, { machine, state, as, of: parents.of });
  const shown = machine.hidden[state];
  if (standing === undefined || shown === undefined) return undefined;
  const reading = readingOf(
    context,
    { machine, root: standing.root, names: parents.names },
    showing(context, machine, state),
  );
  if (reading === undefined) return undefined;
  return caseOf(context, {
    operation: read,
    kind: "states",
    about: ["states", state, "hidden"],
    title: `${machine.resource} that is ${state} is shown as ${shown}`,
    requirements: nearestRequirements(machine.sources, read.sources),
    alone: true,
    steps: [...parents.steps, ...standing.steps, reading],
  });
}

/** A transitional state ends by itself. */
function endCases({ context, machine, read }: About): readonly Case[] {
  const cases = machine.transitions.flatMap((transition): readonly Case[] => {
    const { by, to, then, sources, limit } = transition;
    const end = then.at(-1);
    if (by.kind !== "platform" || end === undefined || end.startsWith("$") || limit !== undefined) return [];
    if (context.settings.recipes[`${machine.resource}@${to}`] === undefined) return [];
    const parents = parentsOf(context, read);
    const standing = standingIn(context, { machine, state: to, as: nameOf(machine.resource), of: parents.of });
    if (standing === undefined) return [];
    const where = { machine, root: standing.root, names: parents.names };
    const ended = readingOf(context, where, showing(context, machine, end));
    if (ended === undefined) return [];
    return [
      caseOf(context, {
        operation: read,
        kind: "states",
        about: ["states", to, "ends", end],
        title: `${machine.resource} that is ${to} becomes ${end} by itself`,
        requirements: nearestRequirements(sources, machine.sources, read.sources),
        alone: true,
        steps: [...parents.steps, ...standing.steps, { settle: true }, ended],
      }),
    ];
  });
  return [...new Map(cases.map((each) => [each.id, each] as const)).values()];
}

function afterCases({ context, machine, read }: About, transition: Transition, seconds: number): readonly Case[] {
  const parents = parentsOf(context, read);
  return transition.from.flatMap((state): readonly Case[] => {
    const standing = standingIn(context, { machine, state, as: nameOf(machine.resource), of: parents.of });
    if (standing === undefined || seconds < 120) return [];
    const where = { machine, root: standing.root, names: parents.names };
    const still = readingOf(context, where, showing(context, machine, state));
    const end = transition.then.at(-1) ?? transition.to;
    const gone = { ...machine, hidden: { ...machine.hidden, $gone: "$gone" } };
    const after = readingOf(context, where, showing(context, gone, end));
    if (still === undefined || after === undefined) return [];
    return [
      caseOf(context, {
        operation: read,
        kind: "states",
        about: ["states", state, "after", String(seconds)],
        title: `${machine.resource} is ${state} for ${seconds} seconds, and ${end === "$gone" ? "gone" : end} then`,
        requirements: nearestRequirements(transition.sources, machine.sources, read.sources),
        steps: [
          ...parents.steps,
          ...standing.steps,
          { advance: `PT${seconds - 60}S` },
          still,
          { advance: "PT61S" },
          after,
        ],
      }),
    ];
  });
}

/** Transitions that the recipe `Resource!trigger` of the settings triggers. */
function triggerCases(about: About, transition: Transition, platform: string): readonly Case[] {
  const { context, machine, read } = about;
  const recipe = `${machine.resource}!${platform}`;
  const state = transition.from.find((each) => context.settings.recipes[`${machine.resource}@${each}`] !== undefined);
  if (context.settings.recipes[recipe] === undefined || state === undefined) return [];
  const as = nameOf(machine.resource);
  const end = transition.then.at(-1) ?? transition.to;
  const started = context.settings.recipes[`${machine.resource}@${end}`] === undefined ? state : end;
  const standing = standingIn(context, { machine, state: started, as, of: {} });
  if (standing === undefined) return [];
  const where = { machine, root: standing.root, names: {} };
  const reading = (shown: string): readonly Step[] =>
    [readingOf(context, where, showing(context, machine, shown))].flatMap((step) => step ?? []);
  const trigger: MakeStep = { make: recipe, as: "happened", of: { [machine.resource]: { $get: as } }, fresh: true };
  const requirements = nearestRequirements(transition.sources, machine.sources, read.sources);
  const common = { operation: read, kind: "states", requirements, alone: true } as const;
  const settled = (shown: string): readonly Step[] => [{ settle: true }, ...reading(shown)];
  const happens = caseOf(context, {
    ...common,
    about: ["states", "platform", platform],
    title: `${machine.resource}: ${platform} leads to ${end}`,
    steps: [...standing.steps, trigger, ...settled(end)],
  });
  const unfit = unfitStep(about, transition, as);
  const idle = lookalikesOf(machine, transition).flatMap((other) => {
    const start = standingIn(context, { machine, state: other, as, of: {} });
    return start === undefined || context.settings.recipes[`${machine.resource}@${other}`] === undefined
      ? []
      : [
          caseOf(context, {
            ...common,
            about: ["states", "platform", platform, "not-from", other],
            title: `${machine.resource}: ${platform} has no effect from ${other}`,
            steps: [...start.steps, trigger, ...settled(other)],
          }),
        ];
  });
  const limit = byId(context.api).get(transition.limit ?? "");
  return [
    happens,
    ...idle,
    ...(unfit === undefined
      ? []
      : [
          caseOf(context, {
            ...common,
            about: ["states", "platform", platform, "not-wanted"],
            title: `${machine.resource}: ${platform} has no effect when its condition does not hold`,
            steps: [...standing.steps, unfit, trigger, ...settled(state)],
          }),
        ]),
    ...(limit?.max === undefined || limit.window === undefined
      ? []
      : [
          caseOf(context, {
            ...common,
            kind: "limits",
            about: ["limits", limit.id],
            title: `${machine.resource}: ${platform} happens ${limit.max} times in ${limit.window.text}, and not again`,
            requirements: nearestRequirements(limit.sources, machine.sources, read.sources),
            steps: [
              ...standing.steps,
              { repeat: [trigger, ...settled(end)], times: limit.max },
              trigger,
              ...settled(state),
            ],
          }),
        ]),
  ];
}

/** States that are shown like a source state of the transition, but are none. */
function lookalikesOf({ states, hidden }: StateMachine, { from }: Transition): readonly string[] {
  const shown = (state: string): string => hidden[state] ?? state;
  const looks = new Set(from.map(shown));
  return states.filter((state) => looks.has(shown(state)) && !from.includes(state));
}

/** An update that makes the transition's condition false. */
function unfitStep({ context, machine }: About, { when }: Transition, as: string): Step | undefined {
  if (when?.target === undefined || Object.keys(when).length !== 1) return undefined;
  const update = context.api.operations.find(
    (each) => each.method === "PUT" && ownParameter(each, machine.resource) !== undefined,
  );
  const form = update && bodyShape(update);
  const parameter = update && ownParameter(update, machine.resource);
  if (update === undefined || form === undefined || parameter === undefined) return undefined;
  const overlay = breaking({ context, form }, when.target);
  if (overlay === undefined) return undefined;
  return {
    call: update.name,
    path: { [parameter]: { $get: `${as}#/id` } },
    body: { ...overlay.fields },
    given: true,
  };
}

function parentsOf(
  context: Context,
  read: Operation,
): {
  readonly steps: readonly Step[];
  readonly names: Readonly<Record<string, string>>;
  readonly of: Record<string, { $get: string }>;
} {
  const plan = planOf(context, read, { objects: "shared" });
  const steps = plan.before.filter((step) => "make" in step).slice(0, -1);
  const of = Object.fromEntries(
    steps.flatMap((step) => ("make" in step ? [[step.make, { $get: step.as }] as const] : [])),
  );
  return { steps, names: plan.names, of };
}
