import { counted, operationsOf, placeOf, split, type Outcome, type Told } from "./difference-report.js";
import { harmless } from "./report.js";

/** Formats the report as Markdown for a pull request: breaking differences in a table, the others folded below it. */
export function asMarkdown({ differences, packages }: Outcome): string {
  if (differences.length === 0) return "**The API is the same.**\n";
  const [breaking, others] = split(differences);
  return [
    `**${counted(differences)}**`,
    ...(breaking.length === 0 ? [] : ["", "### Breaking", "", ...table(breaking, true)]),
    ...(others.length === 0
      ? []
      : [
          "",
          `<details><summary>Not breaking (${others.length})</summary>`,
          "",
          ...table(others, false),
          "",
          "</details>",
        ]),
    ...(packages.length === 0
      ? []
      : ["", `Release: ${packages.map(({ name, bump }) => `${escaped(name)} ${bump}`).join(", ")}`]),
    "",
  ].join("\n");
}

/** Escapes text for a Markdown cell or list item. */
export function escaped(text: string): string {
  return (
    harmless(text)
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll(/[\\`*_{}[\]#|~$]/g, String.raw`\$&`)
      // A mention notifies its user, escaped or not: a zero-width space separates the name.
      .replaceAll("@", "@&#8203;")
  );
}

function table(differences: readonly Told[], hasParties: boolean): readonly string[] {
  const head = ["Where", "What", "Why", ...(hasParties ? ["Whom"] : []), "Rule"];
  const rows = differences.map((each) => [
    [operationsOf(each), placeOf(each), `${each.origin.file}:${each.origin.line}`]
      .filter((part) => part !== "" && part !== "operation")
      .map(escaped)
      .join("<br>"),
    escaped(each.says),
    escaped(each.why),
    ...(hasParties ? [each.breaking.join(", ")] : []),
    `\`${each.code}\``,
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}
