import type { Exchange } from "../../results.js";
import type { JsonCase, JsonReport, JsonRequirement } from "../json.js";
import type { PageElements } from "./elements.js";

/** Rows of cases, and lines of requirements. Embedded as text: uses only the browser and its arguments. */
export class CaseRows {
  readonly #page: PageElements;
  readonly requirements: ReadonlyMap<string, JsonRequirement>;

  constructor(report: JsonReport, page: PageElements) {
    this.#page = page;
    this.requirements = new Map(report.requirements.map((each) => [each.id, each]));
  }

  /** A row that shows the details of a case when it is opened. */
  caseRow(each: JsonCase): Element {
    const page = this.#page;
    return page.fold({
      class: "case",
      summary: [
        page.badge(each.status),
        page.element("span", {}, page.element("code", {}, each.id), page.element("br", {}), page.quiet(each.title)),
        page.element("span", { class: "wide" }, each.kind),
        page.element("span", { class: "wide number" }, page.shared.pluralize(each.requests, "request")),
        page.element("span", { class: "wide number" }, page.formatTime(each.durationMs)),
      ],
      details: () => this.#details(each),
    });
  }

  requirementLine(id: string): Element {
    const page = this.#page;
    const requirement = this.requirements.get(id);
    const code = page.element("code", {}, id);
    if (requirement === undefined) return page.element("p", {}, code);
    const where = [this.statedAt(requirement), ...requirement.locations].join("; ");
    return page.element("p", {}, code, ` ${requirement.text}`, page.quiet(` (${where})`));
  }

  statedAt({ document: name, line }: JsonRequirement): string {
    return `${/^\d+$/.test(name) ? `document ${name}` : name}, line ${line}`;
  }

  /** The differences, exchanges and commands of a case. */
  #details(each: JsonCase): Element {
    const page = this.#page;
    const { failures, missing, requirements, exchanges, curl, reproduce } = each;
    const parts: Node[] = [...this.#differences(each)];
    if (missing !== undefined) parts.push(page.element("p", {}, `Missing: ${missing.join(", ")}`));
    if (failures === undefined) parts.push(...requirements.map((id) => this.requirementLine(id)));
    if (exchanges !== undefined)
      parts.push(
        page.element("h3", {}, "Exchanges"),
        ...exchanges.map((one, index) => this.#exchange(one, index, failures)),
      );
    if (curl !== undefined) parts.push(page.element("h3", {}, "Reproduce"), page.element("pre", {}, curl.join("\n")));
    if (reproduce !== undefined) parts.push(page.element("h3", {}, "Run again"), page.element("pre", {}, reproduce));
    return page.element("div", {}, ...parts);
  }

  #differences({ failures = [] }: JsonCase): readonly Element[] {
    const page = this.#page;
    return failures.flatMap(({ message, expected, received, requirements }) => [
      page.element("h3", {}, message),
      page.element(
        "div",
        { class: "expected" },
        page.quiet("expected"),
        page.element("pre", {}, expected),
        page.quiet("received"),
        page.element("pre", {}, received),
      ),
      ...requirements.map((id) => this.requirementLine(id)),
    ]);
  }

  /** An exchange is open if it shows a failure. */
  #exchange(
    { method, url, caller, status, durationMs, requestHeaders, requestBody = "", headers, body }: Exchange,
    index: number,
    failures: JsonCase["failures"] = [],
  ): Element {
    const page = this.#page;
    const linesOf = (fields: Readonly<Record<string, string>>): string =>
      Object.entries(fields)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join("");
    const title = `${index + 1}. ${method} ${url} as ${caller}: ${status}, ${page.formatTime(durationMs)}`;
    return page.element(
      "details",
      failures.some(({ exchange }) => exchange === index) ? { open: "" } : {},
      page.element("summary", {}, title),
      page.element("pre", {}, `${method} ${url}\n${linesOf(requestHeaders)}\n${requestBody}`.trimEnd()),
      page.element("pre", {}, `${status}\n${linesOf(headers)}\n${body}`.trimEnd()),
    );
  }
}
