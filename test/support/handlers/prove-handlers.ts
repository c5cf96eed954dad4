import { testGenerator } from "@plumbline/codegen/testing";
import handlersGenerator from "@plumbline/generator-handlers";
import { ts } from "ts-morph";
import { randomFrom } from "../random/choices.js";
import { compileErrors, serverName, type Texts } from "./compile.js";
import { changeOperations, descriptionOf, randomOperations, type DescribedOperation } from "./description.js";
import { handlerEdits, implementHandlers } from "./edits.js";

/** What one random history of a project has shown. */
export interface HandlerProof {
  /** The edits that were made. */
  readonly edits: readonly string[];
  readonly isChanged: boolean;
  /** What is wrong, in words. */
  readonly errors: readonly string[];
  /** True where the generator has left something to the author. */
  readonly isUnclear: boolean;
}

const stateFile = ".plumbline-handlers.json";

/**
 * Generates handlers, edits them at random, changes the description at random, generates again, and checks what has become of the files: they compile,
 * nothing that a person wrote is lost, and a further run changes nothing.
 */
export async function proveHandlers(seed: number): Promise<HandlerProof> {
  const random = randomFrom(seed);
  const before = randomOperations(random);
  const first = await generate(before, {});
  let texts = implementHandlers(first.texts, random);
  const edits: string[] = [];
  for (let count = random.below(8); count > 0; count--) {
    const name = random.one(Object.keys(handlerEdits));
    const edited = await handlerEdits[name]?.(texts, random, String(count));
    if (edited === undefined || JSON.stringify(edited) === JSON.stringify(texts)) continue;
    // People save what compiles.
    const wrong = await compileErrors(edited, descriptionOf(before));
    if (wrong.length > 0) {
      if (process.env["SHOW"]) console.log("rejected", name, wrong[0]);
      continue;
    }
    texts = edited;
    edits.push(name);
  }
  const after = changeOperations(before, random);
  const second = await generate(after, { ...texts, [stateFile]: first.state });
  const third = await generate(after, { ...second.texts, [stateFile]: second.state });
  const names = renames(before, after);
  const errors = [
    ...(await compileErrors(second.texts, descriptionOf(after))),
    ...lostCode({ before: texts, after: second.texts, names }),
    ...missingHandlers(second.texts, after),
    ...(JSON.stringify(third) === JSON.stringify(second) ? [] : ["A second run changes files."]),
  ];
  return { edits, isChanged: JSON.stringify(texts) !== JSON.stringify(second.texts), errors, isUnclear: false, ...(process.env["SHOW"] ? { before: texts, after: second.texts, changes: JSON.stringify([before.map((e) => [e.name, e.path, e.tag].join(" ")), after.map((e) => [e.name, e.path, e.tag].join(" "))], undefined, 1) } : {}) };
}

async function generate(
  operations: readonly DescribedOperation[],
  output: Texts,
): Promise<{ readonly texts: Texts; readonly state: string }> {
  const files = await testGenerator(handlersGenerator, {
    description: descriptionOf(operations),
    config: { server: serverName },
    output,
  });
  const { [stateFile]: state = "", ["src/server.ts"]: _start, ...texts } = files;
  const { [stateFile]: _state, ...others } = output;
  return { texts: { ...others, ...texts }, state };
}

/** New names by old ones, of operations that keep their route. */
function renames(
  before: readonly DescribedOperation[],
  after: readonly DescribedOperation[],
): ReadonlyMap<string, string> {
  const routeOf = ({ method, path }: DescribedOperation): string => `${method} ${path}`;
  const now = new Map(after.map((each) => [routeOf(each), each.name] as const));
  return new Map(before.map((each) => [each.name, now.get(routeOf(each)) ?? each.name] as const));
}

interface Comparison {
  readonly before: Texts;
  readonly after: Texts;
  readonly names: ReadonlyMap<string, string>;
}

/** The pieces of code and comments of people that are not in the files any more. */
function lostCode({ before, after, names }: Comparison): readonly string[] {
  const whole = Object.values(after).map(uncommented).join("\n");
  const rest = piecesOf(whole);
  const lost: string[] = [];
  for (const text of Object.values(before))
    for (const [piece, count] of piecesOf(text)) {
      const renamed = rename(piece, names);
      const found = Math.max(rest.get(piece) ?? 0, rest.get(renamed) ?? 0);
      if (found < count) lost.push(`Lost: ${piece}`);
    }
  return lost;
}

function rename(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\w+/g, (word) => names.get(word) ?? word);
}

/** Turns code of removed operations back from comments. */
function uncommented(text: string): string {
  let indent: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const [, lead] = /^([ \t]*)\/\/ No longer in the description: /.exec(line) ?? [];
      if (lead !== undefined) {
        indent = lead;
        return "";
      }
      if (indent === undefined) return line;
      if (line.startsWith(`${indent}// `)) return indent + line.slice(indent.length + 3);
      if (/^\/\/( |\r?$)/.test(line)) return line.slice(line.startsWith("// ") ? 3 : 2);
      indent = undefined;
      return line;
    })
    .join("\n");
}

/** The functions, declarations, decorators and comments of a text, with their numbers. Stubs are no code of people. */
function piecesOf(text: string): ReadonlyMap<string, number> {
  const tree = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
  const pieces = new Map<string, number>();
  const add = (piece: string): void => void pieces.set(piece, (pieces.get(piece) ?? 0) + 1);
  const comments = new Set<number>();
  const addComments = (position: number): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(text, position) ?? []),
      ...(ts.getTrailingCommentRanges(text, position) ?? []),
    ]) {
      if (!comments.has(pos) && isOfPerson(text.slice(pos, end))) add(text.slice(pos, end).trimEnd());
      comments.add(pos);
    }
  };
  const visit = (node: ts.Node): void => {
    addComments(node.pos);
    addComments(node.end);
    const isCode =
      ts.isArrowFunction(node) ||
      ts.isFunctionExpression(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isDecorator(node);
    if (isCode && !/throw new NotImplementedError/.test(node.getText(tree))) add(node.getText(tree));
    if (ts.isMethodDeclaration(node) && node.body !== undefined) add(node.body.getText(tree));
    node.getChildren(tree).forEach(visit);
  };
  visit(tree);
  return pieces;
}

/** Comments of stubs are those of the description. */
function isOfPerson(comment: string): boolean {
  return !/^\/\/ Next: |^\/\*\*[^]*(?:GET|POST|PUT|DELETE) \/|The handlers of all operations/.test(comment);
}

/** The operations without a handler. */
function missingHandlers(texts: Texts, operations: readonly DescribedOperation[]): readonly string[] {
  const whole = Object.values(texts).join("\n");
  return operations.flatMap(({ name }) => (new RegExp(`\\b${name}\\b`).test(whole) ? [] : [`No handler ${name}`]));
}
