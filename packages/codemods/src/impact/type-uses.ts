import { ts } from "ts-morph";
import type { CodeUse } from "./code-use.js";
import { readText } from "./expressions.js";
import type { UseSearch } from "./use-search.js";

/** `Pet["status"]`, `paths["/pets"]["get"]` and `components["schemas"]["Pet"]` */
export function usesOfIndexedType(
  { objectType, indexType }: ts.IndexedAccessTypeNode,
  search: UseSearch,
): readonly CodeUse[] {
  const type = search.reader.checker.getTypeFromTypeNode(objectType);
  return literalTexts(indexType).flatMap((name) => typePropertyUses(type, name, indexType, search));
}

/** `Pick<Pet, "id" | "status">` and `Omit<Pet, "status">` */
export function usesOfPick({ typeName, typeArguments }: ts.TypeReferenceNode, search: UseSearch): readonly CodeUse[] {
  const [of, keys] = typeArguments ?? [];
  if (of === undefined || keys === undefined || !ts.isIdentifier(typeName) || !/^(Pick|Omit)$/.test(typeName.text))
    return [];
  const type = search.reader.checker.getTypeFromTypeNode(of);
  return literalTexts(keys).flatMap((name) => typePropertyUses(type, name, keys, search));
}

/** `import("...").Pet` */
export function usesOfImportType(node: ts.ImportTypeNode, { reader }: UseSearch): readonly CodeUse[] {
  const { qualifier } = node;
  if (qualifier === undefined) return [];
  const name = qualifier.getText();
  return reader
    .ofSymbol(reader.checker.getSymbolAtLocation(qualifier))
    .filter(({ kind, path }) => kind === "schema" && path.length === 0)
    .map((part) => ({ kind: "type", part, node: qualifier, name }));
}

const methods = /^(get|put|post|delete|options|head|patch|trace)$/;

function typePropertyUses(type: ts.Type, name: string, node: ts.Node, { reader }: UseSearch): readonly CodeUse[] {
  return reader
    .property(type, name)
    .flatMap(reader.ofSymbol)
    .map((part): CodeUse => {
      if (part.kind === "operation") return { kind: "mention", part, node, name, isPath: methods.test(name) };
      if (part.kind === "schema" && part.path.length === 0) return { kind: "type", part, node, name };
      return { kind: "read", part, node, isGuarded: false, hasDefault: false, isType: true };
    });
}

function literalTexts(node: ts.TypeNode): readonly string[] {
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(literalTexts);
  const text = ts.isLiteralTypeNode(node) ? readText(node.literal) : undefined;
  return text === undefined ? [] : [text];
}
