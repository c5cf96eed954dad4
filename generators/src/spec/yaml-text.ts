import { YAMLException, loadAll } from "js-yaml";
import { Kind, safeLoad, type YAMLNode, type YAMLSequence, type YamlMap } from "yaml-ast-parser";
import { isObject } from "../json.js";

/** The list under a key of a YAML text's top, empty where there is none. Undefined where the text, or what is under the key, is something else. */
export function listIn(text: string, key: string): readonly unknown[] | undefined {
  const mapping = mappingIn(text);
  const list = mapping?.[key] ?? [];
  return mapping !== undefined && Array.isArray(list) ? list : undefined;
}

/**
 * A YAML text with an item more in the list under a key of its top: the last one, or the first where there is no such list. Everything else
 * stays as it is written, comments too. Undefined where the text has no place for it.
 */
export function withItem(text: string, key: string, item: string): string | undefined {
  const list = listIn(text, key);
  if (list === undefined) return undefined;
  const made = put(text, key, item);
  // There are more ways to write a list than are known here.
  const wanted = { ...mappingIn(text), [key]: [...list, item] };
  return made !== undefined && says(made, wanted) ? made : undefined;
}

function put(text: string, key: string, item: string): string | undefined {
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const found = mappingAt(safeLoad(text), key);
  if (found === undefined) {
    const isEnded = text === "" || text.endsWith("\n");
    return `${text}${isEnded ? "" : lineBreak}${key}:${lineBreak}  - ${item}${lineBreak}`;
  }
  const { keyEnd, value } = found;
  if (value === undefined) {
    const at = text.indexOf(":", keyEnd) + 1;
    return spliced(text, at, `${lineBreak}  - ${item}`);
  }
  const last = value.items.at(-1);
  const isInline = text[value.startPosition] === "[";
  if (last === undefined) return isInline ? spliced(text, value.startPosition + 1, item) : undefined;
  const [quote = ""] = /^["']/.exec(text.slice(last.startPosition)) ?? [];
  const written = `${quote}${item}${quote}`;
  if (isInline) return spliced(text, last.endPosition, `, ${written}`);
  const start = text.lastIndexOf("\n", last.startPosition) + 1;
  const [dash] = /^[ \t]*-[ \t]+/.exec(text.slice(start, last.startPosition)) ?? [];
  if (dash === undefined) return undefined;
  // A comment may stand behind the last item.
  const end = /\r?$/m.exec(text.slice(last.endPosition));
  return spliced(text, last.endPosition + (end?.index ?? 0), `${lineBreak}${dash}${written}`);
}

function spliced(text: string, at: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at);
}

/** Where a key of the top ends, and its list; undefined where there is no such key. */
function mappingAt(
  root: YAMLNode | undefined,
  key: string,
): { readonly keyEnd: number; readonly value: YAMLSequence | undefined } | undefined {
  if (root?.kind !== Kind.MAP) return undefined;
  const found = (root as YamlMap).mappings.find((each) => each.key.value === key);
  if (found === undefined) return undefined;
  const value: YAMLNode | undefined = found.value;
  return {
    keyEnd: found.key.endPosition,
    value: value?.kind === Kind.SEQ ? (value as YAMLSequence) : undefined,
  };
}

/** What a text says at its top; nothing is an empty mapping. Undefined for what is none. */
function mappingIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const [value, ...others]: readonly unknown[] = loadAll(text);
    const mapping = value ?? {};
    return others.length === 0 && isObject(mapping) ? mapping : undefined;
  } catch (error) {
    if (error instanceof YAMLException) return undefined;
    throw error;
  }
}

function says(text: string, wanted: object): boolean {
  return JSON.stringify(mappingIn(text)) === JSON.stringify(wanted);
}
