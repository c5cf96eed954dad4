import type { JsonCase, JsonReport, JsonRequirement } from "../json.js";

/**
 * The script of the page. It is embedded as text, so it can use only the browser and its argument. It sets all text as text, never as
 * markup. It renders rows by hundreds, and the details of a row when it is opened.
 */
export function renderReport(report: JsonReport): void {
  const rowsAtOnce = 200;
  const requirements = new Map(report.requirements.map((each) => [each.id, each]));
  const main = document.getElementById("main") ?? document.body;

  function element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Readonly<Record<string, string>>,
    ...content: readonly (Node | string)[]
  ): HTMLElementTagNameMap[Name] {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...content);
    return made;
  }

  const badge = (status: string) => element("span", { class: `status ${status}` }, status);
  const time = (milliseconds: number): string =>
    milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

  /** Shows some of the items, with a button for more. */
  function portions<Item>(list: Element, items: readonly Item[], rowOf: (item: Item) => Element): Element {
    let shown = 0;
    const more = element("button", { class: "more", type: "button" });
    const show = () => {
      list.append(...items.slice(shown, shown + rowsAtOnce).map(rowOf));
      shown = Math.min(items.length, shown + rowsAtOnce);
      more.textContent = `Show more: ${items.length - shown} remaining`;
      more.hidden = shown === items.length;
    };
    more.addEventListener("click", show);
    show();
    return more;
  }

  function table(
    head: readonly string[],
    numbers: number,
  ): { readonly whole: HTMLTableElement; readonly body: Element } {
    const body = element("tbody", {});
    const names = head.map((each, index) =>
      element("th", index >= head.length - numbers ? { class: "number", scope: "col" } : { scope: "col" }, each),
    );
    return { whole: element("table", {}, element("thead", {}, element("tr", {}, ...names)), body), body };
  }

  function choice(label: string, values: readonly string[]): HTMLSelectElement {
    const options = values.map((each) => element("option", { value: each }, each));
    return element("select", { "aria-label": label }, element("option", { value: "" }, label), ...options);
  }

  const statedAt = ({ document: name, line }: JsonRequirement): string =>
    `${/^\d+$/.test(name) ? `document ${name}` : name}, line ${line}`;

  function differencesOf(each: JsonCase): readonly Element[] {
    return (each.failures ?? []).flatMap(({ message, expected, received, requirements: named }) => [
      element("h3", {}, message),
      element(
        "div",
        { class: "expected" },
        element("span", { class: "quiet" }, "expected"),
        element("pre", {}, expected),
        element("span", { class: "quiet" }, "received"),
        element("pre", {}, received),
      ),
      ...named.map(requirementLine),
    ]);
  }

  function requirementLine(id: string): Element {
    const known = requirements.get(id);
    const where = known === undefined ? "" : ` (${[statedAt(known), ...known.locations].join("; ")})`;
    const place = element("span", { class: "quiet" }, where);
    return element("p", {}, element("code", {}, id), known === undefined ? "" : ` ${known.text}`, place);
  }

  function exchangesOf(each: JsonCase): readonly Element[] {
    const headers = (all: Readonly<Record<string, string>>): string =>
      Object.entries(all)
        .map(([name, value]) => `${name}: ${value}\n`)
        .join("");
    return (each.exchanges ?? []).map((one, index) => {
      const summary = element(
        "summary",
        {},
        `${index + 1}. ${one.method} ${one.url} as ${one.caller}: ${one.status}, ${time(one.durationMs)}`,
      );
      const request = `${one.method} ${one.url}\n${headers(one.requestHeaders)}\n${one.requestBody ?? ""}`.trimEnd();
      const response = `${one.status}\n${headers(one.headers)}\n${one.body}`.trimEnd();
      const isShown = each.failures?.some(({ exchange }) => exchange === index) === true;
      return element(
        "details",
        isShown ? { open: "" } : {},
        summary,
        element("pre", {}, request),
        element("pre", {}, response),
      );
    });
  }

  function caseDetails(each: JsonCase): Element {
    const parts: Node[] = [...differencesOf(each)];
    if (each.missing !== undefined) parts.push(element("p", {}, `Missing: ${each.missing.join(", ")}`));
    if (each.failures === undefined) parts.push(...each.requirements.map(requirementLine));
    if (each.exchanges !== undefined) parts.push(element("h3", {}, "Exchanges"), ...exchangesOf(each));
    if (each.curl !== undefined) parts.push(element("h3", {}, "Reproduce"), element("pre", {}, each.curl.join("\n")));
    if (each.reproduce !== undefined) parts.push(element("h3", {}, "Run again"), element("pre", {}, each.reproduce));
    return element("div", {}, ...parts);
  }

  function caseRow(each: JsonCase): Element {
    const summary = element(
      "summary",
      {},
      badge(each.status),
      element(
        "span",
        {},
        element("code", {}, each.id),
        element("br", {}),
        element("span", { class: "quiet" }, each.title),
      ),
      element("span", { class: "wide" }, each.kind),
      element("span", { class: "wide number" }, `${each.requests} ${each.requests === 1 ? "request" : "requests"}`),
      element("span", { class: "wide number" }, time(each.durationMs)),
    );
    const row = element("details", { class: "case" }, summary);
    row.addEventListener("toggle", () => {
      if (row.open && row.childElementCount === 1) row.append(caseDetails(each));
    });
    return row;
  }

  const text = element("input", {
    type: "search",
    placeholder: "Id, title, operation or requirement",
    "aria-label": "Text",
  });
  const usedStatuses = Object.entries(report.counts).flatMap(([name, many]) => (many > 0 ? [name] : []));
  const status = choice("All statuses", usedStatuses);
  const kind = choice("All kinds", [...new Set(report.cases.map((each) => each.kind))].toSorted());
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
      place.replaceChildren(list, portions(list, wanted, caseRow));
    };
    fillCases = fill;
    into.append(element("div", { class: "filters" }, text, status, kind, count), place);
    fill();
  }

  function requirementRow(each: JsonRequirement): Element {
    const see = element("button", { type: "button", class: "plain" }, each.id);
    see.addEventListener("click", () => {
      text.value = each.id;
      status.value = "";
      kind.value = "";
      open("Cases");
    });
    const says = element("td", {}, each.text);
    if (each.reason !== undefined) says.append(element("br", {}), element("span", { class: "quiet" }, each.reason));
    const places = element("span", { class: "quiet" }, each.locations.join(", "));
    return element(
      "tr",
      {},
      element("td", {}, badge(each.status)),
      element("td", {}, each.cases.length === 0 ? element("code", {}, each.id) : see),
      says,
      element("td", { class: "where" }, statedAt(each), element("br", {}), places),
      element("td", { class: "number" }, String(each.cases.length)),
    );
  }

  function showRequirements(into: Element): void {
    const used = new Map<string, number>();
    for (const each of report.requirements) used.set(each.status, (used.get(each.status) ?? 0) + 1);
    const chosen = choice("All statuses", [...used.keys()].toSorted());
    const counts = element("output", {}, [...used].map(([name, many]) => `${many} ${name}`).join(", "));
    const place = element("div", { id: "requirements" });
    const fill = () => {
      const wanted = report.requirements.filter((each) => chosen.value === "" || each.status === chosen.value);
      const { whole, body } = table(["Status", "Requirement", "Says", "Where", "Cases"], 1);
      place.replaceChildren(whole, portions(body, wanted, requirementRow));
    };
    chosen.addEventListener("change", fill);
    into.append(element("div", { class: "filters" }, chosen, counts), place);
    fill();
  }

  function showTimings(into: Element): void {
    const sums = (keyOf: (each: JsonCase) => string) => {
      const rows = new Map<string, { cases: number; requests: number; took: number }>();
      for (const each of report.cases) {
        const row = rows.get(keyOf(each)) ?? { cases: 0, requests: 0, took: 0 };
        rows.set(keyOf(each), {
          cases: row.cases + 1,
          requests: row.requests + each.requests,
          took: row.took + each.durationMs,
        });
      }
      return [...rows].toSorted(([, a], [, b]) => b.took - a.took);
    };
    const summed = (name: string, keyOf: (each: JsonCase) => string) => {
      const { whole, body } = table([name, "Cases", "Requests", "Time"], 3);
      for (const [key, { cases, requests, took }] of sums(keyOf)) {
        const numbers = [String(cases), String(requests), time(took)];
        const cells = numbers.map((each) => element("td", { class: "number" }, each));
        body.append(element("tr", {}, element("td", {}, key), ...cells));
      }
      into.append(element("h2", {}, `By ${name.toLowerCase()}`), whole);
    };
    const slowest = report.cases.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 20);
    into.append(element("h2", {}, "The slowest cases"), element("div", {}, ...slowest.map(caseRow)));
    summed("Kind", (each) => each.kind);
    summed("Area", (each) => each.tag);
    summed("Operation", (each) => each.operation);
  }

  const tabs = { Cases: showCases, Requirements: showRequirements, Timings: showTimings };
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
  open("Cases");
}
