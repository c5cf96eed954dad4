import type { Difference } from "@plumbline/diff";
import { pascalCase, type Api } from "@plumbline/model";
import { ts } from "ts-morph";
import type { CodeUse } from "../impact/code-use.js";
import { unwrap } from "../impact/expressions.js";
import type { TextEdit } from "../handlers/syntax/text-edits.js";

/** What to do about a use: edits, and what a person has to decide. Undefined: nothing is known. */
export interface UseMigration {
  readonly edits: readonly TextEdit[];
  /** Whether the edits leave a marker that does not compile. */
  readonly isOpen: boolean;
}

/** The marker for a value that a person has to choose. It is not declared anywhere, so the code does not compile. */
export const marker = "TODO";

/** Finds the edits that bring a use into step with the new version of an API. */
export function editsOfUse(
  { difference, use, file }: { readonly difference: Difference; readonly use: CodeUse; readonly file: ts.SourceFile },
  next: Api,
): UseMigration | undefined {
  const { code, old, new: current, renamedTo } = difference;
  const done = (edits: readonly TextEdit[] | undefined): UseMigration | undefined => edits && { edits, isOpen: false };
  switch (code) {
    case "operation-renamed":
      return done(renameMention(use.node, { from: old ?? "", to: current ?? "", file }));
    case "schema-renamed":
      return done(renameMention(use.node, { from: old ?? "", to: current ?? "", file }));
    case "operation-moved":
      return done(replacePath(use.node, newPathOf(difference, next)));
    case "parameter-renamed":
      if (use.kind === "call") return done(replacePath(use.node, newPathOf(difference, next)));
      return done(renameProperty(use.node, use.part.path.at(-1) ?? "", current ?? ""));
    case "parameter-removed":
    case "request-property-removed":
    case "response-property-removed": {
      const name = renamedTo?.split("/").at(-1);
      return name === undefined ? undefined : done(renameProperty(use.node, use.part.path.at(-1) ?? "", name));
    }
    case "request-property-required":
    case "request-property-required-added": {
      const name = difference.where.pointer.split("/").at(-1) ?? "";
      const edit = ts.isObjectLiteralExpression(use.node)
        ? insertProperty(use.node, name, difference.message)
        : undefined;
      return edit && { edits: [edit], isOpen: true };
    }
    case "parameter-required":
    case "parameter-required-added": {
      const edit = use.kind === "call" ? insertArgument(use, difference) : undefined;
      return edit && { edits: [edit], isOpen: true };
    }
    default:
      return undefined;
  }
}

interface Renaming {
  readonly from: string;
  readonly to: string;
  readonly file: ts.SourceFile;
}

/** Renames a mention of an operation or type. Functions for query libraries keep their ending. */
function renameMention(node: ts.Node, { from, to, file }: Renaming): readonly TextEdit[] | undefined {
  const text = node.getText(file);
  const unquoted = text.replace(/^['"`]/, "");
  // Types of an operation begin with its name in Pascal case.
  const pair = [
    [from, to],
    [pascalCase(from) ?? from, pascalCase(to) ?? to],
  ].find(([old = ""]) => unquoted.startsWith(old));
  const [before = "", after = ""] = pair ?? [];
  if (pair === undefined || before === after) return undefined;
  const replaced = `${text.slice(0, text.length - unquoted.length)}${after}${unquoted.slice(before.length)}`;
  // Where the file has the new name already, the import keeps the old one for this file.
  if (ts.isIdentifier(node) && hasName(file, replaced))
    return ts.isImportSpecifier(node.parent) && node.parent.propertyName === undefined
      ? [replace(node, `${replaced} as ${text}`)]
      : [];
  if (ts.isShorthandPropertyAssignment(node.parent)) return [replace(node, `${text}: ${replaced}`)];
  return [replace(node, replaced)];
}

function hasName(file: ts.SourceFile, name: string): boolean {
  const find = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && node.text === name) ||
    (ts.forEachChild(node, (each) => find(each) || undefined) ?? false);
  return find(file);
}

/** Renames a property where it is read, written, destructured or named in a type. */
function renameProperty(node: ts.Node, from: string, to: string): readonly TextEdit[] | undefined {
  const { parent } = node;
  const isName = isIdentifierName(to);
  const key = toKey(to);
  if (ts.isLiteralTypeNode(node) || ts.isUnionTypeNode(node)) return renameInType(node, from, to);
  if (ts.isStringLiteralLike(node))
    return node.text === from ? [replace(node, quoteAs(node.getText(), to))] : undefined;
  if (!ts.isIdentifier(node) || node.text !== from) return undefined;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) {
    if (isName) return [replace(node, to)];
    const dot = parent.questionDotToken === undefined ? "" : "?.";
    return [{ start: parent.expression.getEnd(), end: node.getEnd(), text: `${dot}[${key}]` }];
  }
  if (ts.isShorthandPropertyAssignment(parent)) return [replace(node, `${key}: ${node.text}`)];
  if (ts.isBindingElement(parent)) return [replace(node, parent.propertyName === node ? key : `${key}: ${node.text}`)];
  return ts.isPropertyAssignment(parent) && parent.name === node ? [replace(node, key)] : undefined;
}

function renameInType(node: ts.TypeNode, from: string, to: string): readonly TextEdit[] | undefined {
  const literals = ts.isUnionTypeNode(node) ? node.types : [node];
  const edits = literals.flatMap((each) => {
    const literal = ts.isLiteralTypeNode(each) ? each.literal : undefined;
    return literal && ts.isStringLiteral(literal) && literal.text === from
      ? [replace(literal, quoteAs(literal.getText(), to))]
      : [];
  });
  return edits.length === 0 ? undefined : edits;
}

/** The text in the quotes of another literal. */
function quoteAs(literal: string, text: string): string {
  const quoted = JSON.stringify(text);
  return literal.startsWith("'") ? `'${quoted.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : quoted;
}

/** The path of the operation in the new description. */
function newPathOf({ where }: Difference, next: Api): string | undefined {
  const [signature = ""] = where.operations;
  return next.operations.find(({ method, path }) => `${method} ${path}` === signature)?.path;
}

function replacePath(node: ts.Node, path: string | undefined): readonly TextEdit[] | undefined {
  return path !== undefined && ts.isStringLiteralLike(node)
    ? [replace(node, quoteAs(node.getText(), path))]
    : undefined;
}

/** Inserts a property with the marker, in the style of the object. */
function insertProperty(node: ts.ObjectLiteralExpression, name: string, why: string): TextEdit {
  const key = toKey(name);
  const entry = `${key}: ${marker}`;
  const last = node.properties.at(-1);
  const text = node.getText();
  if (last === undefined)
    return { start: node.getStart() + 1, end: node.getEnd() - 1, text: ` ${entry} /* ${toComment(why)} */ ` };
  const end = last.getEnd();
  if (!text.includes("\n")) return { start: end, end, text: `, ${entry} /* ${toComment(why)} */` };
  const file = node.getSourceFile();
  const { line, character } = file.getLineAndCharacterOfPosition(last.getStart());
  const start = file.getPositionOfLineAndCharacter(line, 0);
  const before = file.text.slice(start, start + character);
  const indent = before.trim() === "" ? before : "  ";
  return { start: end, end, text: `,\n${indent}// ${toComment(why)}\n${indent}${entry}` };
}

function isIdentifierName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** A name as that of a property in an object. */
function toKey(name: string): string {
  return isIdentifierName(name) ? name : JSON.stringify(name);
}

/** A message in one line, without the end of a comment: names in it are those of the description. */
function toComment(message: string): string {
  return message.replaceAll(/[\r\n\u2028\u2029]+/g, " ").replaceAll("*/", "* /");
}

/** Inserts a parameter with the marker into the argument of a call. */
function insertArgument(use: Extract<CodeUse, { kind: "call" }>, { message }: Difference): TextEdit | undefined {
  const [, location = "", name = ""] = /(path|query|header|cookie) parameter "([^"]+)"/.exec(message) ?? [];
  const { call, node } = use;
  if (call === undefined || call.isDeferred || name === "") return undefined;
  const isPath = call.form === "paths";
  const group = isPath || location === "path" || location === "query" ? location : `${location}s`;
  const groups = isPath ? ["params", group] : [group];
  const wrap = (missing: readonly string[], inner: string): string =>
    missing.reduceRight((text, each) => `{ ${each}: ${text} }`, inner);
  const key = toKey(name);
  const entry = `{ ${key}: ${marker} /* ${toComment(message)} */ }`;
  if (call.request === undefined) {
    let at = node;
    while (!ts.isCallExpression(at)) {
      if (ts.isSourceFile(at)) return undefined;
      at = at.parent;
    }
    const last = at.arguments.at(-1);
    return last === undefined
      ? undefined
      : { start: last.getEnd(), end: last.getEnd(), text: `, ${wrap(groups, entry)}` };
  }
  let object = unwrap(call.request);
  for (const [index, each] of groups.entries()) {
    if (!ts.isObjectLiteralExpression(object)) return undefined;
    const property = object.properties.find((known) => known.name?.getText() === each);
    if (property === undefined) {
      const missing = wrap(groups.slice(index + 1), entry);
      const last = object.properties.at(-1);
      if (last === undefined)
        return { start: object.getStart() + 1, end: object.getEnd() - 1, text: ` ${each}: ${missing} ` };
      return { start: last.getEnd(), end: last.getEnd(), text: `, ${each}: ${missing}` };
    }
    if (!ts.isPropertyAssignment(property)) return undefined;
    object = unwrap(property.initializer);
  }
  return ts.isObjectLiteralExpression(object) ? insertProperty(object, name, message) : undefined;
}

function replace(node: ts.Node, text: string): TextEdit {
  return { start: node.getStart(), end: node.getEnd(), text };
}
