import { escapeControlCharacters, formatGithubAnnotation } from "../../model/index.js";
import { escapeMarkdown } from "./diff-markdown.js";
import { formatAcceptance, formatSentence, isBreaking, type ReportedDifference } from "./diff-report.js";

/** A place in code that a difference concerns. */
export interface CodePlace {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** Counted from 1. */
  readonly column: number;
  /** The line, without the spaces around it. */
  readonly text: string;
  /** `possible`: whether it is concerned depends on values that only a running program knows. */
  readonly certainty: "certain" | "possible";
}

/** A difference, and the places in code that it concerns. */
export interface CodeImpact {
  readonly difference: ReportedDifference;
  readonly places: readonly CodePlace[];
}

interface GroupedImpacts {
  readonly certain: readonly CodeImpact[];
  readonly possible: readonly CodeImpact[];
  /** Not breaking, but of what the code uses. */
  readonly others: readonly CodeImpact[];
}

/** True if a difference breaks the code, or may do so. */
export function concernsCode({ difference, places }: CodeImpact): boolean {
  return isBreaking(difference) && (places.length > 0 || isOfEveryCall(difference));
}

/** Whether a difference is about all calls, such as one of servers. A named type is used where code names it. */
function isOfEveryCall({ code, where }: ReportedDifference): boolean {
  return where.location === "the API" && !code.startsWith("schema-");
}

function groupImpacts(impacts: readonly CodeImpact[]): GroupedImpacts {
  const breaking = impacts.filter(concernsCode);
  const isCertain = ({ places }: CodeImpact): boolean => places.some(({ certainty }) => certainty === "certain");
  return {
    certain: breaking.filter(isCertain),
    possible: breaking.filter((each) => !isCertain(each)),
    others: impacts.filter(({ difference, places }) => !isBreaking(difference) && places.length > 0),
  };
}

/** `14 breaking changes: 2 concern this code, 3 may concern it.` */
function formatImpactCounts(impacts: readonly CodeImpact[]): string {
  const { certain, possible } = groupImpacts(impacts);
  const breaking = impacts.filter(({ difference }) => isBreaking(difference)).length;
  const changes = breaking === 1 ? "1 breaking change" : `${breaking} breaking changes`;
  const concerns = certain.length === 1 ? "concerns" : "concern";
  return `${changes}: ${certain.length} ${concerns} this code, ${possible.length} may concern it.`;
}

const sections = [
  ["certain", "Breaking, and concerns this code"],
  ["possible", "Breaking, and may concern this code"],
  ["others", "Not breaking, but about what this code uses"],
] as const;

/** Maximum places of a difference in a text. JSON has all of them. */
const maxPlaces = 20;

/** Formats the differences that concern code, each with its places. */
export function formatImpactAsText(impacts: readonly CodeImpact[]): string {
  const groups = groupImpacts(impacts);
  const lines = sections.flatMap(([key, title]) => {
    const group = groups[key];
    if (group.length === 0) return [];
    return [`${title} (${group.length})`, ...group.flatMap(formatEntry), ""];
  });
  return [...lines, formatImpactCounts(impacts), ""].join("\n");
}

function formatEntry({ difference, places }: CodeImpact): readonly string[] {
  const lines = places.slice(0, maxPlaces).map(({ file, line, column, text, certainty }) => {
    const mark = certainty === "possible" ? "? " : "";
    return `    ${file}:${line}:${column}  ${mark}${text}`;
  });
  const rest = places.length - lines.length;
  return [
    `  ${difference.code}  ${formatSentence(difference)}${formatAcceptance(difference)}`,
    ...lines,
    ...(rest > 0 ? [`    and ${rest} more`] : []),
    ...(places.length === 0 ? ["    every call"] : []),
  ].map(escapeControlCharacters);
}

/** Formats all differences with their places as JSON. */
export function formatImpactAsJson(impacts: readonly CodeImpact[]): string {
  const { certain, possible } = groupImpacts(impacts);
  const breaking = impacts.filter(({ difference }) => isBreaking(difference)).length;
  const counts = { breaking, concern: certain.length, mayConcern: possible.length };
  const differences = impacts.map(({ difference, places }) => ({ ...difference, places }));
  return `${JSON.stringify({ counts, differences }, undefined, 2)}\n`;
}

/** Formats the differences that concern code as Markdown for a pull request. */
export function formatImpactAsMarkdown(impacts: readonly CodeImpact[]): string {
  const groups = groupImpacts(impacts);
  const lines = sections.flatMap(([key, title]) => {
    const group = groups[key];
    if (group.length === 0) return [];
    return ["", `### ${title}`, "", "| What | Where | Rule |", "| --- | --- | --- |", ...group.map(formatRow)];
  });
  return [`**${formatImpactCounts(impacts)}**`, ...lines, ""].join("\n");
}

function formatRow({ difference, places }: CodeImpact): string {
  const firstPlaces = places.slice(0, maxPlaces).map(({ file, line, certainty }) => {
    return `${escapeMarkdown(`${file}:${line}`)}${certainty === "possible" ? " ?" : ""}`;
  });
  const rest = places.length - firstPlaces.length;
  const where = places.length === 0 ? ["every call"] : [...firstPlaces, ...(rest > 0 ? [`and ${rest} more`] : [])];
  return `| ${escapeMarkdown(`${formatSentence(difference)}${formatAcceptance(difference)}`)} | ${where.join("<br>")} | \`${difference.code}\` |`;
}

/** Formats each place as an annotation of a pull request on GitHub. */
export function formatImpactAsAnnotations(impacts: readonly CodeImpact[]): string {
  return impacts
    .flatMap(({ difference, places }) =>
      places.map(({ file, line, column, certainty }) => {
        const isNotice = !isBreaking(difference) || difference.accepted !== undefined;
        const level = isNotice ? "notice" : certainty === "certain" ? "error" : "warning";
        const message = `${formatSentence(difference)}${formatAcceptance(difference)}`;
        return `${formatGithubAnnotation({ level, file, line, column, title: difference.code, message })}\n`;
      }),
    )
    .join("");
}
