export { compareDescriptions } from "./compare-descriptions.js";
export type { Difference } from "./difference.js";
export {
  type CodeImpact,
  type CodePlace,
  concernsCode,
  formatImpactAsAnnotations,
  formatImpactAsJson,
  formatImpactAsMarkdown,
  formatImpactAsText,
} from "./report/code-impact.js";
export { formatDiffAsMarkdown } from "./report/diff-markdown.js";
export {
  type DiffReport,
  formatCounts,
  formatDiffAsJson,
  formatDiffAsText,
  formatSentence,
  isBreaking,
  type ReportedDifference,
} from "./report/diff-report.js";
export { formatDiffAsHtml } from "./report/format-html.js";
export { formatDiffAsSarif } from "./report/format-sarif.js";
export { formatChangeset } from "./report/format-changeset.js";
export { computeBump } from "./version-bumps.js";
export { type AffectedParty, affectedParties } from "./rule.js";
