import type { Case, Step } from "@plumbline/conformance-runtime";
import type { InitialState, StateMachine, Transition } from "../model/api.js";
import { caseOf, nearestRequirements, type Context } from "./context.js";
import { schemaOfValues } from "./effect-values.js";
import { nameOf } from "./plans.js";
import { readingOf } from "./standing.js";

/** The fields that a trigger of the platform sets, after the recipe `Resource!trigger` of the settings. */
export function platformValueCases(context: Context, machine: StateMachine): readonly Case[] {
  return [
    ...machine.initial.flatMap((initial) => valueCase(context, machine, { move: initial, isStart: true }) ?? []),
    ...machine.transitions.flatMap((move) => valueCase(context, machine, { move, isStart: false }) ?? []),
  ];
}

interface Platform {
  readonly move: Pick<InitialState | Transition, "by" | "sets" | "sources">;
  /** The recipe makes the object; otherwise it gets one that is there. */
  readonly isStart: boolean;
}

function valueCase(context: Context, machine: StateMachine, { move, isStart }: Platform): Case | undefined {
  const { by, sets, sources } = move;
  const { resource } = machine;
  if (by.kind !== "platform" || sets === undefined) return undefined;
  const recipe = `${resource}!${by.platform}`;
  const read = context.operations.get(context.resources.get(resource)?.read ?? "");
  const values = schemaOfValues({ values: sets }, { answer: "happened", parameters: {} });
  if (context.settings.recipes[recipe] === undefined || read === undefined || values === undefined) return undefined;
  const as = nameOf(resource);
  const reading = readingOf(context, { machine, root: "happened#", names: {} }, { status: 200, body: values });
  if (reading === undefined) return undefined;
  const before: readonly Step[] = isStart ? [] : [{ make: resource, as, fresh: true }, { settle: true }];
  const of = isStart ? {} : { of: { [resource]: { $get: as } } };
  return caseOf(context, {
    operation: read,
    kind: "states",
    about: ["states", "platform", by.platform, "sets"],
    title: `${resource}: ${by.platform} sets ${Object.keys(sets).join(" and ")}`,
    requirements: nearestRequirements(sources, machine.sources, read.sources),
    alone: true,
    steps: [...before, { make: recipe, as: "happened", ...of, fresh: true }, reading],
  });
}
