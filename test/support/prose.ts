import { ts } from "ts-morph";

/** Some text that people read: a paragraph, a comment, or a message. */
export interface Passage {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** Words of the project's former dialect, each with a pattern, and the field's word. */
export const forbidden: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /\b(told|tells|telling)\b/i, instead: "report, respond, format" },
  { pattern: /\b(whoever|nobody|somebody)\b/i, instead: "the name of who acts: the caller, the server, a client" },
  { pattern: /\bsomebody else/i, instead: "third-party, another account" },
  { pattern: /\bunless said\b/i, instead: "Default: …" },
  {
    pattern: /(?<!\bthere )\b(is|are) no (?!longer|more|less|later|earlier|fewer|shorter|other)/i,
    instead: "is not a valid …, has no …",
  },
  { pattern: /\b(judge|judges|judged|judging|judgements?)\b/i, instead: "validate, check, evaluate" },
  { pattern: /\b(refuse|refuses|refused|refusing|refusals?)\b/i, instead: "reject, error" },
  { pattern: /\b(reply|replies|replied|replying)\b/i, instead: "response, respond" },
  { pattern: /\b(leavings|anew|mended)\b/i, instead: "what it is: cleanup, again, fixed" },
  { pattern: /\bnone of ours\b/i, instead: "unknown" },
];

/** A sentence that is longer is hard to read. */
export const maxSentenceWords = 35;

/** Passages of a Markdown text, or of a template of one, without code. */
export function readMarkdown(text: string): readonly Passage[] {
  const passages: Passage[] = [];
  let inCode = false;
  let start = 1;
  let lines: string[] = [];
  const flush = (): void => {
    const joined = lines.join(" ");
    // The cells of a table are texts of their own.
    for (const each of joined.startsWith("|") ? joined.split(/(?<!\\)\|/) : [joined])
      if (each.trim() !== "") passages.push({ line: start, text: withoutMarkup(each) });
    lines = [];
  };
  for (const [index, line] of text.split("\n").entries()) {
    const trimmed = line.trim().replace(/^>\s?/, "");
    const isFence = /^(```|~~~)/.test(trimmed);
    if (isFence || trimmed === "" || /^([-*+]|\d+\.|#+|\|)\s?/.test(trimmed)) flush();
    if (isFence) inCode = !inCode;
    else if (!inCode && trimmed !== "") {
      if (lines.length === 0) start = index + 1;
      lines.push(trimmed);
    }
    if (trimmed.startsWith("#") || trimmed.startsWith("|")) flush();
  }
  flush();
  return passages;
}

/** Passages of a template of a page: the texts between its elements. Links, code and emphasis are within texts. */
export function readHtml(template: string): readonly Passage[] {
  const passages: Passage[] = [];
  let line = 1;
  for (const text of template.split(/(<\/?(?!\/?(?:a|code|em|strong)\b)[a-z!][^>]*>)/i)) {
    if (!text.startsWith("<")) passages.push({ line, text: withoutMarkup(text.replaceAll(/<[^>]*>/g, "")) });
    line += text.split("\n").length - 1;
  }
  return passages.filter(({ text }) => text.trim() !== "");
}

/** Comments of a source file, and those of its texts that are messages: three words or more. */
export function readProse(file: string, text: string): readonly Passage[] {
  const tree = ts.createSourceFile(file, text, options);
  const passages: Passage[] = [];
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
  const commentsAt = new Set<number>();
  const addComments = (position: number): void => {
    const ranges = ts.getLeadingCommentRanges(text, position) ?? [];
    const [first] = ranges;
    if (first === undefined || commentsAt.has(first.pos)) return;
    commentsAt.add(first.pos);
    // Lines of `//` below each other are one text.
    const comments = ranges.map(({ pos, end }) => commentText(text.slice(pos, end)));
    passages.push({ line: lineAt(first.pos), text: comments.join(first.kind === lineComment ? " " : "\n\n") });
  };
  const visit = (node: ts.Node): void => {
    addComments(node.getFullStart());
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const message = ts.isStringLiteralLike(node) ? node.text : templateText(node);
      if (isMessage(message)) passages.push({ line: lineAt(node.getStart(tree)), text: withoutMarkup(message) });
    }
    if (ts.isTemplateExpression(node)) for (const { expression } of node.templateSpans) visit(expression);
    else ts.forEachChild(node, visit);
  };
  visit(tree);
  addComments(tree.endOfFileToken.getFullStart());
  return passages;
}

/** What is wrong with passages, a line each. */
export function findProseErrors(file: string, passages: readonly Passage[]): readonly string[] {
  return passages.flatMap(({ line, text }) => [
    ...forbidden.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${file}:${line}: "${found.trim()}". Write: ${instead}.`];
    }),
    ...sentencesOf(text)
      .map((sentence) => ({ sentence, words: sentence.split(/\s+/).filter((word) => /\w/.test(word)).length }))
      .filter(({ words }) => words > maxSentenceWords)
      .map(({ sentence, words }) => `${file}:${line}: ${words} words: "${sentence.slice(0, 60)}…"`),
  ]);
}

const options: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

const lineComment = ts.SyntaxKind.SingleLineCommentTrivia;

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?:;])\s+|\||\n\s*\n|\n\s*(?=[-*@])/);
}

function commentText(comment: string): string {
  const inner = comment
    .replace(/^\/\*\*?|\*\/$/g, "")
    .replace(/^\/\/\/?/, "")
    .replace(/```[^]*?```/g, "")
    .replace(/@example[^]*?(?=\n\s*\*\s*@|$)/g, "")
    .replaceAll(/^[ \t]*\*[ \t]?/gm, "");
  return withoutMarkup(inner);
}

/** Removes what is not prose: names in backquotes, addresses and the targets of links. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll(/`[^`]*`/g, "`x`")
    .replaceAll(/\]\([^)]*\)/g, "]")
    .replaceAll(/<!--[^]*?-->/g, "")
    .replaceAll(/\{\{[^}]*\}\}/g, "x")
    .replaceAll(/\{@link [^}]*\}/g, "x")
    .replaceAll(/https?:\/\/\S+/g, "x");
}

function templateText(node: ts.TemplateExpression): string {
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("x");
}

/** Three words with blanks between them, and no sign of code or markup. */
function isMessage(text: string): boolean {
  return (
    /[A-Za-z]+[,.:;]? [A-Za-z]+[,.:;]? [A-Za-z]+/.test(text) &&
    !/=>|^<|;\n|\{\n|^import |\bconst \w|\n {2,}\w/.test(text)
  );
}
