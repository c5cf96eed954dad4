import type { groupByKey, pluralize } from "../format-text.js";

/** Functions that the page has in common with other reports. */
export interface SharedFunctions {
  readonly groupByKey: typeof groupByKey;
  readonly pluralize: typeof pluralize;
}

export interface Fold {
  readonly class: string;
  readonly summary: readonly (Node | string)[];
  readonly details: () => Element;
  readonly isOpen?: boolean | undefined;
}

/** What the parts of the page are built with. Embedded as text: uses only the browser and its arguments. */
export class PageElements {
  readonly shared: SharedFunctions;

  constructor(shared: SharedFunctions) {
    this.shared = shared;
  }

  /** Creates an element. Its texts are never markup. */
  element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Readonly<Record<string, string>>,
    ...content: readonly (Node | string)[]
  ): HTMLElementTagNameMap[Name] {
    const created = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
    created.append(...content);
    return created;
  }

  button(text: string, onClick: () => void, attributes: Readonly<Record<string, string>> = {}): HTMLButtonElement {
    const created = this.element("button", { type: "button", ...attributes }, text);
    created.addEventListener("click", onClick);
    return created;
  }

  badge(status: string): Element {
    return this.element("span", { class: `status ${status}` }, status);
  }

  /** A text that matters less. */
  quiet(text: string): Element {
    return this.element("span", { class: "quiet" }, text);
  }

  formatTime(milliseconds: number): string {
    return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
  }

  /** Creates a row that creates its details when it is opened. */
  fold({ class: name, summary, details, isOpen = false }: Fold): HTMLDetailsElement {
    const row = this.element("details", { class: name }, this.element("summary", {}, ...summary));
    const fill = (): void => {
      if (row.childElementCount === 1) row.append(details());
    };
    row.addEventListener("toggle", fill);
    if (isOpen) fill();
    row.open = isOpen;
    return row;
  }

  /** Appends some of the items to a list, and returns a button for more. */
  appendPortions<Item>(list: Element, items: readonly Item[], rowOf: (item: Item) => Element): Element {
    const rowsAtOnce = 200;
    let count = 0;
    const show = (): void => {
      list.append(...items.slice(count, count + rowsAtOnce).map(rowOf));
      count = Math.min(items.length, count + rowsAtOnce);
      more.textContent = `Show more: ${items.length - count} remaining`;
      more.hidden = count === items.length;
    };
    const more = this.button("", show, { class: "more" });
    show();
    return more;
  }

  /** @param numbers How many of the last columns are numbers. */
  table(head: readonly string[], numbers: number, body: Element): HTMLTableElement {
    const names = head.map((each, index) =>
      this.element("th", index >= head.length - numbers ? { class: "number", scope: "col" } : { scope: "col" }, each),
    );
    return this.element("table", {}, this.element("thead", {}, this.element("tr", {}, ...names)), body);
  }

  choice(label: string, values: readonly string[]): HTMLSelectElement {
    const options = values.map((value) => this.element("option", { value }, value));
    return this.element("select", { "aria-label": label }, this.element("option", { value: "" }, label), ...options);
  }

  search(placeholder: string): HTMLInputElement {
    return this.element("input", { type: "search", placeholder, "aria-label": "Text" });
  }

  wordsOf(search: HTMLInputElement): readonly string[] {
    return search.value.split(/\s+/).filter(Boolean);
  }
}
