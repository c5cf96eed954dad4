import { ts } from "ts-morph";
import { findReferences } from "../../handlers/syntax/references.js";

/** Each file is searched once, whatever the number of its variables. */
const referencesByFile = new WeakMap<ts.SourceFile, ReturnType<typeof findReferences>>();

/** All mentions of a variable, without its declaration. */
export function referencesOf(name: ts.Identifier, checker: ts.TypeChecker): readonly ts.Identifier[] {
  const symbol = checker.getSymbolAtLocation(name);
  const file = name.getSourceFile();
  const inFile = referencesByFile.get(file) ?? findReferences(file);
  referencesByFile.set(file, inFile);
  const all = inFile.get(name.text) ?? [];
  return all.filter((each) => each !== name && symbolOf(each, checker) === symbol);
}

/** The variable that a mention means. */
export function symbolOf(node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  return ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
}
