import { escaped } from "./difference-markdown.js";
import { sentenceOf, split, type Outcome, type Told } from "./difference-report.js";

/** Formats a file for `.changeset/`: the packages with their version bumps, and the text of their changelogs. */
export function asChangeset({ differences, packages }: Outcome): string {
  const [breaking, others] = split(differences);
  const paragraphs = [
    breaking.length > 0 ? "The API has breaking changes." : "The API changes without breaking anything.",
    ...list("Breaking:", breaking),
    ...list("Other changes:", others),
  ];
  return `---\n${packages.map(({ name, bump }) => `${JSON.stringify(name)}: ${bump}\n`).join("")}---\n\n${paragraphs.join("\n\n")}\n`;
}

/** The number of listed differences. A line counts the others: a longer list hides the important ones. */
const most = 20;

function list(title: string, differences: readonly Told[]): readonly string[] {
  if (differences.length === 0) return [];
  const more = differences.length - most;
  const items = differences.slice(0, most).map((each) => `- ${escaped(sentenceOf(each))}`);
  return [title, [...items, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n")];
}
