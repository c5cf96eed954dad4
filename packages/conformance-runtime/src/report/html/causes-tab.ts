import type { JsonCase, JsonCause, JsonReport } from "../json.js";
import type { CaseRows } from "./case-rows.js";
import type { Fold, PageElements } from "./elements.js";

/**
 * The first screen: how many requirements hold, and what to fix, the most fundamental cause first. Embedded as text: uses only the browser
 * and its arguments.
 */
export class CausesTab {
  readonly #report: JsonReport;
  readonly #page: PageElements;
  readonly #rows: CaseRows;
  readonly #cases: ReadonlyMap<string, JsonCase>;
  readonly #search: HTMLInputElement;
  readonly #list: Element;

  constructor(report: JsonReport, page: PageElements, rows: CaseRows) {
    this.#report = report;
    this.#page = page;
    this.#rows = rows;
    this.#cases = new Map(report.cases.map((each) => [each.id, each]));
    this.#search = page.search("Reason, operation, case or requirement");
    this.#search.addEventListener("input", () => this.#fill());
    this.#list = page.element("div", { id: "causes" });
  }

  show(panel: Element): void {
    const filters = this.#page.element("div", { class: "filters" }, this.#search);
    panel.append(this.#overview(), ...(this.#report.causes.length > 1 ? [filters] : []), this.#list);
    this.#fill();
  }

  /** The causes with all words of the search, of which the first is open. */
  #fill(): void {
    const page = this.#page;
    const words = page.wordsOf(this.#search).map((each) => each.toLowerCase());
    const matching = this.#report.causes.filter((each) => words.every((word) => this.#textOf(each).includes(word)));
    const list = page.element("div", {});
    const more = page.appendPortions(list, matching, (each) => this.#row(each, { isOpen: each === matching[0] }));
    this.#list.replaceChildren(list, more);
  }

  #textOf({ title, operations, cases, requirements }: JsonCause): string {
    const texts = requirements.map((id) => this.#rows.requirements.get(id)?.text ?? "");
    return [title, ...operations, ...cases, ...requirements, ...texts].join(" ").toLowerCase();
  }

  /** One sentence of numbers, with a bar. */
  #overview(): Element {
    const page = this.#page;
    const { requirements, causes } = this.#report;
    const count = (...statuses: readonly string[]): number =>
      requirements.filter(({ status }) => statuses.includes(status)).length;
    const shares = [
      { name: "holds", text: "confirmed", count: count("holds") },
      { name: "failed", text: "broken", count: count("failed") },
      { name: "skipped", text: "not checked", count: count("skipped", "error", "not-selected", "untested") },
    ].filter((each) => each.count > 0);
    const bar = page.element("div", { class: "bar", "aria-hidden": "true" });
    for (const each of shares) {
      const part = page.element("span", { class: each.name });
      part.style.flexGrow = String(each.count);
      bar.append(part);
    }
    const sentence = shares.map((each) => `${each.count.toLocaleString("en-US")} ${each.text}`).join(", ");
    const all = `${page.shared.pluralize(requirements.length, "requirement")} of the documents: ${sentence}.`;
    const failed = causes.reduce((sum, { cases }) => sum + cases.length, 0);
    const reasons =
      causes.length === 0
        ? "No executed case failed."
        : `${page.shared.pluralize(failed, "case")} did not pass, for ${page.shared.pluralize(causes.length, "reason")}. The first reasons may be the cause of later ones.`;
    const lines = requirements.length === 0 ? [] : [bar, page.element("p", {}, all)];
    return page.element("div", { class: "overview" }, ...lines, page.element("p", {}, reasons));
  }

  #row(cause: JsonCause, { isOpen }: Pick<Fold, "isOpen">): Element {
    const page = this.#page;
    const { title, requirements, cases } = cause;
    const number = this.#report.causes.indexOf(cause) + 1;
    const broken = requirements.length === 0 ? "" : page.shared.pluralize(requirements.length, "requirement");
    return page.fold({
      class: "cause",
      summary: [
        page.element("span", { class: "number" }, `${number}.`),
        page.element("span", {}, title),
        page.element("span", { class: "wide number quiet" }, broken),
        page.element("span", { class: "number" }, page.shared.pluralize(cases.length, "case")),
      ],
      details: () => this.#details(cause),
      isOpen,
    });
  }

  #details({ advice, blocked, cases: ids, operations, requirements }: JsonCause): Element {
    const page = this.#page;
    const maxRequirements = 5;
    const remark = (text: string): Element => page.element("p", { class: "quiet" }, text);
    const cases = ids.flatMap((id) => this.#cases.get(id) ?? []);
    const parts: Node[] = [page.element("p", {}, advice)];
    if (blocked > 0 && blocked < ids.length)
      parts.push(remark(`${page.shared.pluralize(blocked, "case")} could not run because of it.`));
    if (operations.length > 1) parts.push(remark(`Operations: ${operations.join(", ")}`));
    if (requirements.length > 0) parts.push(page.element("h3", {}, "What the documents require"));
    parts.push(...requirements.slice(0, maxRequirements).map((id) => this.#rows.requirementLine(id)));
    if (requirements.length > maxRequirements) parts.push(remark(`and ${requirements.length - maxRequirements} more`));
    const list = page.element("div", {});
    const more = page.appendPortions(list, cases, (each) => this.#rows.caseRow(each));
    return page.element("div", {}, ...parts, page.element("h3", {}, "Cases, the simplest first"), list, more);
  }
}
