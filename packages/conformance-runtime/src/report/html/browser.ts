import type { JsonCase, JsonReport } from "../json.js";
import type { createCaseRows } from "./case-rows.js";
import type { createCausesTab } from "./causes-tab.js";
import type { createPageElements } from "./elements.js";
import type { createRequirementsTab } from "./requirements-tab.js";

/** The functions that the page embeds beside this one. */
export interface PageParts {
  readonly createPageElements: typeof createPageElements;
  readonly createCaseRows: typeof createCaseRows;
  readonly createCausesTab: typeof createCausesTab;
  readonly createRequirementsTab: typeof createRequirementsTab;
}

/**
 * The script of the page. It is embedded as text, so it can use only the browser and its arguments. It renders rows by hundreds, and the
 * details of a row when it is opened.
 */
export function renderReport(report: JsonReport, parts: PageParts): void {
  const page = parts.createPageElements();
  const { element, formatTime, appendPortions, createTable, createChoice, createSearch } = page;
  const rows = parts.createCaseRows(report, page);
  const requirements = new Set(report.requirements.map(({ id }) => id));
  const main = document.getElementById("main") ?? document.body;

  const text = createSearch("Id, title, operation or requirement");
  const usedStatuses = Object.entries(report.counts).flatMap(([name, many]) => (many > 0 ? [name] : []));
  const status = createChoice("All statuses", usedStatuses);
  const kind = createChoice("All kinds", [...new Set(report.cases.map((each) => each.kind))].toSorted());
  const count = element("output", {});
  // The three controls keep their values between tabs; the list is rendered each time.
  let fillCases: () => void = () => undefined;
  text.addEventListener("input", () => fillCases());
  status.addEventListener("change", () => fillCases());
  kind.addEventListener("change", () => fillCases());

  function isWanted(each: JsonCase, words: readonly string[]): boolean {
    if (status.value !== "" && each.status !== status.value) return false;
    if (kind.value !== "" && each.kind !== kind.value) return false;
    const named = [...each.requirements, ...(each.failures?.flatMap((one) => one.requirements) ?? [])];
    const all = [each.id, each.title, each.operation, ...named].join(" ").toLowerCase();
    // A complete requirement id matches only itself, not the ids that it begins.
    return words.every((word) => (requirements.has(word) ? named.includes(word) : all.includes(word.toLowerCase())));
  }

  function showCases(into: Element): void {
    const place = element("div", { id: "cases" });
    const fill = () => {
      const words = text.value.split(/\s+/).filter(Boolean);
      const wanted = report.cases.filter((each) => isWanted(each, words));
      count.textContent = `${wanted.length} of ${report.cases.length}`;
      const list = element("div", {});
      place.replaceChildren(list, appendPortions(list, wanted, rows.caseRow));
    };
    fillCases = fill;
    into.append(element("div", { class: "filters" }, text, status, kind, count), place);
    fill();
  }

  function showTimings(into: Element): void {
    const sums = (keyOf: (each: JsonCase) => string) => {
      const totals = new Map<string, { cases: number; requests: number; took: number }>();
      for (const each of report.cases) {
        const row = totals.get(keyOf(each)) ?? { cases: 0, requests: 0, took: 0 };
        totals.set(keyOf(each), {
          cases: row.cases + 1,
          requests: row.requests + each.requests,
          took: row.took + each.durationMs,
        });
      }
      return [...totals].toSorted(([, a], [, b]) => b.took - a.took);
    };
    const summed = (name: string, keyOf: (each: JsonCase) => string) => {
      const { whole, body } = createTable([name, "Cases", "Requests", "Time"], 3);
      for (const [key, { cases, requests, took }] of sums(keyOf)) {
        const numbers = [String(cases), String(requests), formatTime(took)];
        const cells = numbers.map((each) => element("td", { class: "number" }, each));
        body.append(element("tr", {}, element("td", {}, key), ...cells));
      }
      into.append(element("h2", {}, `By ${name.toLowerCase()}`), whole);
    };
    const slowest = report.cases.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 20);
    into.append(element("h2", {}, "The slowest cases"), element("div", {}, ...slowest.map(rows.caseRow)));
    summed("Kind", (each) => each.kind);
    summed("Area", (each) => each.tag);
    summed("Operation", (each) => each.operation);
  }

  function showCasesOf(words: string): void {
    text.value = words;
    status.value = "";
    kind.value = "";
    open("Cases");
  }

  const tabs = {
    "What to fix": parts.createCausesTab(report, page, rows),
    Requirements: parts.createRequirementsTab(report, page, { rows, showCasesOf }),
    Cases: showCases,
    Timings: showTimings,
  };
  const buttons = Object.keys(tabs).map((name) => {
    const button = element("button", { type: "button", role: "tab" }, name);
    button.addEventListener("click", () => open(name as keyof typeof tabs));
    return button;
  });
  const panel = element("section", { role: "tabpanel" });

  function open(name: keyof typeof tabs): void {
    for (const button of buttons) button.setAttribute("aria-selected", String(button.textContent === name));
    panel.replaceChildren();
    tabs[name](panel);
  }

  const summary = usedStatuses.map((name) => {
    const button = element("button", { type: "button", class: name }, `${countOf(name)} ${name}`);
    button.addEventListener("click", () => {
      status.value = name;
      open("Cases");
    });
    return button;
  });

  function countOf(name: string): number {
    return report.cases.filter((each) => each.status === name).length;
  }

  main.replaceChildren(
    element("div", { class: "filters" }, ...summary),
    element("nav", { role: "tablist" }, ...buttons),
    panel,
  );
  if (report.counts.fail > 0) status.value = "fail";
  open(report.causes.length > 0 ? "What to fix" : "Cases");
}
