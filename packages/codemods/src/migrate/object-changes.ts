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

/** Changes of objects in one file: removed and added properties. Properties that move keep their text, with the edits in it. */
export interface ObjectChanges {
  /** Removes a property of a group of a request, and the group with its last one, unless `isKept` says otherwise. */
  readonly remove: (property: ts.ObjectLiteralElementLike, isKept?: "keepGroup") => void;
  readonly addTo: (object: ts.ObjectLiteralExpression, property: NewProperty) => void;
  /**
   * Adds a property to a group of a request, such as `["query"]`, and the group if there is none. A group that is not an object literal is
   * spread into a new one, if `isSpread` says so.
   *
   * @returns false where the code of the request is not known
   */
  readonly addToRequest: (
    argument: RequestArgument,
    groups: readonly string[],
    property: NewProperty,
    isSpread?: "spread",
  ) => boolean;
  /** The edits of these changes, and those of others that are outside of them. */
  readonly combineWith: (others: readonly TextEdit[]) => readonly TextEdit[];
}

interface Addition {
  readonly name: string;
  readonly value: NewProperty["value"] | Addition[];
  readonly reason?: string;
}

/** Collects changes of objects, so that several of one object do not get into each other's way. */
export function createObjectChanges(file: ts.SourceFile): ObjectChanges {
  const removed = new Set<ts.ObjectLiteralElementLike>();
  const added = new Map<ts.ObjectLiteralExpression, Addition[]>();
  const created = new Map<ts.CallExpression, { readonly request: ts.Expression | undefined; entries: Addition[] }>();
  const keptGroups = new Set<ts.Node>();
  const spread = new Map<ts.PropertyAssignment | ts.ShorthandPropertyAssignment, Addition[]>();

  const additionsOf = <Key>(map: Map<Key, Addition[]>, key: Key): Addition[] => {
    const known = map.get(key) ?? [];
    map.set(key, known);
    return known;
  };

  return {
    remove: (property, isKept) => {
      removed.add(property);
      if (isKept !== undefined) keptGroups.add(property.parent);
    },
    addTo: (object, property) => addOnce(additionsOf(added, object), property),
    addToRequest: ({ call, request }, groups, property, isSpread) => {
      if (request === undefined || isUndefined(request)) {
        const known = created.get(call) ?? { request, entries: [] };
        created.set(call, known);
        addOnce(groupIn(known.entries, groups), property);
        return true;
      }
      let object = unwrap(request);
      for (const [index, name] of groups.entries()) {
        if (!ts.isObjectLiteralExpression(object)) return false;
        const group = object.properties.find((each) => each.name !== undefined && nameOf(each.name) === name);
        if (group === undefined || removed.has(group)) {
          // What is spread into the object may have the group.
          if (object.properties.some(ts.isSpreadAssignment)) return false;
          addOnce(groupIn(additionsOf(added, object), groups.slice(index)), property);
          return true;
        }
        const isValue = ts.isPropertyAssignment(group) || ts.isShorthandPropertyAssignment(group);
        const value = ts.isPropertyAssignment(group) ? unwrap(group.initializer) : undefined;
        if (value !== undefined && ts.isObjectLiteralExpression(value)) {
          object = value;
          continue;
        }
        if (!isValue || isSpread === undefined || index < groups.length - 1) return false;
        addOnce(additionsOf(spread, group), property);
        return true;
      }
      if (!ts.isObjectLiteralExpression(object)) return false;
      addOnce(additionsOf(added, object), property);
      return true;
    },
    combineWith: (others) => {
      removeEmptyGroups(removed, (object) => added.has(object) || keptGroups.has(object));
      const objects = new Set([...added.keys(), ...[...removed].map(({ parent }) => parent)]);
      const literals = [...objects].filter(ts.isObjectLiteralExpression);
      const render = (values: readonly Addition[]): readonly ListEntry[] =>
        values.map(({ name, value, reason }) => {
          const text = typeof value === "string" ? value : "kind" in value ? textOf(valueOf(value)) : braces(value);
          const isShort = typeof value !== "string" && "kind" in value && text === toKey(name);
          const comments = typeof value === "string" || !("kind" in value) ? [] : commentsAt(value, file);
          return {
            text: isShort ? text : `${toKey(name)}: ${text}`,
            isRelative: typeof value === "string",
            comments: reason === undefined ? comments : [...comments, `// ${toComment(reason)}`],
          };
        });
      const braces = (values: readonly Addition[]): string =>
        `{ ${render(values)
          .map(({ text, comments }) => [text, ...comments.map(toBlockComment)].join(" "))
          .join(", ")} }`;
      const textOf = (node: ts.Node): string => {
        const [start, end] = [node.getStart(file), node.getEnd()];
        const inside = others.filter((edit) => edit.start >= start && edit.end <= end);
        return applyEdits(
          file.text.slice(start, end),
          inside.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
        );
      };
      const own = [
        ...literals.flatMap((object) => editsOfList(object, { removed, added: render(added.get(object) ?? []), file })),
        ...[...created].map(([call, { request, entries }]) => editOfNewRequest(call, request, braces(entries))),
        ...[...spread]
          .filter(([property]) => !removed.has(property))
          .map(([property, entries]) => editOfSpread(property, textOf(valueOf(property)), braces(entries))),
      ];
      const changed = own.filter(({ start, end }) => end > start);
      const outside = others.filter(
        (edit) => !changed.some(({ start, end }) => edit.start >= start && edit.end <= end),
      );
      return [...own, ...outside];
    },
  };
}

function addOnce(entries: Addition[], property: NewProperty): void {
  if (!entries.some(({ name }) => name === property.name)) entries.push(property);
}

/** The entries of a group, which is created where there is none. */
function groupIn(entries: Addition[], [name, ...rest]: readonly string[]): Addition[] {
  if (name === undefined) return entries;
  const known = entries.find((each) => each.name === name)?.value;
  if (Array.isArray(known)) return groupIn(known, rest);
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

function valueOf(property: MovableProperty): ts.Expression {
  return ts.isPropertyAssignment(property) ? property.initializer : property.name;
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
