import type { FormField, FormInput } from "./console-data.js";
import { element } from "./elements.js";
import { positionOf, type FormTexts } from "./form-values.js";

type TextInput = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Optional fields beyond which they are folded. */
const maxOpenFields = 4;
/** Lines beyond which the text of an input scrolls. */
const maxRows = 8;

interface PlacedField {
  readonly field: FormField;
  readonly position: string;
}

/** The inputs of some fields. */
export class FormView {
  readonly element: HTMLElement;
  readonly #prefix: string;
  readonly #initial: FormTexts;
  readonly #inputs = new Map<string, TextInput>();
  readonly #files = new Map<string, HTMLInputElement>();
  readonly #folds: { readonly fold: HTMLDetailsElement; readonly positions: readonly string[] }[] = [];

  /**
   * @param prefix - The start of their ids, unique on the page.
   * @param fields - The fields.
   * @param initial - What the inputs contain.
   */
  constructor(prefix: string, fields: readonly FormField[], initial: FormTexts = new Map()) {
    this.#prefix = prefix;
    this.#initial = initial;
    this.element = element("div", { class: "inputs" }, ...this.#fieldElements(fields, ""));
    this.write(initial);
  }

  texts(): FormTexts {
    return new Map([...this.#inputs].map(([position, { value }]) => [position, value] as const));
  }

  write(texts: FormTexts): void {
    for (const [position, input] of this.#inputs) {
      input.value = texts.get(position) ?? "";
      if (input instanceof HTMLTextAreaElement) input.rows = Math.min(maxRows, input.value.split("\n").length);
    }
    // What has a value is in sight.
    for (const { fold, positions } of this.#folds) fold.open ||= positions.some((each) => hasText(texts, each));
  }

  /** The chosen files, by the name of their field. */
  files(): ReadonlyMap<string, readonly File[]> {
    const chosen = [...this.#files].map(([name, { files }]) => [name, [...(files ?? [])]] as const);
    return new Map(chosen.filter(([, files]) => files.length > 0));
  }

  /** Required fields come first, then those with a value. Many others are folded. */
  #fieldElements(fields: readonly FormField[], group: string): readonly HTMLElement[] {
    const placed = fields.map((field, index) => ({ field, position: positionOf(group, index) }));
    const required = placed.filter(({ field }) => field.isRequired);
    const optional = placed.filter(({ field }) => !field.isRequired);
    const used = optional.filter(({ position }) => hasText(this.#initial, position));
    const unused = optional.filter((each) => !used.includes(each));
    const elementsOf = (some: readonly PlacedField[]): readonly HTMLElement[] =>
      some.map((each) => this.#fieldElement(each));
    if (unused.length <= maxOpenFields) return elementsOf([...required, ...used, ...unused]);
    const title = required.length + used.length === 0 ? "Optional" : "More";
    const fold = element(
      "details",
      { class: "more" },
      element("summary", {}, `${title} (${unused.length})`),
      element("div", { class: "inputs" }, ...elementsOf(unused)),
    );
    this.#folds.push({ fold, positions: unused.map(({ position }) => position) });
    return [...elementsOf([...required, ...used]), fold];
  }

  #fieldElement({ field, position }: PlacedField): HTMLElement {
    const { name, isRequired, hint, input } = field;
    const label = [
      element("span", { class: "input-name" }, name),
      isRequired ? element("span", { class: "badge required" }, "required") : undefined,
    ];
    if (input.kind === "group") {
      const legend = element("legend", {}, ...label);
      return element("fieldset", { class: "group" }, legend, ...this.#fieldElements(input.fields, position));
    }
    const id = `${this.#prefix}-${position.replaceAll(".", "-")}`;
    const control = controlOf(input);
    control.id = id;
    if (input.kind === "file") this.#files.set(name, control as HTMLInputElement);
    else this.#inputs.set(position, control);
    if (isRequired) control.setAttribute("aria-required", "true");
    if (hint !== undefined) control.setAttribute("aria-describedby", `${id}-hint`);
    return element(
      "div",
      { class: input.kind === "json" ? "input wide" : "input" },
      element("label", { for: id }, ...label),
      control,
      hint === undefined ? undefined : element("p", { class: "hint", id: `${id}-hint` }, hint),
    );
  }
}

/** Whether an input, or one of its group, has a text. */
function hasText(texts: FormTexts, position: string): boolean {
  return [...texts.keys()].some((each) => `${each}.`.startsWith(`${position}.`));
}

function controlOf(input: FormInput): TextInput {
  switch (input.kind) {
    case "number": {
      const { isInteger, least, most } = input;
      return element("input", {
        type: "number",
        step: isInteger ? "1" : "any",
        ...(least === undefined ? {} : { min: String(least) }),
        ...(most === undefined ? {} : { max: String(most) }),
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
      return element("input", { type: "file", ...(input.isMultiple ? { multiple: "" } : {}) });
    case "json":
      return element("textarea", { rows: "1", spellcheck: "false", placeholder: "JSON" });
    case "text":
    case "group":
      return element("input", { type: "text", autocomplete: "off", spellcheck: "false" });
  }
}

function selectOf(options: readonly (readonly [value: string, text: string])[]): HTMLSelectElement {
  const absent = element("option", { value: "" }, "–");
  return element("select", {}, absent, ...options.map(([value, text]) => element("option", { value }, text)));
}
