import { serverPath, type Api } from "@plumbline/model";
import { ts } from "ts-morph";
import { toComment } from "../../code-text.js";
import { decisionMarker, type CodeRecorder } from "../code-recorder.js";
import type { TextOf } from "../nested-edits.js";
import type { BackendSetUp, RegisteredHandler } from "./backend-set-up.js";

/** What becomes of the registered handlers. */
export interface MigratedHandlers {
  /** Handlers of operations, and those that stay as they are, with what to decide. */
  readonly entries: readonly MigratedEntry[];
  /** The code of the option `errorBody`. */
  readonly errorBody: string | undefined;
}

/** A handler in the object of the generated server. */
export interface MigratedEntry {
  readonly registered: RegisteredHandler;
  /** What a person has to decide about it. */
  readonly message?: string;
}

/** What a person has to decide about options of the tool. Others go: the generated server needs none of them. */
const undecidedOptions: Readonly<Record<string, string>> = {
  validate: "The server validates every request.",
  customizeAjv: "The server validates without Ajv: formats and keywords of your own are options of plumbline.yaml.",
};

/** Replaces the instance of the tool, and what registers its handlers, by a generated server. */
export function createServerCode(
  setUp: BackendSetUp,
  migrated: MigratedHandlers,
  { api, recorder }: { readonly api: Api; readonly recorder: CodeRecorder },
): void {
  const { declaration, statement, registrations, initializations } = setUp;
  const file = statement.getSourceFile();
  const createServer = recorder.importName(file, { imported: "createServer", isType: false });
  const options = serverOptions(setUp, migrated, api);
  for (const [name, message] of Object.entries(undecidedOptions)) {
    const option = setUp.options.properties.find((each) => each.name?.getText() === name);
    if (option !== undefined) recorder.report("toDecide", option, message);
  }
  const render = (textOf: TextOf): string => {
    const handlers = migrated.entries.map(({ registered, message }) =>
      toLines(entryText(registered, textOf), commentsOf(registered.node, message)),
    );
    const lines = options(textOf).map((each) => toLines(each, []));
    const modifiers = file.text.slice(statement.getStart(), declaration.getStart());
    const optionsText = lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n  }`;
    return `${modifiers}${declaration.name.getText()} = ${createServer}(\n  {\n${handlers.join("\n")}\n  },\n  ${optionsText},\n);`;
  };
  replaceStatements({ first: statement, registrations }, render, recorder);
  for (const each of initializations) removeStatement(each, recorder);
  recorder.report("done", statement, "Creates a generated server with its handlers.");
}

function toLines(text: string, comments: readonly string[]): string {
  return [...comments, `${text},`].map((each) => `    ${each}`).join("\n");
}

function commentsOf(node: ts.Node, message: string | undefined): readonly string[] {
  const { text } = node.getSourceFile();
  const isWhole = ts.isObjectLiteralElement(node) || ts.isStatement(node);
  const ranges = isWhole ? (ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []) : [];
  const own = ranges.map(({ pos, end }) => text.slice(pos, end));
  return message === undefined ? own : [...own, `// ${decisionMarker} ${toComment(message)}`];
}

/** A handler as a property of the object of the server. */
function entryText({ name, node, value }: RegisteredHandler, textOf: TextOf): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  if (ts.isMethodDeclaration(node)) return reindent(node, textOf(node));
  if (ts.isIdentifier(node) && value !== node) return `${key}: ${node.text}.${name}`;
  const text = reindent(node, textOf(value));
  return text === key ? key : `${key}: ${text}`;
}

/** The text of a handler with the indentation that it has in the object of handlers. Texts of several lines in it would change: it stays then. */
function reindent(node: ts.Node, text: string): string {
  if (ts.isIdentifier(node) || /`[^`]*\n[^`]*`/.test(text)) return text;
  const source = node.getSourceFile().text;
  const start = source.lastIndexOf("\n", node.getStart()) + 1;
  const [indent = ""] = /^[ \t]*/.exec(source.slice(start)) ?? [];
  return text.replaceAll(`\n${indent}`, "\n    ");
}

/** The options of the server, as code that may contain code of the old options. */
function serverOptions(
  setUp: BackendSetUp,
  { errorBody, entries }: MigratedHandlers,
  api: Api,
): (textOf: TextOf) => readonly string[] {
  const implemented = new Set(entries.map(({ registered }) => registered.name));
  const isComplete = api.operations.every(({ name }) => implemented.has(name));
  const basePath = basePathOf(setUp, api);
  return (textOf) => [
    ...(basePath === undefined ? [] : [`basePath: ${basePath}`]),
    ...(isComplete ? [] : ['missingHandlers: "not-implemented"']),
    ...(errorBody === undefined ? [] : [`errorBody: ${errorBody.replaceAll("\n", "\n    ")}`]),
    ...authenticateOption(setUp, api, textOf),
  ];
}

/** The tool matches paths from the root, or `apiRoot`. The server begins where the servers of the description do. */
function basePathOf({ options }: BackendSetUp, api: Api): string | undefined {
  const root = options.properties.find((each) => each.name?.getText() === "apiRoot");
  if (root !== undefined && ts.isPropertyAssignment(root) && !/^["'`]\/["'`]$/.test(root.initializer.getText()))
    return root.initializer.getText();
  return api.servers.every(({ url }) => serverPath(url) === "") ? undefined : '""';
}

function authenticateOption(setUp: BackendSetUp, api: Api, textOf: TextOf): readonly string[] {
  if (!needsCredentials(api) && setUp.securityHandlers.length === 0) return [];
  const handlers = setUp.securityHandlers.map((each) => entryText(each, textOf));
  const comment = `// ${decisionMarker} Each function receives a credential, and returns { caller }, or undefined for an unknown one.`;
  return [`${comment}\n    authenticate: { ${handlers.join(", ")} }`];
}

/** Whether operations need credentials. */
export function needsCredentials({ operations }: Api): boolean {
  return operations.some(({ security }) => security.some((schemes) => schemes.length > 0));
}

/** Replaces statements by one in the place of the last. Statements between them stay in front of it. */
function replaceStatements(
  { first, registrations }: { readonly first: ts.Statement; readonly registrations: readonly ts.Statement[] },
  render: (textOf: TextOf) => string,
  recorder: CodeRecorder,
): void {
  const file = first.getSourceFile();
  const replaced = new Set<ts.Statement>([first, ...registrations]);
  const sorted = [...replaced].sort((a, b) => a.getStart() - b.getStart());
  const last = sorted.at(-1) ?? first;
  const start = (sorted[0] ?? first).getStart();
  const { parent } = first;
  const siblings = ts.isBlock(parent) || ts.isSourceFile(parent) ? parent.statements : [];
  const between = siblings.filter(
    (each) => each.getStart() >= start && each.getEnd() <= last.getEnd() && !replaced.has(each),
  );
  recorder.edit(file, {
    start,
    end: last.getEnd(),
    text: (textOf) => {
      const kept = between.map((each, index) => {
        const trivia = file.text.slice(each.getFullStart(), each.getStart());
        return `${index === 0 ? trivia.replace(/^\s+/, "") : trivia}${textOf(each)}`;
      });
      const comments = sorted.slice(1).flatMap((each) => commentsOf(each, undefined));
      const server = [...comments, render(textOf)].join("\n");
      return [kept.join(""), server].filter(Boolean).join("\n\n");
    },
  });
}

/** Removes a statement with its line, and one of the empty lines around it. */
export function removeStatement(statement: ts.Statement, recorder: CodeRecorder): void {
  const file = statement.getSourceFile();
  const { text } = file;
  const start = text.lastIndexOf("\n", statement.getStart()) + 1;
  const [rest = ""] = /^[^\n]*\n?/.exec(text.slice(statement.getEnd())) ?? [];
  const isAlone = text.slice(start, statement.getStart()).trim() === "" && rest.trim() === "";
  const end = statement.getEnd() + rest.length;
  const isBetweenEmpty = /\n\r?\n$/.test(text.slice(0, start)) && /^\r?\n/.test(text.slice(end));
  const [extra = ""] = isBetweenEmpty ? (/^\r?\n/.exec(text.slice(end)) ?? []) : [];
  const range = isAlone ? { start, end: end + extra.length } : { start: statement.getStart(), end: statement.getEnd() };
  recorder.edit(file, { ...range, text: "" });
}
