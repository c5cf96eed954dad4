import { escaped } from "./difference-markdown.js";
import { sentenceOf, split, type Outcome, type Told } from "./difference-report.js";

/** A file for `.changeset/`, as `changeset` reads it: the packages with what they raise, and what their changelogs say. */
export function asChangeset({ differences, packages }: Outcome): string {
  const [breaking, others] = split(differences);
  const paragraphs = [
    breaking.length > 0
      ? "The API changes, and not everything that worked goes on working."
      : "The API changes; what worked goes on working.",
    ...list("Breaking:", breaking),
    ...list("Besides:", others),
  ];
  return `---\n${packages.map(({ name, bump }) => `${JSON.stringify(name)}: ${bump}\n`).join("")}---\n\n${paragraphs.join("\n\n")}\n`;
}

/** More would hide what counts; the rest is told by number. */
const most = 20;

function list(title: string, differences: readonly Told[]): readonly string[] {
  if (differences.length === 0) return [];
  const more = differences.length - most;
  const items = differences.slice(0, most).map((each) => `- ${escaped(sentenceOf(each))}`);
  return [title, [...items, ...(more > 0 ? [`- and ${more} more`] : [])].join("\n")];
}
