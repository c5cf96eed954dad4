import type { JsonCase, JsonReport } from "../json.js";
import type { CaseRows } from "./case-rows.js";
import type { PageElements } from "./elements.js";

export interface CaseFilter {
  readonly text?: string;
  readonly status?: string;
  readonly kind?: string;
}

/** All cases, with filters that keep their values between tabs. Embedded as text: uses only the browser and its arguments. */
export class CasesTab {
  readonly #report: JsonReport;
  readonly #page: PageElements;
  readonly #rows: CaseRows;
  readonly #requirements: ReadonlySet<string>;
  readonly #text: HTMLInputElement;
  readonly #status: HTMLSelectElement;
  readonly #kind: HTMLSelectElement;
  readonly #count: Element;
  readonly #list: Element;

  constructor(report: JsonReport, page: PageElements, rows: CaseRows) {
    this.#report = report;
    this.#page = page;
    this.#rows = rows;
    this.#requirements = new Set(report.requirements.map(({ id }) => id));
    this.#text = page.search("Id, title, operation or requirement");
    this.#status = page.choice(
      "All statuses",
      Object.entries(report.counts).flatMap(([name, count]) => (count > 0 ? [name] : [])),
    );
    this.#kind = page.choice("All kinds", [...new Set(report.cases.map(({ kind }) => kind))].toSorted());
    this.#count = page.element("output", {});
    this.#list = page.element("div", { id: "cases" });
    for (const control of [this.#text, this.#status, this.#kind]) control.addEventListener("input", () => this.#fill());
  }

  /** Changes the filters. Those that are absent keep their values. */
  filter({ text = this.#text.value, status = this.#status.value, kind = this.#kind.value }: CaseFilter): void {
    this.#text.value = text;
    this.#status.value = status;
    this.#kind.value = kind;
  }

  show(panel: Element): void {
    const filters = [this.#text, this.#status, this.#kind, this.#count];
    panel.append(this.#page.element("div", { class: "filters" }, ...filters), this.#list);
    this.#fill();
  }

  #fill(): void {
    const page = this.#page;
    const words = page.wordsOf(this.#text);
    const matching = this.#report.cases.filter((each) => this.#matches(each, words));
    this.#count.textContent = `${matching.length} of ${this.#report.cases.length}`;
    const list = page.element("div", {});
    this.#list.replaceChildren(
      list,
      page.appendPortions(list, matching, (each) => this.#rows.caseRow(each)),
    );
  }

  #matches(
    { id, title, operation, status, kind, requirements, failures = [] }: JsonCase,
    words: readonly string[],
  ): boolean {
    if (!["", status].includes(this.#status.value) || !["", kind].includes(this.#kind.value)) return false;
    const ids = [...requirements, ...failures.flatMap((each) => each.requirements)];
    const all = [id, title, operation, ...ids].join(" ").toLowerCase();
    // A complete requirement id matches only itself, not the ids that it begins.
    return words.every((word) =>
      this.#requirements.has(word) ? ids.includes(word) : all.includes(word.toLowerCase()),
    );
  }
}
