export type { CauseKind } from "./cause-candidates.js";
export { findCauses, type Cause } from "./causes.js";
export { formatHtmlReport } from "./html.js";
export {
  formatJsonReport,
  toJsonReport,
  type JsonCase,
  type JsonCause,
  type JsonReport,
  type JsonRequirement,
} from "./json.js";
export { formatJunitReport } from "./junit.js";
export type { RunInfo } from "./reproduce.js";
export { evaluateRequirements, type RequirementResult, type RequirementStatus } from "./requirements.js";
export { formatTextReport, type TextReportOptions } from "./text.js";
