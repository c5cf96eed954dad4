import type { Case } from "@plumbline/conformance-runtime";
import type { ConformanceContext } from "../../context/context.js";
import { readObject } from "../../requests/object-chains.js";
import { creationSteps } from "../../requests/reference-bodies.js";
import { setupStep, planRequest } from "../../requests/request-plan.js";
import { createEffectCase, type OperationEffect } from "./effect-cases.js";

/** An object of the resource that an effect keeps reads the same before and after the call. */
export function keepCases(context: ConformanceContext, caused: OperationEffect): readonly Case[] {
  const { operation, effect } = caused;
  const resource = context.resources.get(effect.to ?? "");
  const makes = resource && creationSteps(context, { resource: resource.name, as: "kept", isOwn: true });
  const readCall = resource && readObject(context, resource, { [resource.name]: "kept" });
  if (makes === undefined || readCall === undefined) return [];
  const plan = planRequest(context, operation, { objects: "own" });
  return [
    createEffectCase(context, caused, {
      plan,
      title: effect.summary ?? `${effect.to} stays as it is`,
      steps: [
        ...makes,
        { settle: true },
        setupStep({ ...readCall, as: "before" }),
        plan.call,
        { settle: true },
        { ...readCall, expect: { body: { const: { $get: "before#/body" } } } },
      ],
    }),
  ];
}
