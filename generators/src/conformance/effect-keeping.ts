import type { Case } from "@plumbline/conformance-runtime";
import type { Context } from "./context.js";
import { effectCase, type Caused } from "./effect-cases.js";
import { given, planOf } from "./plans.js";
import { makingOf } from "./reference-bodies.js";
import { readOf } from "./resource-paths.js";

/** An object of the resource that an effect keeps reads the same before and after the call. */
export function keepCases(context: Context, caused: Caused): readonly Case[] {
  const { operation, effect } = caused;
  const resource = context.resources.get(effect.to ?? "");
  const makes = resource && makingOf(context, { resource: resource.name, as: "kept", fresh: true });
  const read = resource && readOf(context, resource, { [resource.name]: "kept" });
  if (makes === undefined || read === undefined) return [];
  const plan = planOf(context, operation, { objects: "own" });
  return [
    effectCase(context, caused, {
      plan,
      title: effect.summary ?? `${effect.to} stays as it is`,
      steps: [
        ...makes,
        { settle: true },
        given({ ...read, as: "before" }),
        plan.call,
        { settle: true },
        { ...read, expect: { body: { const: { $get: "before#/body" } } } },
      ],
    }),
  ];
}
