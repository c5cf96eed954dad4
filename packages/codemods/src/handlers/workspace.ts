import type { ts } from "ts-morph";
import {
  findHandlerObjects,
  type HandlerMember,
  type HandlerObject,
  type HandlerObjectOptions,
} from "./objects/handler-objects.js";
import type { TypeList } from "./objects/type-lists.js";
import { parseSource, positionOf, type SourceIssue } from "./syntax/parse.js";
import { applyEdits, type TextEdit } from "./syntax/text-edits.js";

/** A handler of a workspace. */
export interface LocatedHandler {
  readonly path: string;
  readonly tree: ts.SourceFile;
  readonly object: HandlerObject;
  readonly member: HandlerMember;
}

/** The files with handlers, while steps change them. Each step sees the texts that the steps before it have left. */
export class HandlerWorkspace {
  readonly issues: SourceIssue[] = [];
  readonly #texts: Map<string, string>;
  readonly #original: ReadonlyMap<string, string>;
  readonly #options: HandlerObjectOptions;
  readonly #parsed = new Map<string, ParsedFile>();
  /** All handlers by name, until a text changes. */
  #located: ReadonlyMap<string, LocatedHandler> | undefined;

  constructor(texts: Readonly<Record<string, string>>, options: HandlerObjectOptions) {
    this.#original = new Map(Object.entries(texts));
    this.#texts = new Map(this.#original);
    this.#options = options;
  }

  get paths(): readonly string[] {
    return [...this.#texts.keys()];
  }

  has(path: string): boolean {
    return this.#texts.has(path);
  }

  text(path: string): string {
    return this.#texts.get(path) ?? "";
  }

  original(path: string): string | null {
    return this.#original.get(path) ?? null;
  }

  isChanged(path: string): boolean {
    return this.#texts.get(path) !== this.#original.get(path);
  }

  tree(path: string): ts.SourceFile {
    return this.#parse(path).tree;
  }

  objects(path: string): readonly HandlerObject[] {
    return this.#parse(path).objects;
  }

  /** The lists of names in the types of a file. Two objects may share one. */
  listsOf(path: string): readonly TypeList[] {
    const lists = this.objects(path).flatMap((object) => object.lists);
    return [...new Map(lists.map((list) => [list.node, list] as const)).values()];
  }

  /** All objects with handlers, by file. */
  allObjects(): readonly Pick<LocatedHandler, "path" | "tree" | "object">[] {
    return this.paths.flatMap((path) => this.objects(path).map((object) => ({ path, tree: this.tree(path), object })));
  }

  /** Finds a handler. Those of objects for one tag come before those of an object with all. */
  find(name: string): LocatedHandler | undefined {
    this.#located ??= this.#locate();
    return this.#located.get(name);
  }

  edit(path: string, edits: readonly TextEdit[]): void {
    if (edits.length > 0) this.write(path, applyEdits(this.text(path), edits));
  }

  write(path: string, text: string): void {
    this.#texts.set(path, text);
    this.#located = undefined;
  }

  /** Undoes the changes of a file since it had this text; undefined for a file that did not exist. */
  undo(path: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, text);
    this.#located = undefined;
  }

  /** Reports what only the author of a file can change. */
  report(path: string, position: number, text: Pick<SourceIssue, "message" | "fix">): void {
    const at = this.has(path) ? positionOf(this.tree(path), position) : { line: 1, column: 1 };
    this.issues.push({ path, ...at, ...text });
  }

  #locate(): ReadonlyMap<string, LocatedHandler> {
    const located = new Map<string, LocatedHandler>();
    for (const each of this.allObjects())
      for (const member of each.object.members) {
        const other = located.get(member.name);
        if (other === undefined || (other.object.isComplete && !each.object.isComplete))
          located.set(member.name, { ...each, member });
      }
    return located;
  }

  #parse(path: string): ParsedFile {
    const text = this.text(path);
    const cached = this.#parsed.get(path);
    if (cached?.tree.text === text) return cached;
    const tree = parseSource(path, text);
    const parsed = { tree, objects: findHandlerObjects(tree, this.#options) };
    this.#parsed.set(path, parsed);
    return parsed;
  }
}

interface ParsedFile {
  readonly tree: ts.SourceFile;
  readonly objects: readonly HandlerObject[];
}
