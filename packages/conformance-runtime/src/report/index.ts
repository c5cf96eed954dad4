export { htmlReport } from "./html.js";
export { jsonReport, reportData, type JsonCase, type JsonReport, type JsonRequirement } from "./json.js";
export { junitReport } from "./junit.js";
export type { RunFacts } from "./reproduce.js";
export { judgeRequirements, type RequirementResult, type RequirementStatus } from "./requirements.js";
export { textReport, type TextOptions } from "./text.js";
