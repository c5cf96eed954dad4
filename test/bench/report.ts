import type { Spread } from "./figures.js";

/** What a benchmark found. */
export interface Report {
  readonly benchmark: string;
  readonly tables: readonly Table[];
  readonly goals: readonly EvaluatedGoal[];
}

export interface Table {
  readonly title: string;
  /** What the cells are, by their keys in the rows. */
  readonly columns: Readonly<Record<string, { readonly title: string; readonly digits: number }>>;
  readonly rows: readonly Row[];
  /** What a reader has to know to interpret the figures. */
  readonly notes: readonly string[];
}

export interface Row {
  readonly name: string;
  readonly cells: Readonly<Record<string, number | Spread>>;
}

/** A goal: a figure that is at most the limit. */
export interface Goal {
  readonly what: string;
  readonly figure: number;
  readonly limit: number;
  /** Of both, such as B or ×. */
  readonly unit: string;
}

/** A table and its goals. */
export interface Compared {
  readonly table: Table;
  readonly goals: readonly Goal[];
}

export interface EvaluatedGoal extends Goal {
  readonly met: boolean;
}

/** Compares a figure with its goal; NaN does not meet a goal. */
export function evaluateGoal(goal: Goal): EvaluatedGoal {
  return { ...goal, met: goal.figure <= goal.limit };
}

/** The report for people. */
export function printed({ benchmark, tables, goals }: Report): string {
  const verdicts = goals.map(
    ({ what, figure, limit, unit, met }) =>
      `  ${met ? "met    " : "not met"}  ${what}: ${shown(figure, 2)} ${unit}, goal at most ${shown(limit, 2)} ${unit}`,
  );
  const missed = goals.filter(({ met }) => !met).length;
  const summary = `Goals of ${benchmark}: ${goals.length - missed} met, ${missed} not met\n${verdicts.join("\n")}\n`;
  return [...tables.map(printedTable), ...(goals.length === 0 ? [] : [summary])].join("\n");
}

function printedTable({ title, columns, rows, notes }: Table): string {
  const keys = Object.keys(columns);
  const header = ["", ...keys.map((key) => columns[key]?.title ?? "")];
  const lines = rows.map(({ name, cells }) => [
    name,
    ...keys.map((key) => cell(cells[key], columns[key]?.digits ?? 0)),
  ]);
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => line[column]?.length ?? 0)));
  const aligned = [header, ...lines].map((line) =>
    line
      .map((text, column) => (column === 0 ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return `${title}\n${aligned.map((line) => `  ${line}\n`).join("")}${notes.map((note) => `  * ${note}\n`).join("")}`;
}

function cell(value: number | Spread | undefined, digits: number): string {
  if (value === undefined) return "";
  if (typeof value === "number") return shown(value, digits);
  return `${shown(value.median, digits)} (${shown(value.min, digits)}–${shown(value.max, digits)})`;
}

/** Formats with at most this number of digits, without insignificant ones. */
function shown(value: number, digits: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(digits);
}
