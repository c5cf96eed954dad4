/** What an element is created with. Texts are never HTML. */
export interface ElementParts {
  readonly class?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly children?: readonly (Node | undefined)[];
}

/** Creates an element of HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { class: className, text, attributes = {}, children = [] }: ElementParts = {},
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  if (className !== undefined) created.className = className;
  if (text !== undefined) created.textContent = text;
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...children.filter((each) => each !== undefined));
  return created;
}

/** Creates a button that submits nothing. */
export function button(text: string, clicked: () => void): HTMLButtonElement {
  const created = element("button", { text, attributes: { type: "button" } });
  created.addEventListener("click", clicked);
  return created;
}

/** Creates a group of choices, of which one holds. */
export function choices<Value extends string>(
  label: string,
  options: readonly { readonly value: Value; readonly text: string }[],
  chosen: (value: Value) => void,
): { readonly element: HTMLElement; readonly choose: (value: Value) => void } {
  const name = `console-${label.toLowerCase().replaceAll(" ", "-")}`;
  const inputs = options.map(({ value, text }) => {
    const input = element("input", { attributes: { type: "radio", name, id: `${name}-${value}` } });
    input.addEventListener("change", () => chosen(value));
    return { value, input, label: element("label", { text, attributes: { for: input.id } }) };
  });
  const group = element("fieldset", {
    class: "choices",
    children: [
      element("legend", { class: "visually-hidden", text: label }),
      ...inputs.flatMap((each) => [each.input, each.label]),
    ],
  });
  return {
    element: group,
    choose: (value) => {
      for (const each of inputs) each.input.checked = each.value === value;
    },
  };
}
