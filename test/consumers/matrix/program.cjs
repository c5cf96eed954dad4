const { createClient } = require("@letters/client");
const { runScenario } = require("./scenario.js");

if (typeof createClient !== "function") throw new Error("The client is not loaded");
void runScenario(process.env.LETTERS_URL).then(console.log);
