import { identify } from "./actors.js";
import { runRecipe } from "./recipes.js";
import { CannotRun, onStage, type Lane, type Stage } from "./stage.js";
import type { Json, MakeStep } from "./suite.js";
import { evaluate } from "./template.js";
import { follow, newTrail } from "./trail.js";

/** Creates an object by its recipe. Without `fresh` all cases of the lane share it. */
export async function make(step: MakeStep, stage: Stage): Promise<Json> {
  const recipe = stage.run.suite.recipes[step.make];
  if (recipe === undefined) throw new Error(`Missing recipe ${step.make}. Add it under "recipes".`);
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

/** A failed case may have changed shared objects, so later cases create new ones. The end of the run deletes the old ones. */
export function forget(lane: Lane): void {
  lane.fixtures.clear();
  lane.callers.clear();
}

function lacking(name: string, missing: readonly string[]): CannotRun {
  const message = `${name} cannot be created without ${missing.join(" and ")}.`;
  return new CannotRun([{ message, expected: missing.join(", "), received: "none", requirements: [] }]);
}
