import { ts } from "ts-morph";

/** A name that a source file declares and exports. */
export interface ExportedName {
  readonly name: string;
  /** From 1. */
  readonly line: number;
  readonly kind: "type" | "function" | "constant" | "class" | "error";
  /** The value is a number, or computed from numbers. */
  readonly isNumeric: boolean;
}

/** The names that a file declares and exports, without re-exports of other files. */
export function readExportedNames(file: string, text: string): readonly ExportedName[] {
  const tree = ts.createSourceFile(file, text, options);
  const lineOf = (node: ts.Node): number => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
  const names = tree.statements.flatMap((statement): readonly ExportedName[] => {
    if (!isExported(statement)) return [];
    const of = (name: ts.Node | undefined, kind: ExportedName["kind"], isNumeric = false): readonly ExportedName[] =>
      name !== undefined && ts.isIdentifier(name)
        ? [{ name: name.text, line: lineOf(statement), kind, isNumeric }]
        : [];
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return of(statement.name, "type");
    if (ts.isFunctionDeclaration(statement)) return of(statement.name, "function");
    if (ts.isClassDeclaration(statement)) return of(statement.name, extendsError(statement) ? "error" : "class");
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      of(name, isFunction(initializer) ? "function" : "constant", isNumber(initializer)),
    );
  });
  // An overload has a declaration for each signature.
  return names.filter(({ name }, index) => names.findIndex((each) => each.name === name) === index);
}

/** Returns the error of a name; undefined for a valid one. */
export function findNameError({ name, kind, isNumeric }: ExportedName): string | undefined {
  const words = name.split(/(?<=[a-z\d])(?=[A-Z])|_/).map((word) => word.toLowerCase());
  const dialect = words.find((word) => dialectWords.has(word));
  if (dialect !== undefined) return `"${dialect}" is a word of no field; GLOSSARY.md has the field's`;
  const [only = ""] = words;
  if (words.length === 1 && pronouns.has(only)) return "a pronoun says nothing in an import list";
  if (words.length === 1 && isParticiple(only)) return "a participle alone does not say of what";
  if (kind === "error" && !name.endsWith("Error")) return "the name of an error ends in Error";
  if (isNumeric && measured.test(name) && !units.test(name)) return "a constant that is measured ends in its unit";
  return undefined;
}

const dialectWords: ReadonlySet<string> = new Set(
  ["tell", "tells", "told", "telling", "teller", "judge", "judges", "judged", "judging", "judgement", "refuse"].concat(
    ["refuses", "refused", "refusal", "refusals", "refusing", "reply", "replies", "fault", "faults", "around"],
    ["shown", "leavings", "anew", "keeper", "spot", "taking", "nobody", "whoever", "somebody", "mended"],
  ),
);

const pronouns: ReadonlySet<string> = new Set(
  [
    "one",
    "other",
    "others",
    "it",
    "them",
    "this",
    "that",
    "some",
    "something",
    "nothing",
    "everything",
    "anything",
  ].concat(["all", "none", "each", "few", "many", "most", "whole", "rest"]),
);

const irregular: ReadonlySet<string> = new Set(
  [
    "made",
    "found",
    "given",
    "sent",
    "held",
    "kept",
    "known",
    "taken",
    "written",
    "left",
    "stood",
    "begun",
    "gone",
  ].concat([
    "bound",
    "chosen",
    "drawn",
    "driven",
    "hidden",
    "met",
    "said",
    "seen",
    "sought",
    "spent",
    "understood",
    "built",
  ]),
);

/** Nouns and verbs that end like participles. */
const nouns: ReadonlySet<string> = new Set([
  "embed",
  "seed",
  "feed",
  "need",
  "heading",
  "string",
  "setting",
  "encoding",
]);

function isParticiple(word: string): boolean {
  return irregular.has(word) || (/(ed|ing)$/.test(word) && !nouns.has(word) && word.length > 4);
}

const measured = /timeout|wait|delay|interval|duration|patience|deadline|lifetime|window|memory|weight|size$|ttl/i;
const units = /(ms|seconds|minutes|hours|days|bytes|kib|mib|gib|characters|entries|percent)$/i;

const options: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

function isExported(node: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

function extendsError({ heritageClauses }: ts.ClassDeclaration): boolean {
  const bases = heritageClauses?.flatMap(({ types }) => types.map(({ expression }) => expression)) ?? [];
  return bases.some((base) => ts.isIdentifier(base) && base.text.endsWith("Error"));
}

function isFunction(node: ts.Expression | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
}

function isNumber(node: ts.Expression | undefined): boolean {
  if (node === undefined) return false;
  if (ts.isBinaryExpression(node)) return isNumber(node.left) || isNumber(node.right);
  return ts.isNumericLiteral(node);
}
