import { runScenario } from "./scenario.js";

document.querySelector("pre").textContent = await runScenario(`${location.origin}/v1`);
