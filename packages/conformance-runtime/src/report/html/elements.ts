/** Builds elements of the page. All text is set as text, never as markup. */
export interface PageElements {
  readonly element: <Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Readonly<Record<string, string>>,
    ...content: readonly (Node | string)[]
  ) => HTMLElementTagNameMap[Name];
  readonly badge: (status: string) => Element;
  readonly formatTime: (milliseconds: number) => string;
  /** Appends some of the items to a list, and returns a button for more. */
  readonly appendPortions: <Item>(list: Element, items: readonly Item[], rowOf: (item: Item) => Element) => Element;
  /** @param numbers How many of the last columns are numbers. */
  readonly createTable: (
    head: readonly string[],
    numbers: number,
  ) => { readonly whole: HTMLTableElement; readonly body: Element };
  readonly createChoice: (label: string, values: readonly string[]) => HTMLSelectElement;
  readonly createSearch: (placeholder: string) => HTMLInputElement;
}

/** The script of the page is embedded as text, so a function of it can use only the browser and its arguments. */
export function createPageElements(): PageElements {
  const rowsAtOnce = 200;

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
  const formatTime = (milliseconds: number): string =>
    milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;

  function appendPortions<Item>(list: Element, items: readonly Item[], rowOf: (item: Item) => Element): Element {
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

  function createTable(
    head: readonly string[],
    numbers: number,
  ): { readonly whole: HTMLTableElement; readonly body: Element } {
    const body = element("tbody", {});
    const names = head.map((each, index) =>
      element("th", index >= head.length - numbers ? { class: "number", scope: "col" } : { scope: "col" }, each),
    );
    return { whole: element("table", {}, element("thead", {}, element("tr", {}, ...names)), body), body };
  }

  function createChoice(label: string, values: readonly string[]): HTMLSelectElement {
    const options = values.map((each) => element("option", { value: each }, each));
    return element("select", { "aria-label": label }, element("option", { value: "" }, label), ...options);
  }

  function createSearch(placeholder: string): HTMLInputElement {
    return element("input", { type: "search", placeholder, "aria-label": "Text" });
  }

  return { element, badge, formatTime, appendPortions, createTable, createChoice, createSearch };
}
