import { EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue } from "js-yaml";
import { parseYamlEvents, type YamlEvents } from "./yaml-events.js";

/** A node of a YAML text, by offsets. */
export interface YamlNode {
  /** The offset of the first character, after an anchor and a tag; at an alias, of its name. */
  readonly start: number;
  /** The offset after the last character of a scalar or an alias. */
  readonly end: number | undefined;
  /** The entries of a mapping by key. The last of duplicate keys counts. */
  readonly entries?: ReadonlyMap<string, YamlEntry>;
  /** The items of a list. `undefined` for an empty one. */
  readonly items?: readonly (YamlNode | undefined)[];
}

/** An entry of a mapping. */
export interface YamlEntry {
  readonly keyStart: number;
  readonly keyEnd: number;
  /** `undefined` for an empty value. */
  readonly value: YamlNode | undefined;
}

/** Returns the root node of a YAML text. Aliases have the children of their anchors. `undefined` for an empty or invalid text. */
export function parseYamlNodes(text: string): YamlNode | undefined {
  const events = eventsOf(text);
  const anchors = new Map<string, Writable<YamlNode>>();
  let next = 1; // after the start of the document

  function readNode(): YamlNode | undefined {
    const event = events[next];
    next += 1;
    if (event === undefined || event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP) return undefined;
    if (event.type === EVENT_ID.ALIAS) {
      const { anchorStart, anchorEnd } = event;
      return { ...anchors.get(text.slice(anchorStart, anchorEnd)), start: anchorStart, end: anchorEnd };
    }
    const node: Writable<YamlNode> = { start: 0, end: undefined };
    if (event.anchorStart >= 0) anchors.set(text.slice(event.anchorStart, event.anchorEnd), node);
    if (event.type === EVENT_ID.SCALAR) {
      if (event.valueStart < 0) return undefined;
      const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
      const quote = isQuoted ? 1 : 0;
      node.start = event.valueStart - quote;
      node.end = event.valueEnd + quote;
      return node;
    }
    node.start = event.start;
    if (event.type === EVENT_ID.SEQUENCE) node.items = readItems();
    else node.entries = readEntries();
    return node;
  }

  function readItems(): readonly (YamlNode | undefined)[] {
    const items: (YamlNode | undefined)[] = [];
    while (!isAtEnd()) items.push(readNode());
    next += 1;
    return items;
  }

  function readEntries(): ReadonlyMap<string, YamlEntry> {
    const entries = new Map<string, YamlEntry>();
    while (!isAtEnd()) {
      const event = events[next];
      const key = readNode();
      const value = readNode();
      if (event?.type === EVENT_ID.SCALAR && key?.end !== undefined)
        entries.set(getScalarValue(text, event), { keyStart: key.start, keyEnd: key.end, value });
    }
    next += 1;
    return entries;
  }

  function isAtEnd(): boolean {
    return next >= events.length || events[next]?.type === EVENT_ID.POP;
  }

  return readNode();
}

function eventsOf(text: string): YamlEvents["events"] {
  try {
    return parseYamlEvents(text).events;
  } catch (error) {
    if (error instanceof YAMLException) return [];
    throw error;
  }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
