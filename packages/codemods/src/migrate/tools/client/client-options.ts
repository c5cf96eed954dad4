import { ts } from "ts-morph";
import { unwrap } from "../../../impact/expressions.js";
import { decisionMarker } from "../code-recorder.js";
import type { TextOf } from "../nested-edits.js";
import { commentsOf, namedProperties, printObject, printProperty, valueOf } from "./call-text.js";
import { describeDecision } from "./decisions.js";
import { fetchOptions } from "./fetch-options.js";

/** The new options of a client. */
export interface NewOptions {
  readonly text: (textOf: TextOf) => string;
  /** Old options without a counterpart, which the new ones keep below a comment. Report them as something to decide. */
  readonly undecided: readonly { readonly node: ts.Node; readonly message: string }[];
}

/** An option that is added to those of the code. */
export interface AddedOption {
  readonly key: string;
  readonly text: (textOf: TextOf) => string;
  /** The property in old code whose comments it keeps. */
  readonly from?: ts.ObjectLiteralElementLike;
}

/** How options of a client are rewritten. */
export interface OptionRewrites {
  /** The new names of options, by their old ones. */
  readonly rewrites: Readonly<Record<string, string>>;
  /** Whether clients of the API have the option `token`. */
  readonly takesToken: boolean;
  readonly added?: readonly AddedOption[];
  /** The node in whose place the options are printed. Default: the old options. */
  readonly at?: ts.Node;
}

type PrintedOption = (indent: string, textOf: TextOf) => string;

/**
 * Rewrites the options of a client.
 *
 * @returns undefined if the options are not an object with names
 */
export function rewriteClientOptions(
  options: ts.Expression | undefined,
  { rewrites, takesToken, added = [], at }: OptionRewrites,
): NewOptions | undefined {
  const extra = added.map(({ key, text, from }): PrintedOption => {
    const comments = (indent: string): string => (from === undefined ? "" : commentsOf(from, indent));
    return (indent, textOf) => `${comments(indent)}${key}: ${text(textOf)}`;
  });
  const like = options && unwrap(options);
  if (like === undefined) return { text: printer(extra, undefined, at), undecided: [] };
  const properties = ts.isObjectLiteralExpression(like) ? namedProperties(like) : undefined;
  if (!ts.isObjectLiteralExpression(like) || properties === undefined) return undefined;
  const undecided: { node: ts.Node; message: string }[] = [];
  const printed: PrintedOption[] = [];
  for (const [key, from] of properties) {
    const value = valueOf(from);
    const authorization = key === "headers" && takesToken ? readAuthorization(from) : undefined;
    const renamed = Object.hasOwn(rewrites, key) && fitsOption(rewrites[key], value) ? rewrites[key] : undefined;
    if (authorization !== undefined) printed.push(...authorization);
    else if (fetchOptions.has(key) && (takesToken || key !== "credentials"))
      printed.push((indent, textOf) => printProperty({ key, from }, indent, textOf));
    else if (renamed !== undefined && (renamed !== "token" || takesToken))
      printed.push((indent, textOf) => printProperty({ key: renamed, from }, indent, textOf));
    else {
      const message = describeDecision(key);
      undecided.push({ node: from, message });
      printed.push(
        (indent, textOf) => `// ${decisionMarker} ${message}\n${indent}${printProperty({ key, from }, indent, textOf)}`,
      );
    }
  }
  return { text: printer([...printed, ...extra], like, at), undecided };
}

function printer(
  properties: readonly PrintedOption[],
  like: ts.ObjectLiteralExpression | undefined,
  at: ts.Node | undefined,
): NewOptions["text"] {
  return (textOf) => {
    if (properties.length === 0) return "";
    const printed = properties.map((each) => (indent: string) => each(indent, textOf));
    return printObject(printed, like, at);
  };
}

/** Whether an option can have the value of the old one: a token may be a function without parameters, other options are values. */
function fitsOption(option: string | undefined, value: ts.Expression): boolean {
  if (!ts.isArrowFunction(value) && !ts.isFunctionExpression(value)) return true;
  return option === "token" && value.parameters.length === 0;
}

/** Headers with `Authorization: Bearer …`: the token, and the other headers. */
function readAuthorization(
  from: ts.PropertyAssignment | ts.ShorthandPropertyAssignment,
): readonly PrintedOption[] | undefined {
  const object = unwrap(valueOf(from));
  const properties = ts.isObjectLiteralExpression(object) ? namedProperties(object) : undefined;
  const header = [...(properties ?? [])].find(([key]) => key.toLowerCase() === "authorization");
  const token = header && readBearer(valueOf(header[1]));
  if (token === undefined || properties === undefined || header === undefined) return undefined;
  const nested = [...properties].filter((each) => each[1] !== header[1]).map(([key, each]) => ({ key, from: each }));
  const printToken: PrintedOption = (indent, textOf) => {
    const text = typeof token === "string" ? token : textOf(token);
    return `${commentsOf(from, indent)}${text === "token" ? text : `token: ${text}`}`;
  };
  if (nested.length === 0) return [printToken];
  return [printToken, (indent, textOf) => printProperty({ key: "headers", from, nested }, indent, textOf)];
}

/** The token in a text that begins with `Bearer `. */
function readBearer(value: ts.Expression): ts.Expression | string | undefined {
  const prefix = "Bearer ";
  if (ts.isStringLiteralLike(value))
    return value.text.startsWith(prefix) ? JSON.stringify(value.text.slice(prefix.length)) : undefined;
  if (!ts.isTemplateExpression(value) || value.head.text !== prefix) return undefined;
  const [span, ...others] = value.templateSpans;
  return span !== undefined && others.length === 0 && span.literal.text === "" ? span.expression : undefined;
}
