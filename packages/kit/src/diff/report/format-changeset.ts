import { escapeMarkdown } from "./diff-markdown.js";
import { formatSentence, splitByBreaking, type DiffReport, type ReportedDifference } from "./diff-report.js";

/** Formats a file for `.changeset/`: the packages with their version bumps, and the text of their changelogs. */
export function formatChangeset({ differences, packages }: DiffReport): string {
  const [breaking, others] = splitByBreaking(differences);
  const paragraphs = [
    breaking.length > 0 ? "The API has breaking changes." : "The API changes without breaking anything.",
    ...formatList("Breaking:", breaking),
    ...formatList("Other changes:", others),
  ];
  return `---\n${packages.map(({ name, bump }) => `${JSON.stringify(name)}: ${bump}\n`).join("")}---\n\n${paragraphs.join("\n\n")}\n`;
}

/** The number of listed differences. A line counts the others: a longer list hides the important ones. */
const maxListedDifferences = 20;

function formatList(title: string, differences: readonly ReportedDifference[]): readonly string[] {
  if (differences.length === 0) return [];
  const more = differences.length - maxListedDifferences;
  const items = differences.slice(0, maxListedDifferences).map((each) => `- ${escapeMarkdown(formatSentence(each))}`);
  return [title, [...items, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n")];
}
