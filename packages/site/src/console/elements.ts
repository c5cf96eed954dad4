/** Creates an element of HTML. Its texts are never markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  const created = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) created.setAttribute(key, value);
  created.append(...content.filter((each) => each !== undefined));
  return created;
}

/** Creates a button that submits nothing. */
export function button(text: string, clicked: () => void): HTMLButtonElement {
  const created = element("button", { type: "button" }, text);
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
    const input = element("input", { type: "radio", name, id: `${name}-${value}` });
    input.addEventListener("change", () => chosen(value));
    return { value, input, label: element("label", { for: input.id }, text) };
  });
  const group = element(
    "fieldset",
    { class: "choices" },
    element("legend", { class: "visually-hidden" }, label),
    ...inputs.flatMap((each) => [each.input, each.label]),
  );
  return {
    element: group,
    choose: (value) => {
      for (const each of inputs) each.input.checked = each.value === value;
    },
  };
}
