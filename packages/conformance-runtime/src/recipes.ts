import type { Fields } from "./json.js";
import { onStage, type Stage } from "./stage.js";
import type { Json, Recipe } from "./suite.js";
import { evaluate } from "./template.js";

/**
 * Performs the steps of a recipe in a scope of its own.
 *
 * @returns The recipe's `gives`.
 */
export async function runRecipe(recipe: Recipe, inputs: Fields, stage: Stage): Promise<Json> {
  const { username, account } = stage.caller;
  const bound = new Map<string, Json>([
    ["of", inputs],
    ["caller", { username, account }],
  ]);
  const inner = onStage(stage, { bound, prepares: true });
  for (const step of recipe.steps) await stage.perform(step, inner);
  return evaluate(recipe.gives, inner.values);
}
