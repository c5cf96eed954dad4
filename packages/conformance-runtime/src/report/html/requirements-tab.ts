import type { JsonReport, JsonRequirement } from "../json.js";
import type { CaseRows } from "./case-rows.js";
import type { Fold, PageElements } from "./elements.js";

export interface RequirementActions {
  readonly rows: CaseRows;
  /** Shows the cases of a requirement. */
  readonly showCasesOf: (id: string) => void;
}

type TopicFold = Pick<Fold, "isOpen">;

/**
 * The requirements as a tree: documents, then topics, then requirements in the order of the document. Embedded as text: uses only the
 * browser and its arguments.
 */
export class RequirementsTab {
  readonly #report: JsonReport;
  readonly #page: PageElements;
  readonly #actions: RequirementActions;
  readonly #status: HTMLSelectElement;
  readonly #search: HTMLInputElement;
  readonly #counts: Element;
  readonly #tree: Element;

  constructor(report: JsonReport, page: PageElements, actions: RequirementActions) {
    this.#report = report;
    this.#page = page;
    this.#actions = actions;
    const statuses = new Set(report.requirements.map(({ status }) => status));
    this.#status = page.choice("All statuses", [...statuses].toSorted());
    this.#search = page.search("Id, text or location of a requirement");
    this.#counts = page.element("output", {});
    this.#tree = page.element("div", { id: "requirements" });
    this.#status.addEventListener("change", () => this.#fill());
    this.#search.addEventListener("input", () => this.#fill());
  }

  show(panel: Element): void {
    panel.append(this.#page.element("div", { class: "filters" }, this.#search, this.#status, this.#counts), this.#tree);
    this.#fill();
  }

  #fill(): void {
    // With more requirements topics are closed at first.
    const maxOpenRequirements = 100;
    const words = this.#page.wordsOf(this.#search).map((each) => each.toLowerCase());
    const matching = this.#report.requirements.filter(({ id, text, status, locations }) => {
      const all = [id, text, ...locations].join(" ").toLowerCase();
      return ["", status].includes(this.#status.value) && words.every((word) => all.includes(word));
    });
    this.#counts.textContent = this.#countStatuses(matching);
    const fold = { isOpen: matching.length <= maxOpenRequirements };
    const documents = [...this.#page.shared.groupByKey(matching, (each) => each.document)];
    this.#tree.replaceChildren(...documents.map(([name, those]) => this.#document(name, those, fold)));
  }

  /** @param fold Whether its topics are open. */
  #document(name: string, requirements: readonly JsonRequirement[], fold: TopicFold): Element {
    const page = this.#page;
    const inOrder = requirements.toSorted((a, b) => a.line - b.line);
    const topics = [...page.shared.groupByKey(inOrder, ({ id }) => id.split(".")[0] ?? id)];
    return this.#branch(/^\d+$/.test(name) ? `Document ${name}` : name, requirements, {
      isOpen: true,
      details: () => page.element("div", {}, ...topics.map(([topic, those]) => this.#topic(topic, those, fold))),
    });
  }

  #topic(name: string, requirements: readonly JsonRequirement[], fold: TopicFold): Element {
    const page = this.#page;
    return this.#branch(name, requirements, {
      ...fold,
      details: () => {
        const body = page.element("tbody", {});
        const table = page.table(["Status", "Requirement", "Says", "Where", "Cases"], 1, body);
        const more = page.appendPortions(body, requirements, (each) => this.#row(each));
        return page.element("div", {}, table, more);
      },
    });
  }

  #branch(name: string, requirements: readonly JsonRequirement[], fold: TopicFold & Pick<Fold, "details">): Element {
    const page = this.#page;
    const isBroken = requirements.some(({ status }) => status === "failed");
    const counts = page.element("span", { class: isBroken ? "failed" : "quiet" }, this.#countStatuses(requirements));
    return page.fold({ class: "branch", summary: [page.element("span", {}, name), " ", counts], ...fold });
  }

  #row(requirement: JsonRequirement): Element {
    const page = this.#page;
    const { id, status, text, reason, locations, cases } = requirement;
    const { rows, showCasesOf } = this.#actions;
    const link =
      cases.length === 0 ? page.element("code", {}, id) : page.button(id, () => showCasesOf(id), { class: "plain" });
    const remark = reason === undefined ? [] : [page.element("br", {}), page.quiet(reason)];
    return page.element(
      "tr",
      {},
      page.element("td", {}, page.badge(status)),
      page.element("td", {}, link),
      page.element("td", {}, text, ...remark),
      page.element(
        "td",
        { class: "where" },
        rows.statedAt(requirement),
        page.element("br", {}),
        page.quiet(locations.join(", ")),
      ),
      page.element("td", { class: "number" }, String(cases.length)),
    );
  }

  #countStatuses(requirements: readonly JsonRequirement[]): string {
    const counts = this.#page.shared.groupByKey(requirements, ({ status }) => status);
    return [...counts].map(([name, { length }]) => `${length} ${name}`).join(", ");
  }
}
