import { identify } from "./actors.js";
import { runRecipe } from "./recipes.js";
import { CannotRun, onStage, type Lane, type Stage } from "./stage.js";
import type { Json, MakeStep } from "./suite.js";
import { evaluate } from "./template.js";
import { follow, newTrail } from "./trail.js";

/** Makes a thing by its recipe; without `fresh` it is one for all cases of the lane. */
export async function make(step: MakeStep, stage: Stage): Promise<Json> {
  const recipe = stage.run.suite.recipes[step.make];
  if (recipe === undefined) throw new Error(`The suite has no recipe ${step.make}. Add it under "recipes".`);
  const missing = recipe.needs.filter((need) => !stage.run.capabilities.has(need));
  if (missing.length > 0) throw lacking(step.make, missing);
  const caller = await identify(step.by, stage);
  const given = Object.entries(step.of ?? {}).map(([name, each]) => [name, evaluate(each, stage.values)] as const);
  const inputs = { ...Object.fromEntries(given), with: evaluate(step.with ?? {}, stage.values) };
  if (step.fresh === true) return runRecipe(recipe, inputs, onStage(stage, { caller }));

  const { fixtures, unique } = stage.lane;
  const key = JSON.stringify([step.make, inputs, caller.token]);
  const known = fixtures.get(key);
  if (known !== undefined) {
    follow(stage.trail, known.trail);
    return known.value;
  }
  const trail = newTrail();
  try {
    const value = await runRecipe(recipe, inputs, onStage(stage, { caller, unique, trail }));
    fixtures.set(key, { value, trail });
    return value;
  } finally {
    follow(stage.trail, trail);
    stage.trail.requests += trail.requests;
  }
}

/** After a case that failed nothing that cases share can be trusted. It is taken away at the end. */
export function forget(lane: Lane): void {
  lane.fixtures.clear();
  lane.callers.clear();
}

function lacking(name: string, missing: readonly string[]): CannotRun {
  const message = `${name} cannot be made without ${missing.join(" and ")}.`;
  return new CannotRun([{ message, expected: missing.join(", "), received: "none", requirements: [] }]);
}
