import handlersGenerator from "@plumbline/generators/handlers";
import { testGenerator } from "@plumbline/kit/codegen/testing";
import { ts } from "ts-morph";
import { randomFrom } from "../random/choices.js";
import { compileErrors, serverName, type Texts } from "./compile.js";
import { changeOperations, descriptionOf, randomOperations, type DescribedOperation } from "./description.js";
import { handlerEdits, implementHandlers } from "./edits.js";

/** What one random history of a project has shown. */
export interface HandlerProof {
  /** The names of the edits that were made. */
  readonly edits: readonly string[];
  /** The number of handlers that were renamed, moved, removed or added. */
  readonly changes: number;
  /** What is wrong, in words. */
  readonly errors: readonly string[];
}

const stateFile = ".plumbline-handlers.json";

/** What a proof uses. Default: the generator, and the compiler. */
export interface ProofTools {
  readonly generate?: typeof generateHandlers;
  /** Returns the errors of a project for a description. */
  readonly compile?: typeof compileErrors;
}

/** The result of `plumbline generate`: the files of people, and what the next run needs. */
interface Project {
  readonly texts: Texts;
  readonly state: string;
}

/**
 * Generates handlers, edits them at random, changes the description at random, and generates again. Then the files have to compile, nothing that a
 * person wrote may be lost, and a further run may change nothing. The same holds after the description has been changed back.
 */
export async function proveHandlers(
  seed: number,
  { generate = generateHandlers, compile = compileErrors }: ProofTools = {},
): Promise<HandlerProof> {
  const random = randomFrom(seed);
  const before = randomOperations(random);
  const first = await generate(before, { texts: {}, state: "" });
  let texts = implementHandlers(first.texts, random);
  const edits: string[] = [];
  for (let count = random.below(8); count > 0; count--) {
    const name = random.one(Object.keys(handlerEdits));
    const edited = await handlerEdits[name]?.(texts, random, String(count));
    if (edited === undefined || JSON.stringify(edited) === JSON.stringify(texts)) continue;
    // People save what compiles.
    if ((await compile(edited, descriptionOf(before))).length > 0) continue;
    texts = edited;
    edits.push(name);
  }
  const after = changeOperations(before, random);
  const written = { texts, state: first.state };
  const second = await generate(after, written);
  const errors = await errorsOf({ before: written, after: second, operations: after, names: renames(before, after) });
  const third = await generate(before, second);
  const back = await errorsOf({ before: written, after: third, operations: before, names: new Map() });
  const routes = new Map(before.map((each) => [each.name, JSON.stringify(each)] as const));
  const changed = after.filter((each) => routes.get(each.name) !== JSON.stringify(each)).length;
  const removed = before.filter(({ name }) => !after.some((each) => each.name === name)).length;
  return { edits, changes: changed + removed, errors: [...errors, ...back.map((error) => `Back: ${error}`)] };

  async function errorsOf(comparison: Comparison): Promise<readonly string[]> {
    const { after: project, operations } = comparison;
    const again = await generate(operations, project);
    return [
      ...(await compile(project.texts, descriptionOf(operations))),
      ...lostCode(comparison),
      ...missingHandlers(comparison),
      ...(JSON.stringify(again) === JSON.stringify(project) ? [] : ["A second run changes files."]),
    ];
  }
}

interface Comparison {
  readonly before: Project;
  readonly after: Project;
  readonly operations: readonly DescribedOperation[];
  /** New names by old ones. */
  readonly names: ReadonlyMap<string, string>;
}

/** Runs the generator as `plumbline generate` does. */
export async function generateHandlers(
  operations: readonly DescribedOperation[],
  { texts, state }: Project,
): Promise<Project> {
  const files = await testGenerator(handlersGenerator, {
    description: descriptionOf(operations),
    config: { server: serverName },
    output: state === "" ? texts : { ...texts, [stateFile]: state },
  });
  const { [stateFile]: next = "", ["src/server.ts"]: _start, ...changed } = files;
  return { texts: { ...texts, ...changed }, state: next };
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

/** The pieces of code and comments of people that are not in the files any more. */
function lostCode({ before, after, names }: Comparison): readonly string[] {
  const whole = Object.values(after.texts).map(uncommented).join("\n");
  const rest = piecesOf(whole);
  const lost: string[] = [];
  for (const text of Object.values(before.texts))
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

/** The functions, declarations, decorators and comments of a text, with their numbers. Stubs do not count. */
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
    // A function that returns handlers gets new ones; what is inside of it counts.
    const returnsHandlers = ts.isFunctionDeclaration(node) && /\bHandlers\b/.test(node.type?.getText(tree) ?? "");
    const isStub = /throw new NotImplementedError/.test(node.getText(tree));
    if (isCode && !isStub && !returnsHandlers) add(node.getText(tree));
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
function missingHandlers({ after, operations }: Comparison): readonly string[] {
  const whole = Object.values(after.texts).join("\n");
  return operations.flatMap(({ name }) => (new RegExp(`\\b${name}\\b`).test(whole) ? [] : [`No handler ${name}`]));
}
