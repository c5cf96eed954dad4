import type { JsonReport } from "../json.js";
import type { CaseRows } from "./case-rows.js";
import type { CaseFilter, CasesTab } from "./cases-tab.js";
import type { CausesTab } from "./causes-tab.js";
import type { PageElements, SharedFunctions } from "./elements.js";
import type { RequirementsTab } from "./requirements-tab.js";
import type { showTimings } from "./timings-tab.js";

/** The functions and classes that the page embeds beside this one. */
export interface PageParts extends SharedFunctions {
  readonly PageElements: typeof PageElements;
  readonly CaseRows: typeof CaseRows;
  readonly CasesTab: typeof CasesTab;
  readonly CausesTab: typeof CausesTab;
  readonly RequirementsTab: typeof RequirementsTab;
  readonly showTimings: typeof showTimings;
}

/**
 * The script of the page. It is embedded as text, so it can use only the browser and its arguments. It renders rows by hundreds, and the
 * details of a row when it is opened.
 */
export function renderReport(report: JsonReport, parts: PageParts): void {
  const page = new parts.PageElements(parts);
  const rows = new parts.CaseRows(report, page);
  const cases = new parts.CasesTab(report, page, rows);
  const showCases = (filter: CaseFilter): void => {
    cases.filter(filter);
    open("Cases");
  };
  const showCasesOf = (id: string): void => showCases({ text: id, status: "", kind: "" });
  const tabs = {
    "What to fix": new parts.CausesTab(report, page, rows),
    Requirements: new parts.RequirementsTab(report, page, { rows, showCasesOf }),
    Cases: cases,
    Timings: { show: (into: Element) => parts.showTimings(into, report, { page, rows }) },
  };
  const tabButtons = (Object.keys(tabs) as (keyof typeof tabs)[]).map((name) =>
    page.button(name, () => open(name), { role: "tab" }),
  );
  const panel = page.element("section", { role: "tabpanel" });

  function open(name: keyof typeof tabs): void {
    for (const each of tabButtons) each.setAttribute("aria-selected", String(each.textContent === name));
    panel.replaceChildren();
    tabs[name].show(panel);
  }

  const statuses = Object.entries(report.counts).filter(([, count]) => count > 0);
  const summary = statuses.map(([status, count]) =>
    page.button(`${count} ${status}`, () => showCases({ status }), { class: status }),
  );
  const main = document.getElementById("main") ?? document.body;
  main.replaceChildren(
    page.element("div", { class: "filters" }, ...summary),
    page.element("nav", { role: "tablist" }, ...tabButtons),
    panel,
  );
  if (report.counts.fail > 0) cases.filter({ status: "fail" });
  open(report.causes.length > 0 ? "What to fix" : "Cases");
}
