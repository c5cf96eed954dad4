import { escapeControlCharacters } from "../../model/index.js";
import {
  breaksRequests,
  formatAcceptance,
  formatCounts,
  formatOperations,
  formatLocation,
  implementersTitle,
  splitByBreaking,
  type DiffReport,
  type ReportedDifference,
} from "./diff-report.js";

/** Formats the report as Markdown for a pull request: breaking differences in a table, the others folded below it. */
export function formatDiffAsMarkdown({ differences, packages }: DiffReport): string {
  if (differences.length === 0) return "**The API is the same.**\n";
  const [breaking, others] = splitByBreaking(differences);
  return [
    `**${formatCounts(differences)}**`,
    ...formatBreaking("Breaking", breaking.filter(breaksRequests)),
    ...formatBreaking(
      implementersTitle,
      breaking.filter((each) => !breaksRequests(each)),
    ),
    ...(others.length === 0
      ? []
      : [
          "",
          `<details><summary>Not breaking (${others.length})</summary>`,
          "",
          ...formatTable(others, false),
          "",
          "</details>",
        ]),
    ...(packages.length === 0
      ? []
      : ["", `Release: ${packages.map(({ name, bump }) => `${escapeMarkdown(name)} ${bump}`).join(", ")}`]),
    "",
  ].join("\n");
}

/** Escapes text for a Markdown cell or list item. */
export function escapeMarkdown(text: string): string {
  return (
    escapeControlCharacters(text)
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll(/[\\`*_{}[\]#|~$]/g, String.raw`\$&`)
      // A mention notifies its user, escaped or not: a zero-width space separates the name.
      .replaceAll("@", "@&#8203;")
  );
}

function formatBreaking(title: string, differences: readonly ReportedDifference[]): readonly string[] {
  return differences.length === 0 ? [] : ["", `### ${title}`, "", ...formatTable(differences, true)];
}

function formatTable(differences: readonly ReportedDifference[], hasParties: boolean): readonly string[] {
  const head = ["Where", "What", "Why", ...(hasParties ? ["Whom"] : []), "Rule"];
  const rows = differences.map((each) => [
    [formatOperations(each), formatLocation(each), `${each.origin.file}:${each.origin.line}`]
      .filter((part) => part !== "" && part !== "operation")
      .map(escapeMarkdown)
      .join("<br>"),
    escapeMarkdown(each.message),
    escapeMarkdown(`${each.reason}${formatAcceptance(each)}`),
    ...(hasParties ? [each.breaking.join(", ")] : []),
    `\`${each.code}\``,
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}
