import type { Diagnostic } from "./diagnostic.js";
import { formatGithubAnnotation } from "./github-annotation.js";

export interface FormatOptions {
  readonly format: "text" | "json" | "github";
  readonly color: boolean;
  /** Whether to print the line of each problem with its neighbours. Text format only. */
  readonly codeFrames: boolean;
  /** Returns the text of a file by its path. */
  readonly read: (file: string) => string;
}

/** Formats problems. An empty list has an output, too. */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  return formatters[options.format](diagnostics, options);
}

const formatters = {
  text: formatAsText,
  json: (diagnostics: readonly Diagnostic[]): string =>
    `${JSON.stringify({ diagnostics, ...countBySeverity(diagnostics) }, null, 2)}\n`,
  github: (diagnostics: readonly Diagnostic[]): string =>
    diagnostics.map((each) => `${formatAnnotation(each)}\n`).join(""),
} satisfies Record<FormatOptions["format"], (diagnostics: readonly Diagnostic[], options: FormatOptions) => string>;

/** Formats errors first, then the first warnings of each code. The other formats have all warnings. */
function formatAsText(diagnostics: readonly Diagnostic[], options: FormatOptions): string {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const warnings = new Map<string, Diagnostic[]>();
  for (const each of diagnostics) {
    if (each.severity === "error") continue;
    const same = warnings.get(each.code);
    if (same === undefined) warnings.set(each.code, [each]);
    else same.push(each);
  }
  const entryOf = (each: Diagnostic): string => formatEntry(each, options);
  const entries = [
    ...errors.map(entryOf),
    ...[...warnings].flatMap(([code, same]) => {
      const limit = same.length < manyWarnings ? maxWarningsOfCode : 1;
      const rest = same.length > limit ? [formatRest(code, same.length, same.length - limit)] : [];
      return [...same.slice(0, limit).map(entryOf), ...rest];
    }),
  ];
  return [...entries, formatSummary(diagnostics), ""].join("\n");
}

/** The warnings of one code that the text form prints. A description may have thousands. */
const maxWarningsOfCode = 3;
/** From so many warnings of one code on, the text form prints the first one only. */
const manyWarnings = 100;

function formatRest(code: string, count: number, hidden: number): string {
  return `  … and ${pluralize(hidden, "more warning")} of ${code}, ${count} in all. \`plumbline lint --format json\` has them.`;
}

function formatEntry(diagnostic: Diagnostic, { color, codeFrames, read }: FormatOptions): string {
  const paint = createStyler(color);
  const { origin, severity, code, message, fix } = diagnostic;
  const place = paint("bold", `${escapeControlCharacters(origin.file)}:${origin.line}:${origin.column}`);
  const text = escapeControlCharacters(fix === undefined ? message : `${message} ${fix}`);
  const line = `${place}  ${paint(severity === "error" ? "red" : "yellow", severity)}  ${code}  ${text}`;
  return codeFrames ? `${line}\n${formatCodeFrame(diagnostic, read(origin.file), paint)}\n` : line;
}

/** Formats the line of a problem between its neighbours, with a caret below the column. */
function formatCodeFrame({ origin }: Diagnostic, text: string, paint: ApplyStyle): string {
  const lines = text.split(/\r?\n/);
  const last = text.endsWith("\n") ? lines.length - 1 : lines.length; // there is no line after the last line break
  const numbers = [origin.line - 1, origin.line, origin.line + 1].filter(
    (each) => each >= 1 && each <= Math.max(last, origin.line),
  );
  const width = String(numbers.at(-1) ?? 1).length;
  return numbers
    .flatMap((number) => {
      const { shown, column } = cropLine(lines[number - 1] ?? "", number === origin.line ? origin.column : 1);
      const row = `  ${paint("gray", `${String(number).padStart(width)} |`)} ${shown}`.trimEnd();
      if (number !== origin.line) return [row];
      return [row, `  ${paint("gray", `${" ".repeat(width)} |`)} ${" ".repeat(column - 1)}${paint("red", "^")}`];
    })
    .join("\n");
}

const maxFrameColumns = 120; // columns: a longer line, such as a flow map, is cut around the position

function cropLine(written: string, column: number): { readonly shown: string; readonly column: number } {
  const line = written.replaceAll(controlCharacters, "\ufffd"); // one character for one, so that the caret keeps its column
  if (line.length <= maxFrameColumns) return { shown: line, column };
  const start = Math.max(0, Math.min(column - 1 - maxFrameColumns / 2, line.length - maxFrameColumns));
  const excerpt = `${start > 0 ? "…" : ""}${line.slice(start, start + maxFrameColumns)}${start + maxFrameColumns < line.length ? "…" : ""}`;
  return { shown: excerpt, column: column - start + (start > 0 ? 1 : 0) };
}

/** Control characters, line separators and bidirectional marks: messages contain text of the description. */
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Escapes control characters, so that the text is one line and cannot control a terminal. */
export function escapeControlCharacters(text: string): string {
  return text.replaceAll(controlCharacters, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function formatSummary(diagnostics: readonly Diagnostic[]): string {
  const { errors, warnings } = countBySeverity(diagnostics);
  const files = new Set(diagnostics.map((each) => each.origin.file)).size;
  if (diagnostics.length === 0) return "No problems.";
  return `${pluralize(diagnostics.length, "problem")} (${pluralize(errors, "error")}, ${pluralize(warnings, "warning")}) in ${pluralize(files, "file")}.`;
}

function countBySeverity(diagnostics: readonly Diagnostic[]): { readonly errors: number; readonly warnings: number } {
  const errors = diagnostics.filter((each) => each.severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}

function pluralize(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a workflow command of GitHub Actions, which has its own escapes. */
function formatAnnotation({ origin, severity, code, message, fix }: Diagnostic): string {
  return formatGithubAnnotation({
    level: severity,
    ...origin,
    title: code,
    message: fix === undefined ? message : `${message} ${fix}`,
  });
}

const ansiCodes = { bold: "1", red: "31", yellow: "33", gray: "90" } as const;
type ApplyStyle = (style: keyof typeof ansiCodes, text: string) => string;

function createStyler(color: boolean): ApplyStyle {
  return (style, text) => (color ? `\u001b[${ansiCodes[style]}m${text}\u001b[0m` : text);
}
