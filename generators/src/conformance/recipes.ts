import type { Recipe, Step } from "@plumbline/conformance-runtime";
import type { Operation, Resource } from "../model/api.js";
import type { Context } from "./context.js";
import { madeBy } from "./facts.js";
import { inferredOf } from "./inferred.js";
import { jsonContent } from "../model/media.js";
import { bodySampleOf } from "./samples.js";

/** The recipe of each resource: from the settings, else its creating operation, else the first item of its list. */
export function recipesOf(context: Context): Record<string, Recipe> {
  const earlier = known.get(context);
  if (earlier !== undefined) return earlier;
  const recipes = allRecipes(context);
  known.set(context, recipes);
  return recipes;
}

const known = new WeakMap<Context, Record<string, Recipe>>();

function allRecipes(context: Context): Record<string, Recipe> {
  const derived = context.api.resources.flatMap((resource) => {
    const recipe = recipeOf(context, resource);
    return recipe === undefined ? [] : [[resource.name, recipe] as const];
  });
  return { ...Object.fromEntries(derived), ...context.settings.recipes };
}

function recipeOf(context: Context, resource: Resource): Recipe | undefined {
  const makers = context.api.operations.filter((each) => {
    const made = madeBy(context.api, each);
    return made?.resource === resource && made.at === "";
  });
  const list = context.operations.get(resource.list ?? "");
  const maker =
    makers.find((each) => each.path === list?.path) ?? makers[0] ?? inferredOf(context.api).creates.get(resource.name);
  if (maker !== undefined) return making(context, maker);
  const envelope = list?.pagination?.envelope.items;
  const items = envelope === undefined ? inferredOf(context.api).items.get(resource.name) : `/${envelope}`;
  if (list === undefined || items === undefined || list.path.includes("{")) return undefined;
  return {
    needs: [],
    steps: [{ call: list.name, as: "list", given: true }],
    gives: { $get: `list#/body${items}/0` },
  };
}

function making(context: Context, operation: Operation): Recipe {
  const fitting = context.settings.operations[operation.name] ?? {};
  const json = operation.body && jsonContent(operation.body.contents);
  const body = fitting.body ?? (json && bodySampleOf(context, json)) ?? {};
  const path = operation.parameters
    .filter((each) => each.in === "path")
    .map((each) => [each.name, { $get: `of#/${each.reference?.to ?? ""}/${each.reference?.by ?? "id"}` }] as const);
  const call: Step = {
    call: operation.name,
    given: true,
    ...(path.length === 0 ? {} : { path: Object.fromEntries(path) }),
    ...(operation.body === undefined ? {} : { body: { $merge: [body, { $get: "of#/with" }] } }),
    as: "made",
  };
  return { needs: fitting.needs ?? [], steps: [...(fitting.before ?? []), call], gives: { $get: "made#/body" } };
}
