import type { Case, Step } from "@plumbline/conformance-runtime";
import type { InitialState, StateMachine, Transition } from "@plumbline/kit/model";
import { createCase, nearestRequirements, type ConformanceContext } from "../../context/context.js";
import { objectName } from "../../context/object-name.js";
import { readObjectStep } from "../../requests/object-in-state.js";
import { effectValuesSchema } from "../effects/expression-values.js";

/** The fields that a trigger of the platform sets, after the fixture `Resource!trigger` of the settings. */
export function platformValueCases(context: ConformanceContext, stateMachine: StateMachine): readonly Case[] {
  return [
    ...stateMachine.initial.flatMap(
      (initial) => valueCase(context, stateMachine, { move: initial, isStart: true }) ?? [],
    ),
    ...stateMachine.transitions.flatMap((move) => valueCase(context, stateMachine, { move, isStart: false }) ?? []),
  ];
}

interface Platform {
  readonly move: Pick<InitialState | Transition, "event" | "sets" | "sources">;
  /** The fixture makes the object; otherwise it gets one that is there. */
  readonly isStart: boolean;
}

function valueCase(
  context: ConformanceContext,
  stateMachine: StateMachine,
  { move, isStart }: Platform,
): Case | undefined {
  const { event, sets, sources } = move;
  const { resource } = stateMachine;
  if (event.kind !== "platform" || sets === undefined) return undefined;
  const fixture = `${resource}!${event.platform}`;
  const readOperation = context.operations.get(context.resources.get(resource)?.read ?? "");
  const values = effectValuesSchema({ values: sets }, { response: "happened", parameters: {} });
  if (context.settings.fixtures[fixture] === undefined || readOperation === undefined || values === undefined)
    return undefined;
  const as = objectName(resource);
  const reading = readObjectStep(
    context,
    { stateMachine, root: "happened#", names: {} },
    { status: 200, body: values },
  );
  if (reading === undefined) return undefined;
  const before: readonly Step[] = isStart ? [] : [{ make: resource, as, fresh: true }, { settle: true }];
  const inputs = isStart ? {} : { of: { [resource]: { $get: as } } };
  return createCase(context, {
    operation: readOperation,
    kind: "states",
    idParts: ["states", "platform", event.platform, "sets"],
    title: `${resource}: ${event.platform} sets ${Object.keys(sets).join(" and ")}`,
    requirements: nearestRequirements(sources, stateMachine.sources, readOperation.sources),
    exclusive: true,
    steps: [...before, { make: fixture, as: "happened", ...inputs, fresh: true }, reading],
  });
}
