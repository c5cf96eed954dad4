import { styleText } from "node:util";
import type { AssertionFailure, CaseResult, RunReport } from "../results.js";
import type { Suite } from "../suite.js";
import { formatCurlCommands } from "./curl.js";
import { escapeControlCharacters, escapeToOneLine, pluralize, truncateText } from "./format-text.js";
import { formatReproduceCommand, type RunInfo } from "./reproduce.js";
import { formatDocumentLocation } from "./requirements.js";

/** What all parts of the text report use. */
export interface TextContext extends FailureContext {
  readonly report: RunReport;
}

/** What the text of a failed case uses. */
export interface FailureContext {
  readonly report: Pick<RunReport, "seed" | "url">;
  readonly suite: Suite;
  readonly options: RunInfo;
  readonly paint: Paint;
}

const maxFailuresPerCase = 5;
const maxRequirementsPerFailure = 3;
const maxValueCharacters = 600;

/** Formats a case that failed or could not run: what differs, its requirements, and how to repeat it. */
export function formatFailure(result: CaseResult, context: FailureContext): string {
  const { paint, report, suite, options } = context;
  const { id, title, requirements } = result.case;
  // A case that could not run says nothing of its requirements.
  const ofCase = result.status === "error" ? [] : requirements;
  const failures = countEqual(result.failures, ({ message, expected, received }) =>
    [message, expected, received].join("\n"),
  );
  const differences = failures
    .slice(0, maxFailuresPerCase)
    .flatMap(({ item, times }) => formatAssertionFailure(item, { suite, paint, requirements: ofCase, times }));
  const more = failures.length - maxFailuresPerCase;
  const curls = withoutRepetition(formatCurlCommands(result));
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

interface Counted<T> {
  readonly item: T;
  readonly times: number;
}

function countEqual<T>(items: readonly T[], keyOf: (item: T) => string): readonly Counted<T>[] {
  const counts = new Map<string, Counted<T>>();
  for (const item of items) {
    const key = keyOf(item);
    const { item: first, times } = counts.get(key) ?? { item, times: 0 };
    counts.set(key, { item: first, times: times + 1 });
  }
  return [...counts.values()];
}

/** Concurrent requests of a limit are hundreds of equal commands. Two may be needed, such as for a value that is taken. */
function withoutRepetition(commands: readonly string[]): readonly string[] {
  const written: string[] = [];
  let times = 0;
  for (const [index, command] of commands.entries()) {
    times = command === commands[index - 1] ? times + 1 : 1;
    if (times <= 2) written.push(command);
    else if (command !== commands[index + 1]) written.push(`# … and ${pluralize(times - 2, "more time")}`);
  }
  return written;
}

export interface AssertionFailureContext {
  readonly suite: Pick<Suite, "requirements">;
  readonly paint: Paint;
  /** Those of a failure that names none. */
  readonly requirements: readonly string[];
  /** How often it was found. Default: 1. */
  readonly times?: number;
}

/** The lines of a failure: what differs, both values, and the requirements. */
export function formatAssertionFailure(
  failure: AssertionFailure,
  { suite, paint, requirements, times = 1 }: AssertionFailureContext,
): readonly string[] {
  const ids = failure.requirements.length > 0 ? failure.requirements : requirements;
  return [
    `  ${escapeToOneLine(failure.message)}${times > 1 ? ` (${times} times)` : ""}`,
    `    expected  ${valueOf(failure.expected)}`,
    `    received  ${valueOf(failure.received)}`,
    ...ids.slice(0, maxRequirementsPerFailure).flatMap((each) => requirementLines(each, { suite, paint })),
    ...(ids.length > maxRequirementsPerFailure
      ? [
          `    and ${pluralize(ids.length - maxRequirementsPerFailure, "more requirement")}: ${ids.slice(maxRequirementsPerFailure).join(", ")}`,
        ]
      : []),
  ];
}

function valueOf(text: string): string {
  return indented(truncateText(escapeControlCharacters(text), maxValueCharacters), "              ").trimStart();
}

function requirementLines(
  id: string,
  { suite, paint }: Pick<AssertionFailureContext, "suite" | "paint">,
): readonly string[] {
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
