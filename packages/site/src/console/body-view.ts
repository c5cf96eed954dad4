import type { ConsoleBody } from "./console-data.js";
import { choices, element } from "./elements.js";
import { parseJson, readForm, writeForm } from "./form-values.js";
import { FormView } from "./form-view.js";
import type { EnteredBody } from "./request.js";

/** The editor of a request body. */
export interface BodyView {
  readonly element: HTMLElement;
  /** The body as entered; undefined for an optional one that is empty. */
  readonly entered: () => EnteredBody | undefined;
}

/** Creates the editor of a body, with a choice of media types where there are several. */
export function createBodyView(bodies: readonly ConsoleBody[], changed: () => void): BodyView | undefined {
  const [first] = bodies;
  if (first === undefined) return undefined;
  const editors = bodies.map((content, index) => createEditor(content, `console-body-${index}`, changed));
  let current = editors[0];
  const place = element("div", {}, ...(current === undefined ? [] : [current.element]));
  const select = element(
    "select",
    { id: "console-media-type" },
    ...bodies.map(({ mediaType }, index) => element("option", { value: String(index) }, mediaType)),
  );
  select.addEventListener("change", () => {
    current = editors[Number(select.value)] ?? current;
    place.replaceChildren(...(current === undefined ? [] : [current.element]));
    changed();
  });
  const label = element("label", { for: select.id }, "Media type");
  return {
    element: element(
      "div",
      {},
      ...(bodies.length > 1 ? [element("div", { class: "input" }, label, select)] : []),
      place,
    ),
    entered: () => current?.entered(),
  };
}

function createEditor(content: ConsoleBody, prefix: string, changed: () => void): BodyView {
  if (content.kind === "binary") return createFileEditor(content, prefix);
  const text = createTextEditor(content, prefix);
  if (content.fields === undefined) return text;
  const form = createFormEditor(content, content.fields, prefix);
  // Files have no place in JSON.
  return content.kind === "json" ? withModes(form, text, changed) : form;
}

function createFileEditor(content: ConsoleBody, prefix: string): BodyView {
  const input = element("input", { type: "file", id: `${prefix}-file` });
  return {
    element: element("div", { class: "input" }, element("label", { for: input.id }, content.mediaType), input),
    entered: () => {
      const file = input.files?.[0];
      return file === undefined && !content.isRequired
        ? undefined
        : { content, value: "", files: new Map(file === undefined ? [] : [["", [file]]]) };
    },
  };
}

interface TextEditor extends BodyView {
  readonly read: () => string;
  readonly write: (text: string) => void;
}

function createTextEditor(content: ConsoleBody, prefix: string): TextEditor {
  const { example, kind, mediaType } = content;
  const area = element("textarea", {
    class: "editor",
    id: `${prefix}-text`,
    rows: "10",
    spellcheck: "false",
    autocomplete: "off",
  });
  area.value = typeof example === "string" && kind !== "json" ? example : JSON.stringify(example, undefined, 2);
  return {
    element: element(
      "div",
      { class: "input wide" },
      element("label", { class: "visually-hidden", for: area.id }, mediaType),
      area,
    ),
    read: () => area.value,
    write: (text) => void (area.value = text),
    entered: () =>
      area.value.trim() === "" && !content.isRequired ? undefined : { content, value: area.value, files: new Map() },
  };
}

interface FormEditor extends BodyView {
  readonly form: FormView;
  readonly fields: NonNullable<ConsoleBody["fields"]>;
}

function createFormEditor(content: ConsoleBody, fields: FormEditor["fields"], prefix: string): FormEditor {
  const form = new FormView(prefix, fields, writeForm(fields, content.example));
  return {
    element: form.element,
    form,
    fields,
    entered: () => {
      const value = readForm(fields, form.texts());
      const files = form.files();
      const isEmpty = Object.keys(value).length + files.size === 0;
      return isEmpty && !content.isRequired ? undefined : { content, value, files };
    },
  };
}

/** A form and a text of the same value. */
function withModes(formEditor: FormEditor, textEditor: TextEditor, changed: () => void): BodyView {
  const { form, fields } = formEditor;
  const note = element("p", { class: "hint", role: "status" });
  const place = element("div", {});
  const modes = choices(
    "Body as",
    [
      { value: "form", text: "Form" },
      { value: "json", text: "JSON" },
    ],
    (mode) => {
      note.textContent = "";
      if (mode === "json") textEditor.write(JSON.stringify(readForm(fields, form.texts()), undefined, 2));
      else if (!readText()) return;
      show(mode);
      changed();
    },
  );
  let current: BodyView = formEditor;

  /** Fills the form; returns false where it has no place for the value. */
  function readText(): boolean {
    const value = parseJson(textEditor.read());
    const texts = value === undefined ? undefined : writeForm(fields, value);
    if (texts === undefined) {
      note.textContent =
        value === undefined ? "This is not JSON, so it stays a text." : "The form cannot show this value.";
      modes.choose("json");
      return false;
    }
    form.write(texts);
    return true;
  }

  function show(mode: "form" | "json"): void {
    current = mode === "form" ? formEditor : textEditor;
    modes.choose(mode);
    place.replaceChildren(current.element);
  }

  // An example that the form cannot show completely begins as a text.
  show(writeForm(fields, parseJson(textEditor.read()) ?? null) === undefined ? "json" : "form");
  return { element: element("div", {}, modes.element, note, place), entered: () => current.entered() };
}
