import type { JsonReport, JsonRequirement } from "../json.js";
import type { CaseRows } from "./case-rows.js";
import type { PageElements } from "./elements.js";

export interface RequirementActions {
  readonly rows: Pick<CaseRows, "statedAt">;
  /** Shows the cases of a requirement. */
  readonly showCasesOf: (id: string) => void;
}

/**
 * The requirements as a tree: documents, then topics, then requirements in the order of the document. Embedded as text: uses only the
 * browser and its arguments.
 */
export function createRequirementsTab(
  report: JsonReport,
  page: PageElements,
  { rows, showCasesOf }: RequirementActions,
): (into: Element) => void {
  const { element, badge, appendPortions, createTable, createChoice, createSearch } = page;
  /** With more requirements topics are closed at first. */
  const maxOpenRequirements = 100;

  function countStatuses(requirements: readonly JsonRequirement[]): string {
    const used = new Map<string, number>();
    for (const each of requirements) used.set(each.status, (used.get(each.status) ?? 0) + 1);
    return [...used].map(([name, many]) => `${many} ${name}`).join(", ");
  }

  function group(
    requirements: readonly JsonRequirement[],
    keyOf: (each: JsonRequirement) => string,
  ): ReadonlyMap<string, readonly JsonRequirement[]> {
    const groups = new Map<string, JsonRequirement[]>();
    for (const each of requirements) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
    return groups;
  }

  function requirementRow(each: JsonRequirement): Element {
    const see = element("button", { type: "button", class: "plain" }, each.id);
    see.addEventListener("click", () => showCasesOf(each.id));
    const says = element("td", {}, each.text);
    if (each.reason !== undefined) says.append(element("br", {}), element("span", { class: "quiet" }, each.reason));
    const places = element("span", { class: "quiet" }, each.locations.join(", "));
    return element(
      "tr",
      {},
      element("td", {}, badge(each.status)),
      element("td", {}, each.cases.length === 0 ? element("code", {}, each.id) : see),
      says,
      element("td", { class: "where" }, rows.statedAt(each), element("br", {}), places),
      element("td", { class: "number" }, String(each.cases.length)),
    );
  }

  /** A branch that renders its content when it is opened. */
  function branch(
    name: string,
    requirements: readonly JsonRequirement[],
    { isOpen, content }: { readonly isOpen: boolean; readonly content: () => readonly Node[] },
  ): Element {
    const isBroken = requirements.some(({ status }) => status === "failed");
    const counts = element("span", { class: isBroken ? "failed" : "quiet" }, countStatuses(requirements));
    const summary = element("summary", {}, element("span", {}, name), " ", counts);
    const row = element("details", { class: "branch" }, summary);
    const fill = () => {
      if (row.childElementCount === 1) row.append(element("div", {}, ...content()));
    };
    row.addEventListener("toggle", fill);
    if (isOpen) {
      fill();
      row.open = true;
    }
    return row;
  }

  function topicBranch(name: string, requirements: readonly JsonRequirement[], isOpen: boolean): Element {
    return branch(name, requirements, {
      isOpen,
      content: () => {
        const { whole, body } = createTable(["Status", "Requirement", "Says", "Where", "Cases"], 1);
        return [whole, appendPortions(body, requirements, requirementRow)];
      },
    });
  }

  function documentBranch(name: string, requirements: readonly JsonRequirement[], isOpen: boolean): Element {
    const topics = group(
      requirements.toSorted((a, b) => a.line - b.line),
      ({ id }) => id.split(".")[0] ?? id,
    );
    return branch(/^\d+$/.test(name) ? `Document ${name}` : name, requirements, {
      isOpen: true,
      content: () => [...topics].map(([topic, those]) => topicBranch(topic, those, isOpen)),
    });
  }

  const statuses = [...new Set(report.requirements.map(({ status }) => status))].toSorted();
  const chosen = createChoice("All statuses", statuses);
  const search = createSearch("Id, text or location of a requirement");

  const counts = element("output", {});
  const place = element("div", { id: "requirements" });
  chosen.addEventListener("change", fillTree);
  search.addEventListener("input", fillTree);

  function fillTree(): void {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = report.requirements.filter(({ id, text, status, locations }) => {
      const all = [id, text, ...locations].join(" ").toLowerCase();
      return (chosen.value === "" || status === chosen.value) && words.every((word) => all.includes(word));
    });
    counts.textContent = countStatuses(wanted);
    const isOpen = wanted.length <= maxOpenRequirements;
    const documents = group(wanted, (each) => each.document);
    place.replaceChildren(...[...documents].map(([name, those]) => documentBranch(name, those, isOpen)));
  }

  return (into) => {
    into.append(element("div", { class: "filters" }, search, chosen, counts), place);
    fillTree();
  };
}
