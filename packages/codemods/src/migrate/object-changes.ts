import { ts } from "ts-morph";
import { applyEdits, type TextEdit } from "../handlers/syntax/text-edits.js";
import { unwrap } from "../impact/expressions.js";
import { toComment, toKey } from "./code-text.js";
import { commentsAt, editsOfList, toBlockComment, type ListEntry } from "./property-list.js";

/** A property to add to an object. */
export interface NewProperty {
  readonly name: string;
  /** The code of the value, or the property whose value moves here. */
  readonly value: string | MovableProperty;
  /** Why it is there, for a comment. */
  readonly reason?: string;
}

/** A property whose value can move. */
export type MovableProperty = ts.PropertyAssignment | ts.ShorthandPropertyAssignment;

/** A call with the argument for its request. */
export interface RequestArgument {
  readonly call: ts.CallExpression;
  readonly request: ts.Expression | undefined;
}

interface Addition {
  readonly name: string;
  readonly value: NewProperty["value"] | Addition[];
  readonly reason?: string;
}

/**
 * Changes of objects in one file: removed and added properties. Properties that move keep their text, with the edits in it. They are collected, so
 * that several changes of one object do not get into each other's way.
 */
export class ObjectChanges {
  readonly #file: ts.SourceFile;
  readonly #removed = new Set<ts.ObjectLiteralElementLike>();
  readonly #added = new Map<ts.ObjectLiteralExpression, Addition[]>();
  readonly #created = new Map<
    ts.CallExpression,
    { readonly request: ts.Expression | undefined; entries: Addition[] }
  >();
  readonly #keptGroups = new Set<ts.Node>();
  readonly #spread = new Map<MovableProperty, Addition[]>();

  constructor(file: ts.SourceFile) {
    this.#file = file;
  }

  /** Removes a property of a group of a request, and the group with its last one, unless `isKept` says otherwise. */
  remove(property: ts.ObjectLiteralElementLike, isKept?: "keepGroup"): void {
    this.#removed.add(property);
    if (isKept !== undefined) this.#keptGroups.add(property.parent);
  }

  addTo(object: ts.ObjectLiteralExpression, property: NewProperty): void {
    addOnce(additionsOf(this.#added, object), property);
  }

  /**
   * Adds a property to a group of a request, such as `["query"]`, and the group if there is none. A group that is not an object literal is
   * spread into a new one, if `isSpread` says so.
   *
   * @returns false where the code of the request is not known
   */
  addToRequest(
    { call, request }: RequestArgument,
    groups: readonly string[],
    property: NewProperty,
    isSpread?: "spread",
  ): boolean {
    if (request === undefined || isUndefined(request)) {
      const created = this.#created.get(call) ?? { request, entries: [] };
      this.#created.set(call, created);
      addOnce(groupIn(created.entries, groups), property);
      return true;
    }
    let object = unwrap(request);
    for (const [index, name] of groups.entries()) {
      if (!ts.isObjectLiteralExpression(object)) return false;
      const group = object.properties.find((each) => each.name !== undefined && nameOf(each.name) === name);
      if (group === undefined || this.#removed.has(group)) {
        // What is spread into the object may have the group.
        if (object.properties.some(ts.isSpreadAssignment)) return false;
        addOnce(groupIn(additionsOf(this.#added, object), groups.slice(index)), property);
        return true;
      }
      const value = ts.isPropertyAssignment(group) ? unwrap(group.initializer) : undefined;
      if (value !== undefined && ts.isObjectLiteralExpression(value)) {
        object = value;
        continue;
      }
      const isValue = ts.isPropertyAssignment(group) || ts.isShorthandPropertyAssignment(group);
      if (!isValue || isSpread === undefined || index < groups.length - 1) return false;
      addOnce(additionsOf(this.#spread, group), property);
      return true;
    }
    if (!ts.isObjectLiteralExpression(object)) return false;
    this.addTo(object, property);
    return true;
  }

  /** The edits of these changes, and those of others that are outside of them. */
  combineWith(others: readonly TextEdit[]): readonly TextEdit[] {
    const [file, added, removed] = [this.#file, this.#added, this.#removed];
    removeEmptyGroups(removed, (object) => added.has(object) || this.#keptGroups.has(object));
    const objects = new Set([...added.keys(), ...[...removed].map(({ parent }) => parent)]);
    const text = new AdditionText(file, others);
    const edits = [
      ...[...objects]
        .filter(ts.isObjectLiteralExpression)
        .flatMap((object) => editsOfList(object, { removed, added: text.entries(added.get(object) ?? []), file })),
      ...[...this.#created].map(([call, { request, entries }]) =>
        editOfNewRequest(call, request, text.object(entries)),
      ),
      ...[...this.#spread]
        .filter(([property]) => !removed.has(property))
        .map(([property, entries]) => editOfSpread(property, text.value(property), text.object(entries))),
    ];
    const changed = edits.filter(({ start, end }) => end > start);
    const outside = others.filter((edit) => !changed.some(({ start, end }) => edit.start >= start && edit.end <= end));
    return [...edits, ...outside];
  }
}

/** Prints what is added. Values that move have the edits of others in them. */
class AdditionText {
  readonly #file: ts.SourceFile;
  readonly #edits: readonly TextEdit[];

  constructor(file: ts.SourceFile, edits: readonly TextEdit[]) {
    this.#file = file;
    this.#edits = edits;
  }

  entries(additions: readonly Addition[]): readonly ListEntry[] {
    return additions.map(({ name, value, reason }) => {
      const isMoved = typeof value !== "string" && "kind" in value;
      const text = typeof value === "string" ? value : "kind" in value ? this.value(value) : this.object(value);
      const comments = isMoved ? commentsAt(value, this.#file) : [];
      return {
        text: isMoved && text === toKey(name) ? text : `${toKey(name)}: ${text}`,
        isRelative: typeof value === "string",
        comments: reason === undefined ? comments : [...comments, `// ${toComment(reason)}`],
      };
    });
  }

  object(additions: readonly Addition[]): string {
    const entries = this.entries(additions).map(({ text, comments }) =>
      [text, ...comments.map(toBlockComment)].join(" "),
    );
    return `{ ${entries.join(", ")} }`;
  }

  value(property: MovableProperty): string {
    const node = ts.isPropertyAssignment(property) ? property.initializer : property.name;
    const [start, end] = [node.getStart(this.#file), node.getEnd()];
    const inside = this.#edits.filter((edit) => edit.start >= start && edit.end <= end);
    return applyEdits(
      this.#file.text.slice(start, end),
      inside.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
    );
  }
}

function additionsOf<Key>(map: Map<Key, Addition[]>, key: Key): Addition[] {
  const additions = map.get(key) ?? [];
  map.set(key, additions);
  return additions;
}

function addOnce(entries: Addition[], property: NewProperty): void {
  if (!entries.some(({ name }) => name === property.name)) entries.push(property);
}

/** The entries of a group, which is created where there is none. */
function groupIn(entries: Addition[], [name, ...rest]: readonly string[]): Addition[] {
  if (name === undefined) return entries;
  const existing = entries.find((each) => each.name === name)?.value;
  if (Array.isArray(existing)) return groupIn(existing, rest);
  const group: Addition[] = [];
  entries.push({ name, value: group });
  return groupIn(group, rest);
}

/** Removes the groups of a request that have become empty. */
function removeEmptyGroups(
  removed: Set<ts.ObjectLiteralElementLike>,
  isKept: (object: ts.ObjectLiteralExpression) => boolean,
): void {
  for (const { parent: object } of removed) {
    if (!ts.isObjectLiteralExpression(object)) continue;
    const isEmpty = object.properties.every((each) => removed.has(each)) && !isKept(object);
    const group = object.parent;
    if (isEmpty && ts.isPropertyAssignment(group) && ts.isObjectLiteralExpression(group.parent)) removed.add(group);
  }
}

function isUndefined(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && node.text === "undefined";
}

function nameOf(name: ts.PropertyName): string | undefined {
  return ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;
}

function editOfNewRequest(call: ts.CallExpression, request: ts.Expression | undefined, text: string): TextEdit {
  if (request !== undefined) return { start: request.getStart(), end: request.getEnd(), text };
  const end = call.arguments.at(-1)?.getEnd() ?? call.getEnd() - 1;
  return { start: end, end, text: call.arguments.length === 0 ? text : `, ${text}` };
}

function editOfSpread(property: MovableProperty, value: string, braces: string): TextEdit {
  const object = braces.replace(/^\{/, `{ ...${value},`);
  if (ts.isShorthandPropertyAssignment(property))
    return { start: property.getEnd(), end: property.getEnd(), text: `: ${object}` };
  return { start: property.initializer.getStart(), end: property.initializer.getEnd(), text: object };
}
