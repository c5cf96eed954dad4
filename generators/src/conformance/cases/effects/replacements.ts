import type { Case } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../../context/context.js";
import { callOnObjects, objectNames } from "../../requests/object-chains.js";
import { setupStep, planRequest } from "../../requests/request-plan.js";
import { createEffectCase, type OperationEffect } from "./effect-cases.js";

/** What an operation reads of the same object: after each of two calls it is not what it was before. */
export function replacementCases(context: ConformanceContext, caused: OperationEffect): readonly Case[] {
  const { operation, effect } = caused;
  const reading = context.operations.get(effect.to ?? "");
  if (reading === undefined || effect.when !== undefined) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  const call = callOnObjects(reading, objectNames(operation, plan.names));
  if (call === undefined) return [];
  const read = plan.call.by === undefined ? call : { ...call, by: plan.call.by };
  return [
    createEffectCase(context, caused, {
      plan,
      title: effect.summary ?? `what ${reading.name} reads is replaced`,
      steps: [
        setupStep({ ...read, as: "before" }),
        { ...plan.call, as: "answer" },
        { settle: true },
        { ...read, as: "after", expect: { body: { not: { const: { $get: "before#/body" } } } } },
        plan.call,
        { settle: true },
        { ...read, expect: { body: { not: { enum: [{ $get: "before#/body" }, { $get: "after#/body" }] } } } },
      ],
    }),
  ];
}
