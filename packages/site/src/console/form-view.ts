import type { FormField, FormInput } from "./console-data.js";
import { element } from "./elements.js";
import { positionOf, type FormTexts } from "./form-values.js";

/** The inputs of a form. */
export interface FormView {
  readonly element: HTMLElement;
  readonly texts: () => FormTexts;
  readonly write: (texts: FormTexts) => void;
  /** The chosen files, by the name of their field. */
  readonly files: () => ReadonlyMap<string, readonly File[]>;
}

type TextInput = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Optional fields beyond which they are folded. */
const maxOpenFields = 4;
/** Lines beyond which the text of an input scrolls. */
const maxRows = 8;

/**
 * Creates the inputs of some fields.
 *
 * @param prefix - The start of their ids, unique on the page.
 * @param fields - The fields.
 * @param initial - What the inputs contain.
 */
export function createForm(prefix: string, fields: readonly FormField[], initial: FormTexts = new Map()): FormView {
  const inputs = new Map<string, TextInput>();
  const files = new Map<string, HTMLInputElement>();
  const folded: { readonly fold: HTMLDetailsElement; readonly positions: readonly string[] }[] = [];

  function fieldElement(field: FormField, position: string): HTMLElement {
    const { name, isRequired, hint, input } = field;
    const id = `${prefix}-${position.replaceAll(".", "-")}`;
    if (input.kind === "group") {
      const legend = element("legend", { children: [nameElement(name), requiredMark(isRequired)] });
      return element("fieldset", { class: "group", children: [legend, ...fieldElements(input.fields, position)] });
    }
    const control = controlOf(input);
    control.id = id;
    if (input.kind === "file") files.set(name, control as HTMLInputElement);
    else inputs.set(position, control);
    if (isRequired) control.setAttribute("aria-required", "true");
    if (hint !== undefined) control.setAttribute("aria-describedby", `${id}-hint`);
    return element("div", {
      class: input.kind === "json" ? "input wide" : "input",
      children: [
        element("label", {
          attributes: { for: id },
          children: [nameElement(name), requiredMark(isRequired)],
        }),
        control,
        hint === undefined ? undefined : element("p", { class: "hint", text: hint, attributes: { id: `${id}-hint` } }),
      ],
    });
  }

  /** Required fields come first, then those with a value. Many others are folded. */
  function fieldElements(some: readonly FormField[], group: string): readonly HTMLElement[] {
    const all = some.map((field, index) => ({ field, position: positionOf(group, index) }));
    const required = all.filter(({ field }) => field.isRequired);
    const optional = all.filter(({ field }) => !field.isRequired);
    const used = optional.filter(({ position }) => hasText(initial, position));
    const unused = optional.filter((each) => !used.includes(each));
    const elementsOf = (entries: typeof all): readonly HTMLElement[] =>
      entries.map(({ field, position }) => fieldElement(field, position));
    if (unused.length <= maxOpenFields) return elementsOf([...required, ...used, ...unused]);
    const title = required.length + used.length === 0 ? "Optional" : "More";
    const fold = element("details", {
      class: "more",
      children: [
        element("summary", { text: `${title} (${unused.length})` }),
        element("div", { class: "inputs", children: elementsOf(unused) }),
      ],
    });
    folded.push({ fold, positions: unused.map(({ position }) => position) });
    return [...elementsOf([...required, ...used]), fold];
  }

  function write(texts: FormTexts): void {
    for (const [position, input] of inputs) {
      input.value = texts.get(position) ?? "";
      if (input instanceof HTMLTextAreaElement) input.rows = Math.min(maxRows, input.value.split("\n").length);
    }
    // What has a value is in sight.
    for (const { fold, positions } of folded) fold.open ||= positions.some((each) => hasText(texts, each));
  }

  const content = element("div", { class: "inputs", children: fieldElements(fields, "") });
  write(initial);
  return {
    element: content,
    texts: () => new Map([...inputs].map(([position, { value }]) => [position, value] as const)),
    write,
    files: () =>
      new Map(
        [...files].flatMap(([name, { files: chosen }]) =>
          chosen === null || chosen.length === 0 ? [] : [[name, [...chosen]] as const],
        ),
      ),
  };
}

/** Whether an input, or one of its group, has a text. */
function hasText(texts: FormTexts, position: string): boolean {
  return [...texts.keys()].some((each) => `${each}.`.startsWith(`${position}.`));
}

function nameElement(name: string): HTMLElement {
  return element("span", { class: "input-name", text: name });
}

function requiredMark(isRequired: boolean): HTMLElement | undefined {
  return isRequired ? element("span", { class: "badge required", text: "required" }) : undefined;
}

function controlOf(input: FormInput): TextInput {
  switch (input.kind) {
    case "number": {
      const { isInteger, least, most } = input;
      return element("input", {
        attributes: {
          type: "number",
          step: isInteger ? "1" : "any",
          ...(least === undefined ? {} : { min: String(least) }),
          ...(most === undefined ? {} : { max: String(most) }),
        },
      });
    }
    case "boolean":
      return selectOf([
        ["true", "true"],
        ["false", "false"],
      ]);
    case "select":
      return selectOf(
        input.values.map((value, index) => [
          String(index),
          typeof value === "string" && value !== "" ? value : JSON.stringify(value),
        ]),
      );
    case "file":
      return element("input", { attributes: { type: "file", ...(input.isMultiple ? { multiple: "" } : {}) } });
    case "json":
      return element("textarea", { attributes: { rows: "1", spellcheck: "false", placeholder: "JSON" } });
    case "text":
    case "group":
      return element("input", { attributes: { type: "text", autocomplete: "off", spellcheck: "false" } });
  }
}

function selectOf(options: readonly (readonly [value: string, text: string])[]): HTMLSelectElement {
  const absent = element("option", { text: "–", attributes: { value: "" } });
  return element("select", {
    children: [absent, ...options.map(([value, text]) => element("option", { text, attributes: { value } }))],
  });
}
