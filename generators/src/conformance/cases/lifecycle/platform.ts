import type { Case, MakeStep, Step } from "@plumbline/conformance-runtime";
import {
  collectLimits,
  countOf,
  type Duration,
  durationInWords,
  type Operation,
  ownValue,
  type StateMachine,
  type Transition,
} from "@plumbline/kit/model";
import { createCase, nearestRequirements, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import {
  bodySchema,
  ownParameter,
  readObjectStep,
  expectState,
  bringIntoState,
} from "../../requests/object-in-state.js";
import { inputsFrom, planRequest } from "../../requests/request-plan.js";
import { transitionCall } from "../../requests/state-fixtures.js";
import { settledState, stateEdge } from "../../requests/state-paths.js";
import { violateCondition } from "../../values/condition-solver.js";
import { aroundEnd } from "./deadlines.js";

/** Cases of transitions by the platform and by time, and of hidden states. */
export function platformCases(context: ConformanceContext, stateMachine: StateMachine): readonly Case[] {
  const readOperation = context.operations.get(context.resources.get(stateMachine.resource)?.read ?? "");
  if (readOperation === undefined || ownParameter(readOperation, stateMachine.resource) === undefined) return [];
  const about = { context, stateMachine, read: readOperation };
  return [
    ...Object.keys(stateMachine.hidden).flatMap((state) => hiddenCase(about, state) ?? []),
    ...endCases(about),
    ...stateMachine.transitions.flatMap((transition) => [
      ...(transition.event.kind === "after" ? afterCases(about, transition, transition.event.after) : []),
      ...(transition.event.kind === "platform" ? triggerCases(about, transition, transition.event.platform) : []),
    ]),
  ];
}

interface PlatformContext {
  readonly context: ConformanceContext;
  readonly stateMachine: StateMachine;
  readonly read: Operation;
}

function hiddenCase({ context, stateMachine, read }: PlatformContext, state: string): Case | undefined {
  const parents = parentsOf(context, read);
  const as = objectName(stateMachine.resource);
  const standing = bringIntoState(context, { stateMachine, state, as, of: parents.of });
  const visibleState = ownValue(stateMachine.hidden, state);
  if (standing === undefined || visibleState === undefined) return undefined;
  const reading = readObjectStep(
    context,
    { stateMachine, root: standing.root, names: parents.names },
    expectState(context, stateMachine, state),
  );
  if (reading === undefined) return undefined;
  return createCase(context, {
    operation: read,
    kind: "states",
    idParts: ["states", state, "hidden"],
    title: `${stateMachine.resource} that is ${state} is shown as ${visibleState}`,
    requirements: nearestRequirements(stateMachine.sources, read.sources),
    exclusive: true,
    steps: [...parents.steps, ...standing.steps, reading],
  });
}

/** A transitional state ends by itself. */
function endCases({ context, stateMachine, read }: PlatformContext): readonly Case[] {
  const cases = stateMachine.transitions.flatMap((transition): readonly Case[] => {
    const { event, to, then, sources, limit } = transition;
    const end = then.at(-1);
    if (event.kind !== "platform" || end === undefined || end.startsWith("$") || limit !== undefined) return [];
    if (context.settings.fixtures[`${stateMachine.resource}@${to}`] === undefined) return [];
    const parents = parentsOf(context, read);
    const standing = bringIntoState(context, {
      stateMachine,
      state: to,
      as: objectName(stateMachine.resource),
      of: parents.of,
    });
    if (standing === undefined) return [];
    const where = { stateMachine, root: standing.root, names: parents.names };
    const ended = readObjectStep(context, where, expectState(context, stateMachine, end));
    if (ended === undefined) return [];
    return [
      createCase(context, {
        operation: read,
        kind: "states",
        idParts: ["states", to, "ends", end],
        title: `${stateMachine.resource} that is ${to} becomes ${end} by itself`,
        requirements: nearestRequirements(sources, stateMachine.sources, read.sources),
        exclusive: true,
        steps: [...parents.steps, ...standing.steps, { settle: true }, ended],
      }),
    ];
  });
  return [...new Map(cases.map((each) => [each.id, each] as const)).values()];
}

function afterCases(
  { context, stateMachine, read }: PlatformContext,
  transition: Transition,
  after: Duration,
): readonly Case[] {
  const { seconds } = after;
  const parents = parentsOf(context, read);
  return transition.from.flatMap((state): readonly Case[] => {
    const standing = bringIntoState(context, {
      stateMachine,
      state,
      as: objectName(stateMachine.resource),
      of: parents.of,
    });
    if (standing === undefined || seconds < 120) return [];
    const where = { stateMachine, root: standing.root, names: parents.names };
    const still = readObjectStep(context, where, expectState(context, stateMachine, state));
    const end = transition.then.at(-1) ?? transition.to;
    const gone = { ...stateMachine, hidden: { ...stateMachine.hidden, $deleted: "$deleted" } };
    const later = readObjectStep(context, where, expectState(context, gone, end));
    if (still === undefined || later === undefined) return [];
    const { near, over, beyond, inTime } = aroundEnd(context, seconds, standing.steps);
    return [
      inTime(
        createCase(context, {
          operation: read,
          kind: "states",
          idParts: ["states", state, "after", String(seconds)],
          title: `${stateMachine.resource} is ${state} for ${durationInWords(after)}, and ${end === "$deleted" ? "gone" : end} then`,
          requirements: nearestRequirements(transition.sources, stateMachine.sources, read.sources),
          steps: [...parents.steps, ...standing.steps, near, still, over, later, beyond, later],
        }),
      ),
    ];
  });
}

/** Transitions that the fixture `Resource!trigger` of the settings triggers. */
function triggerCases(about: PlatformContext, transition: Transition, platform: string): readonly Case[] {
  const { context, stateMachine, read } = about;
  const fixture = `${stateMachine.resource}!${platform}`;
  const state = transition.from.find(
    (each) => context.settings.fixtures[`${stateMachine.resource}@${each}`] !== undefined,
  );
  if (context.settings.fixtures[fixture] === undefined || state === undefined) return [];
  const as = objectName(stateMachine.resource);
  const end = transition.then.at(-1) ?? transition.to;
  const started = context.settings.fixtures[`${stateMachine.resource}@${end}`] === undefined ? state : end;
  const standing = bringIntoState(context, { stateMachine, state: started, as, of: {} });
  if (standing === undefined) return [];
  const where = { stateMachine, root: standing.root, names: {} };
  const settle = (expectedState: string): readonly Step[] => {
    const step = readObjectStep(context, where, expectState(context, stateMachine, expectedState));
    return [{ settle: true }, ...(step === undefined ? [] : [step])];
  };
  const trigger: MakeStep = {
    make: fixture,
    as: "happened",
    of: { [stateMachine.resource]: { $get: as } },
    fresh: true,
  };
  const triggerCase = (path: readonly string[], says: string, steps: readonly Step[]): Case =>
    createCase(context, {
      operation: read,
      kind: "states",
      requirements: nearestRequirements(transition.sources, stateMachine.sources, read.sources),
      exclusive: true,
      idParts: ["states", "platform", platform, ...path],
      title: `${stateMachine.resource}: ${platform} ${says}`,
      steps,
    });
  const unfit = conditionNotMetStep(about, transition, as);
  const idle = similarStates(stateMachine, transition).flatMap((other) => {
    const start = bringIntoState(context, { stateMachine, state: other, as, of: {} });
    if (start === undefined || context.settings.fixtures[`${stateMachine.resource}@${other}`] === undefined) return [];
    const steps = [...start.steps, trigger, ...settle(other)];
    return [triggerCase(["not-from", other], `has no effect from ${other}`, steps)];
  });
  const limit = collectLimits(context.api).find((each) => each.limit.id === transition.limit)?.limit;
  return [
    triggerCase([], `leads to ${end}`, [...standing.steps, trigger, ...settle(end)]),
    ...idle,
    ...(unfit === undefined
      ? []
      : [
          triggerCase(["not-wanted"], "has no effect when its condition does not hold", [
            ...standing.steps,
            unfit,
            trigger,
            ...settle(state),
          ]),
        ]),
    ...(limit?.max === undefined || limit.window === undefined
      ? []
      : [
          createCase(context, {
            operation: read,
            kind: "limits",
            exclusive: true,
            idParts: ["limits", limit.id],
            title: `${stateMachine.resource}: ${platform} happens ${countOf(limit.max, "time")} within ${durationInWords(limit.window)}, and not again`,
            requirements: nearestRequirements(limit.sources, stateMachine.sources, read.sources),
            steps: [
              ...standing.steps,
              { repeat: [trigger, ...settle(end)], times: limit.max },
              trigger,
              ...settle(state),
              ...stepsAfterWindow(about, { window: limit.window, root: standing.root, state, started }, [
                trigger,
                ...settle(end),
              ]),
            ],
          }),
        ]),
  ];
}

interface ReachedLimit {
  readonly window: Duration;
  readonly root: string;
  /** The state in which the limit leaves the object, and the one from which it happens again. */
  readonly state: string;
  readonly started: string;
}

/** After the window it happens again, once an operation has brought the object back. */
function stepsAfterWindow(
  { context, stateMachine }: PlatformContext,
  { window, root, state, started }: ReachedLimit,
  happens: readonly Step[],
): readonly Step[] {
  const edges = stateMachine.transitions.flatMap((each) => stateEdge(context, stateMachine, each) ?? []);
  const back = edges.find(
    ({ transition, subject }) =>
      subject.kind === "path" && transition.from.includes(state) && settledState(transition) === started,
  );
  const steps = back && transitionCall(context, back, { root, holders: {}, as: "back" });
  const isObject = (step: Step): boolean => "make" in step && `${step.as}#` === root;
  if (steps === undefined) return [];
  return [
    { advance: `PT${window.seconds + 1}S` },
    ...steps.filter((each) => !isObject(each)),
    { settle: true },
    ...happens,
  ];
}

/** States that are shown like a source state of the transition, but are none. */
function similarStates({ states, hidden }: StateMachine, { from }: Transition): readonly string[] {
  const shownState = (state: string): string => ownValue(hidden, state) ?? state;
  const looks = new Set(from.map(shownState));
  return states.filter((state) => looks.has(shownState(state)) && !from.includes(state));
}

/** An update that makes the transition's condition false. */
function conditionNotMetStep(
  { context, stateMachine }: PlatformContext,
  { when }: Transition,
  as: string,
): Step | undefined {
  if (when?.target === undefined || Object.keys(when).length !== 1) return undefined;
  const update = context.api.operations.find(
    (each) => each.method === "PUT" && ownParameter(each, stateMachine.resource) !== undefined,
  );
  const form = update && bodySchema(update);
  const parameter = update && ownParameter(update, stateMachine.resource);
  if (update === undefined || form === undefined || parameter === undefined) return undefined;
  const overlay = violateCondition({ context, schema: form }, when.target);
  if (overlay === undefined) return undefined;
  return {
    call: update.name,
    path: { [parameter]: { $get: `${as}#/id` } },
    body: { ...overlay.fields },
    setup: true,
  };
}

function parentsOf(
  context: ConformanceContext,
  read: Operation,
): {
  readonly steps: readonly Step[];
  readonly names: Readonly<Record<string, string>>;
  readonly of: Record<string, { $get: string }>;
} {
  const plan = planRequest(context, read, { objects: "shared" });
  const steps = plan.setupSteps.filter((step) => "make" in step).slice(0, -1);
  const inputs = inputsFrom(steps);
  return { steps, names: plan.names, of: inputs };
}
