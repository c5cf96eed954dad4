import { runScenario } from "./scenario.js";

console.log(await runScenario(process.env.LETTERS_URL));
