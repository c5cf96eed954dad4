import type { JsonCase, JsonReport } from "../json.js";
import type { CaseRows } from "./case-rows.js";
import type { PageElements } from "./elements.js";

export interface TimingsContext {
  readonly page: PageElements;
  readonly rows: CaseRows;
}

/** The slowest cases, and sums of time. Embedded as text: uses only the browser and its arguments. */
export function showTimings(panel: Element, { cases }: JsonReport, { page, rows }: TimingsContext): void {
  const slowest = cases.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 20);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

  function appendSums(name: string, keyOf: (each: JsonCase) => string): void {
    const groups = [...page.shared.groupByKey(cases, keyOf)].map(([key, those]) => ({
      key,
      count: those.length,
      requests: sum(those.map(({ requests }) => requests)),
      durationMs: sum(those.map((each) => each.durationMs)),
    }));
    const body = page.element("tbody", {});
    for (const { key, count, requests, durationMs } of groups.toSorted((a, b) => b.durationMs - a.durationMs)) {
      const numbers = [String(count), String(requests), page.formatTime(durationMs)];
      const cells = numbers.map((each) => page.element("td", { class: "number" }, each));
      body.append(page.element("tr", {}, page.element("td", {}, key), ...cells));
    }
    const table = page.table([name, "Cases", "Requests", "Time"], 3, body);
    panel.append(page.element("h2", {}, `By ${name.toLowerCase()}`), table);
  }

  panel.append(
    page.element("h2", {}, "The slowest cases"),
    page.element("div", {}, ...slowest.map((each) => rows.caseRow(each))),
  );
  appendSums("Kind", ({ kind }) => kind);
  appendSums("Area", ({ tag }) => tag);
  appendSums("Operation", ({ operation }) => operation);
}
