import { differenceRules } from "../difference-rules.js";
import {
  formatAcceptance,
  formatSentence,
  isBreaking,
  type DiffReport,
  type ReportedDifference,
} from "./diff-report.js";

/** Formats the report as SARIF 2.1.0, which code scanning of GitHub and GitLab reads. An accepted difference is suppressed. */
export function formatDiffAsSarif({ differences }: DiffReport): string {
  const rules = [...new Set(differences.map(({ code }) => code))].map((id) => ({
    id,
    shortDescription: { text: differenceRules[id].message.replaceAll(/[{}]/g, "") },
    help: { text: differenceRules[id].reason },
  }));
  const run = { tool: { driver: { name: "plumbline", rules } }, results: differences.map(resultOf) };
  const log = { $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

function resultOf(difference: ReportedDifference): object {
  const { code, reason, origin, accepted } = difference;
  const region = { startLine: origin.line, startColumn: origin.column };
  return {
    ruleId: code,
    level: isBreaking(difference) ? "error" : "note",
    message: { text: `${formatSentence(difference)} ${reason}${formatAcceptance(difference)}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(origin.file) }, region } }],
    ...(accepted && { suppressions: [{ kind: "external", justification: accepted.reason }] }),
  };
}

/** The path of a file, without the revision of `main:spec/openapi.yaml`. */
function uriOf(file: string): string {
  return file
    .replace(/^[^/\\]*:/, "")
    .split(/[/\\]/)
    .map(encodeURIComponent)
    .join("/");
}
