import { ts } from "ts-morph";
import type { CodeUse, ConstructUse } from "./code-use.js";
import { readText, resolveConstant, unwrap } from "./expressions.js";
import type { PartReader } from "./part-reader.js";
import type { UseSearch } from "./use-search.js";

/** The names of the parts of a request. */
const requestGroups: ReadonlySet<string> = new Set(["path", "query", "headers", "cookies", "body"]);

/** The uses in an object literal where the API's type is expected. */
export function usesOfObject(node: ts.ObjectLiteralExpression, search: UseSearch): readonly CodeUse[] {
  const { reader, isWanted, wantsObjects } = search;
  const properties = propertiesOf(node);
  if (!wantsObjects && !properties.some(({ name }) => isWanted(name) || requestGroups.has(name))) return [];
  const type = reader.checker.getContextualType(node);
  return type === undefined ? [] : usesOfLiteral(node, type, search);
}

/** The uses in an object literal, with the type that is expected of it. */
function usesOfLiteral(node: ts.ObjectLiteralExpression, type: ts.Type, search: UseSearch): readonly CodeUse[] {
  const { reader, isWanted } = search;
  const fields = propertiesOf(node);
  const branches = matchingBranches(type, fields, reader);
  // An object that is spread into another one need not be complete.
  const parts = isSpread(node) ? [] : branches.flatMap((each) => reader.ofType(each));
  const constructed = parts.map((part): ConstructUse => ({
    kind: "construct",
    part,
    node,
    ...contentOf(node, reader),
  }));
  const written = fields.flatMap(({ name, at, value }): readonly CodeUse[] => {
    const properties = branches.flatMap((each) => reader.property(each, name));
    const fieldParts = properties.flatMap(reader.ofSymbol);
    const writes = isWanted(name) ? fieldParts : [];
    return [
      ...writes.map((part) => ({ kind: "write" as const, part, node: at, value })),
      ...(fieldParts.length > 0 && value !== undefined ? usesOfFlow(value, search) : []),
    ];
  });
  return [...constructed, ...written];
}

/** A value of the user's own type, where the API's is expected: `body: readForm()`. */
export function usesOfFlow(value: ts.Expression, search: UseSearch): readonly CodeUse[] {
  const { reader, isWanted, wantsObjects } = search;
  const { checker } = reader;
  const node = unwrap(value);
  if (ts.isLiteralExpression(node) || ts.isObjectLiteralExpression(node) || ts.isFunctionLike(node)) return [];
  const constant = resolveConstant(node, checker);
  const valueType = checker.getTypeAtLocation(value);
  // Types of functions and arrays are not the API's, and the expected type takes much longer to find.
  if (
    !(valueType.flags & ts.TypeFlags.Object) ||
    valueType.getCallSignatures().length > 0 ||
    checker.isArrayLikeType(valueType)
  )
    return [];
  const names = new Set(valueType.getProperties().map(({ name }) => name));
  if (!wantsObjects && ![...names].some((name) => isWanted(name) || requestGroups.has(name))) return [];
  if (reader.ofType(valueType).length > 0) return [];
  const expected = checker.getContextualType(value);
  if (expected === undefined) return [];
  if (ts.isObjectLiteralExpression(constant)) return usesOfLiteral(constant, expected, search);
  return [
    ...reader.ofType(expected).map((part) => ({
      kind: "construct" as const,
      part,
      node: value,
      names,
      maybe: new Set<string>(),
      isOpen: false,
    })),
    ...[...names]
      .filter((name) => isWanted(name) && !isOfApi(valueType, name, reader))
      .flatMap((name) =>
        reader
          .property(expected, name)
          .flatMap(reader.ofSymbol)
          .map((part) => ({ kind: "write" as const, part, node: value, value: undefined })),
      ),
  ];
}

/** Whether a property of a type is one of the API's, as in `Omit<Pet, "id">`. It changes with the API. */
export function isOfApi(type: ts.Type, name: string, reader: PartReader): boolean {
  return reader.property(type, name).some((symbol) => reader.ofSymbol(symbol).length > 0);
}

interface LiteralProperty {
  readonly name: string;
  readonly at: ts.Node;
  readonly value: ts.Expression | undefined;
}

/** The properties of an object literal that have a known name. */
export function propertiesOf(node: ts.ObjectLiteralExpression): readonly LiteralProperty[] {
  return node.properties.flatMap((each) => {
    const name = each.name === undefined ? undefined : readText(each.name);
    if (name === undefined || each.name === undefined) return [];
    const value = ts.isPropertyAssignment(each)
      ? each.initializer
      : ts.isShorthandPropertyAssignment(each)
        ? each.name
        : undefined;
    return [{ name, at: each.name, value }];
  });
}

/** The names that an object literal has, and those that it may have. */
export function contentOf(
  node: ts.ObjectLiteralExpression,
  { checker, ofType }: PartReader,
): Pick<ConstructUse, "names" | "maybe" | "isOpen"> {
  const spread = node.properties.filter(ts.isSpreadAssignment).flatMap(({ expression }) => {
    const type = checker.getTypeAtLocation(expression);
    return type.isUnion() ? type.types : [type];
  });
  const isOpen =
    node.properties.some((each) => each.name !== undefined && ts.isComputedPropertyName(each.name)) ||
    spread.some(({ flags }) => flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) ||
    // A value of the API's own type will have what the new version requires.
    spread.some((type) => ofType(type).length > 0);
  return {
    names: new Set(propertiesOf(node).map(({ name }) => name)),
    maybe: new Set(spread.flatMap((type) => type.getProperties().map(({ name }) => name))),
    isOpen,
  };
}

function isSpread(node: ts.ObjectLiteralExpression): boolean {
  let at: ts.Node = node.parent;
  while (ts.isParenthesizedExpression(at) || ts.isBinaryExpression(at) || ts.isConditionalExpression(at))
    at = at.parent;
  return ts.isSpreadAssignment(at);
}

/** The branches of a union that an object may be of, by the texts of its properties. */
function matchingBranches(
  type: ts.Type,
  properties: readonly LiteralProperty[],
  { checker, property }: PartReader,
): readonly ts.Type[] {
  if (!type.isUnion()) return [type];
  return type.types.filter((branch) =>
    properties.every(({ name, value }) => {
      const [symbol] = value === undefined ? [] : property(branch, name);
      const literal = value === undefined ? undefined : unwrap(value);
      if (symbol === undefined || literal === undefined || !ts.isStringLiteralLike(literal)) return true;
      const expected = checker.getTypeOfSymbol(symbol);
      return !expected.isStringLiteral() || expected.value === literal.text;
    }),
  );
}
