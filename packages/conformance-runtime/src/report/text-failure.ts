import { styleText } from "node:util";
import type { AssertionFailure, CaseResult, RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { formatCurlCommands } from "./curl.js";
import { escapeControlCharacters, escapeToOneLine, pluralize, truncateText } from "./format-text.js";
import { formatReproduceCommand, type RunInfo } from "./reproduce.js";
import { formatDocumentLocation } from "./requirements.js";

/** What all parts of the text report use. */
export interface TextContext {
  readonly report: RunReport;
  readonly suite: Suite;
  readonly options: RunInfo;
  readonly paint: Paint;
}

const maxFailuresPerCase = 5;
const maxRequirementsPerFailure = 3;
const maxValueCharacters = 600;

/** Formats a case that failed or could not run: what differs, its requirements, and how to repeat it. */
export function formatFailure(result: CaseResult, context: TextContext): string {
  const { paint, report, suite, options } = context;
  const { id, title } = result.case;
  const differences = result.failures
    .slice(0, maxFailuresPerCase)
    .flatMap((each) => differenceOf(each, result, context));
  const more = result.failures.length - maxFailuresPerCase;
  const curls = formatCurlCommands(result);
  return [
    `${result.status === "error" ? paint("yellow", "ERROR") : paint("red", "FAIL")} ${paint("bold", id)}`,
    `  ${escapeToOneLine(title)}`,
    ...differences,
    ...(more > 0 ? [`  and ${pluralize(more, "more difference")}, in the other reports`] : []),
    ...(curls.length === 0
      ? []
      : ["  Reproduce:", ...curls.map((each) => indented(escapeControlCharacters(each), "    "))]),
    "  Run again:",
    `    ${formatReproduceCommand(id, { suite, report, info: options })}`,
  ].join("\n");
}

function differenceOf(
  difference: AssertionFailure,
  { status, case: { requirements } }: CaseResult,
  context: TextContext,
): readonly string[] {
  // A case that could not run says nothing of its requirements.
  const own = status === "error" ? [] : requirements;
  const named = difference.requirements.length > 0 ? difference.requirements : own;
  return [
    `  ${escapeToOneLine(difference.message)}`,
    `    expected  ${valueOf(difference.expected)}`,
    `    received  ${valueOf(difference.received)}`,
    ...named.slice(0, maxRequirementsPerFailure).flatMap((each) => requirementLines(each, context)),
    ...(named.length > maxRequirementsPerFailure
      ? [
          `    and ${pluralize(named.length - maxRequirementsPerFailure, "more requirement")}: ${named.slice(maxRequirementsPerFailure).join(", ")}`,
        ]
      : []),
  ];
}

function valueOf(text: string): string {
  return indented(truncateText(escapeControlCharacters(text), maxValueCharacters), "              ").trimStart();
}

function requirementLines(id: string, { suite, paint }: TextContext): readonly string[] {
  const facts = suite.requirements[id];
  if (facts === undefined) return [`    ${id}`];
  const places = facts.locations.length === 0 ? "" : `; ${facts.locations.join(", ")}`;
  return [`    ${id}: ${facts.text}`, `      ${paint("gray", `${formatDocumentLocation(facts)}${places}`)}`];
}

function indented(text: string, by: string): string {
  return text
    .split("\n")
    .map((line) => `${by}${line}`)
    .join("\n");
}

export type Paint = (style: "bold" | "red" | "yellow" | "green" | "gray", text: string) => string;

/** Paints text, or returns it unchanged. */
export function createPaint(color: boolean): Paint {
  // The caller has checked whether the terminal supports colors.
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
}
