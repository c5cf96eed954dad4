import type { Case } from "@plumbline/conformance-runtime";
import type { Context } from "./context.js";
import { effectCase, type Caused } from "./effect-cases.js";
import { given, planOf } from "./plans.js";
import { callOn, namesIn } from "./resource-paths.js";

/** What an operation reads of the same object: after the call it is not what it was before. */
export function replacementCases(context: Context, caused: Caused): readonly Case[] {
  const { operation, effect } = caused;
  const reading = context.operations.get(effect.to ?? "");
  if (reading === undefined || effect.when !== undefined) return [];
  const plan = planOf(context, operation, { objects: "own" });
  const call = callOn(reading, namesIn(operation, plan.names));
  if (call === undefined) return [];
  const read = plan.call.by === undefined ? call : { ...call, by: plan.call.by };
  return [
    effectCase(context, caused, {
      plan,
      title: effect.summary ?? `what ${reading.name} reads is replaced`,
      steps: [
        given({ ...read, as: "before" }),
        { ...plan.call, as: "answer" },
        { settle: true },
        { ...read, expect: { body: { not: { const: { $get: "before#/body" } } } } },
      ],
    }),
  ];
}
