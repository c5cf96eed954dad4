import type { Problem } from "./problem.js";

export interface PrintOptions {
  readonly format: "text" | "json" | "github";
  readonly color: boolean;
  /** Whether to print the line of each problem with its neighbours. Text format only. */
  readonly frames: boolean;
  /** Returns the text of a file by its path. */
  readonly read: (file: string) => string;
}

/** Formats problems. An empty list has an output, too. */
export function print(problems: readonly Problem[], options: PrintOptions): string {
  return printers[options.format](problems, options);
}

const printers = {
  text: printText,
  json: (problems: readonly Problem[]): string => `${JSON.stringify({ problems, ...countsOf(problems) }, null, 2)}\n`,
  github: (problems: readonly Problem[]): string => problems.map((each) => `${annotationOf(each)}\n`).join(""),
} satisfies Record<PrintOptions["format"], (problems: readonly Problem[], options: PrintOptions) => string>;

function printText(problems: readonly Problem[], { color, frames, read }: PrintOptions): string {
  const paint = painter(color);
  const entries = problems.map((problem) => {
    const { origin, severity, code, message, fix } = problem;
    const place = paint("bold", `${harmless(origin.file)}:${origin.line}:${origin.column}`);
    const said = harmless(fix === undefined ? message : `${message} ${fix}`);
    const line = `${place}  ${paint(severity === "error" ? "red" : "yellow", code)}  ${said}`;
    return frames ? `${line}\n${frameOf(problem, read(origin.file), paint)}\n` : line;
  });
  return [...entries, closing(problems), ""].join("\n");
}

/** Formats the line of a problem between its neighbours, with a caret below the column. */
function frameOf({ origin }: Problem, text: string, paint: Paint): string {
  const lines = text.split(/\r?\n/);
  const last = text.endsWith("\n") ? lines.length - 1 : lines.length; // there is no line after the last line break
  const numbers = [origin.line - 1, origin.line, origin.line + 1].filter(
    (each) => each >= 1 && each <= Math.max(last, origin.line),
  );
  const width = String(numbers.at(-1) ?? 1).length;
  return numbers
    .flatMap((number) => {
      const { shown, column } = fit(lines[number - 1] ?? "", number === origin.line ? origin.column : 1);
      const row = `  ${paint("gray", `${String(number).padStart(width)} |`)} ${shown}`.trimEnd();
      if (number !== origin.line) return [row];
      return [row, `  ${paint("gray", `${" ".repeat(width)} |`)} ${" ".repeat(column - 1)}${paint("red", "^")}`];
    })
    .join("\n");
}

const widest = 120; // columns: a longer line, such as a flow map, is cut around the position

function fit(written: string, column: number): { readonly shown: string; readonly column: number } {
  const line = written.replaceAll(invisible, "\ufffd"); // one character for one, so that the caret keeps its column
  if (line.length <= widest) return { shown: line, column };
  const start = Math.max(0, Math.min(column - 1 - widest / 2, line.length - widest));
  const shown = `${start > 0 ? "…" : ""}${line.slice(start, start + widest)}${start + widest < line.length ? "…" : ""}`;
  return { shown, column: column - start + (start > 0 ? 1 : 0) };
}

/** Control characters, line separators and bidirectional marks: messages contain text of the description. */
const invisible = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Escapes control characters, so that the text is one line and cannot control a terminal. */
export function harmless(text: string): string {
  return text.replaceAll(invisible, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function closing(problems: readonly Problem[]): string {
  const { errors, warnings } = countsOf(problems);
  const files = new Set(problems.map((each) => each.origin.file)).size;
  if (problems.length === 0) return "No problems.";
  return `${many(problems.length, "problem")} (${many(errors, "error")}, ${many(warnings, "warning")}) in ${many(files, "file")}.`;
}

function countsOf(problems: readonly Problem[]): { readonly errors: number; readonly warnings: number } {
  const errors = problems.filter((each) => each.severity === "error").length;
  return { errors, warnings: problems.length - errors };
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Formats a workflow command of GitHub Actions, which has its own escapes. */
function annotationOf({ origin, severity, code, message, fix }: Problem): string {
  const property = (text: string | number): string => data(String(text)).replaceAll(":", "%3A").replaceAll(",", "%2C");
  const place = `file=${property(origin.file)},line=${origin.line},col=${origin.column},title=${property(code)}`;
  return `::${severity} ${place}::${data(fix === undefined ? message : `${message} ${fix}`)}`;
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

const escapes = { bold: "1", red: "31", yellow: "33", gray: "90" } as const;
type Paint = (style: keyof typeof escapes, text: string) => string;

function painter(color: boolean): Paint {
  return (style, text) => (color ? `\u001b[${escapes[style]}m${text}\u001b[0m` : text);
}
