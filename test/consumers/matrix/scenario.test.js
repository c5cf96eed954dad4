import { runScenario } from "./scenario.js";

test("the scenario", async () => {
  process.stdout.write(`${await runScenario(process.env.LETTERS_URL)}\n`);
});
