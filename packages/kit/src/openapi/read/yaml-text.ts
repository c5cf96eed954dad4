import { YAMLException, dump, loadAll } from "js-yaml";
import { isJsonObject } from "../../model/index.js";
import { parseYamlNodes } from "./yaml-nodes.js";

/**
 * Returns the list under a top-level key of a YAML text, or an empty list if the key is missing. `undefined` for any
 * other value or text.
 */
export function readYamlList(text: string, key: string): readonly unknown[] | undefined {
  const mapping = mappingIn(text);
  const list = mapping?.[key] ?? [];
  return mapping !== undefined && Array.isArray(list) ? list : undefined;
}

/**
 * Adds an item to the list under a top-level key of a YAML text, and creates the list if it is missing. Keeps all other
 * text, including comments.
 * Returns `undefined` if the text has another form.
 */
export function addYamlListItem(text: string, key: string, item: string): string | undefined {
  const list = readYamlList(text, key);
  if (list === undefined) return undefined;
  const edited = insertItem(text, key, item);
  // YAML has more list styles than this function supports, so that the result is verified.
  const expected = { ...mappingIn(text), [key]: [...list, item] };
  return edited !== undefined && isEquivalent(edited, expected) ? edited : undefined;
}

/** Prints a JSON value as YAML, without anchors and with its keys in their order. */
export function printYaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1 });
}

function insertItem(text: string, key: string, item: string): string | undefined {
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const entry = parseYamlNodes(text)?.entries?.get(key);
  if (entry === undefined) {
    const isEnded = text === "" || text.endsWith("\n");
    return `${text}${isEnded ? "" : lineBreak}${key}:${lineBreak}  - ${item}${lineBreak}`;
  }
  const { keyEnd, value } = entry;
  if (value?.items === undefined) {
    const at = text.indexOf(":", keyEnd) + 1;
    return insertText(text, at, `${lineBreak}  - ${item}`);
  }
  const last = value.items.at(-1);
  const isInline = text[value.start] === "[";
  if (value.items.length === 0) return isInline ? insertText(text, value.start + 1, item) : undefined;
  if (last?.end === undefined) return undefined;
  const [quote = ""] = /^["']/.exec(text.slice(last.start)) ?? [];
  const written = `${quote}${item}${quote}`;
  if (isInline) return insertText(text, last.end, `, ${written}`);
  const start = text.lastIndexOf("\n", last.start) + 1;
  const [dash] = /^[ \t]*-[ \t]+/.exec(text.slice(start, last.start)) ?? [];
  if (dash === undefined) return undefined;
  // A comment may follow the last item.
  const end = /\r?$/m.exec(text.slice(last.end));
  return insertText(text, last.end + (end?.index ?? 0), `${lineBreak}${dash}${written}`);
}

function insertText(text: string, at: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at);
}

/** Parses the top-level mapping of a text. An empty text is an empty mapping. `undefined` for anything else. */
function mappingIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const [value, ...others]: readonly unknown[] = loadAll(text);
    const mapping = value ?? {};
    return others.length === 0 && isJsonObject(mapping) ? mapping : undefined;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

function isEquivalent(text: string, mapping: object): boolean {
  return JSON.stringify(mappingIn(text)) === JSON.stringify(mapping);
}
