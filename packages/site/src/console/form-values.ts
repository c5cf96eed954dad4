import { isJsonObject, type Json } from "@plumbline/kit/model";
import type { FormField, FormInput } from "./console-data.js";

/** The texts of a form's inputs by position, such as `2` and `2.1`. A select has the position of its value. Absent: nothing was typed. */
export type FormTexts = ReadonlyMap<string, string>;

/** The value of an object as a form reads it. */
export type FormValue = Readonly<Record<string, Json>>;

/** Returns the position of a field within that of its group. */
export function positionOf(group: string, index: number): string {
  return group === "" ? String(index) : `${group}.${index}`;
}

/** Returns the value that the inputs of a form have together. Fields without a text are absent; so are optional groups without any. */
export function readForm(fields: readonly FormField[], texts: FormTexts, group = ""): FormValue {
  const entries: [string, Json][] = [];
  for (const [index, { name, isRequired, input }] of fields.entries()) {
    const position = positionOf(group, index);
    if (input.kind === "group") {
      const value = readForm(input.fields, texts, position);
      if (isRequired || Object.keys(value).length > 0) entries.push([name, value]);
      continue;
    }
    const value = readInput(input, texts.get(position) ?? "");
    if (value !== undefined) entries.push([name, value]);
  }
  // Creates own properties, also of the name `__proto__`.
  return Object.fromEntries(entries);
}

/** Returns the value of a text; undefined for an empty one. What is not of its type stays a text: the server is to say so. */
export function readInput(input: FormInput, text: string): Json | undefined {
  if (text === "") return undefined;
  switch (input.kind) {
    case "number": {
      const number = Number(text);
      return text.trim() === "" || Number.isNaN(number) ? text : number;
    }
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "select":
      return input.values[Number(text)];
    case "json":
      return parseJson(text) ?? text;
    case "text":
      return text;
    case "file":
    case "group":
      return undefined;
  }
}

/** Returns the texts that show a value; undefined where the form has no place for a part of it. */
export function writeForm(fields: readonly FormField[], value: Json): FormTexts | undefined {
  const texts = new Map<string, string>();
  return writeFields(fields, value, { group: "", texts }) ? texts : undefined;
}

interface WrittenForm {
  readonly group: string;
  readonly texts: Map<string, string>;
}

function writeFields(fields: readonly FormField[], value: Json, { group, texts }: WrittenForm): boolean {
  if (!isJsonObject(value)) return false;
  const names = new Set(fields.map(({ name }) => name));
  if (Object.keys(value).some((name) => !names.has(name))) return false;
  return fields.every(({ name, input, isRequired }, index) => {
    const each = Object.hasOwn(value, name) ? value[name] : undefined;
    if (each === undefined) return true;
    const position = positionOf(group, index);
    if (input.kind === "group") {
      // An optional group without a text is absent.
      const isShown = isRequired || (isJsonObject(each) && Object.keys(each).length > 0);
      return isShown && writeFields(input.fields, each, { group: position, texts });
    }
    const text = writeInput(input, each);
    if (text !== undefined) texts.set(position, text);
    return text !== undefined;
  });
}

/** Returns the text that an input shows for a value; undefined where it cannot. */
export function writeInput(input: FormInput, value: Json): string | undefined {
  const text = textOf(input, value);
  const read = text === undefined ? undefined : readInput(input, text);
  return read !== undefined && JSON.stringify(read) === JSON.stringify(value) ? text : undefined;
}

function textOf(input: FormInput, value: Json): string | undefined {
  switch (input.kind) {
    case "select": {
      const printed = JSON.stringify(value);
      const index = input.values.findIndex((each) => JSON.stringify(each) === printed);
      return index < 0 ? undefined : String(index);
    }
    case "json":
      return JSON.stringify(value, undefined, 2);
    case "text":
      return typeof value === "string" ? value : undefined;
    case "number":
    case "boolean":
      return JSON.stringify(value);
    case "file":
    case "group":
      return undefined;
  }
}

/** Parses JSON; undefined for any other text. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
