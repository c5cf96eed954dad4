import { ts } from "ts-morph";
import { printCall, printObject, printProperty, valueOf, type NewCall } from "../client/call-text.js";
import type { TextOf } from "../nested-edits.js";

/** An infinite query whose pages the code selects itself. */
export interface InfiniteCall {
  /** The call that loads a page, without its number. */
  readonly call: NewCall;
  /** The function that returns the query of the operation. */
  readonly query: string;
  /** The parameter of the query that selects a page. */
  readonly page: string;
  /** The indentation of the second line. */
  readonly indent: string;
}

/** Prints the key and the function of an infinite query. Generated clients have them for pages that the description names only. */
export function infiniteText({ call, query, page, indent }: InfiniteCall, textOf: TextOf): string {
  const others = call.request.filter(({ key }) => key !== "query");
  const from = call.request.find(({ key }) => key === "query")?.from;
  const given = from === undefined ? "" : `${propertiesOf(from, textOf)}, `;
  const request = printObject(
    [
      ...others.map((each) => (margin: string) => printProperty(each, margin, textOf)),
      () => `query: { ${given}${page}: pageParam }`,
    ],
    undefined,
  );
  const key = printCall({ ...call, name: query, options: [] }, textOf);
  return `queryKey: [...${key}.queryKey, "pages"],
${indent}queryFn: ({ pageParam, signal }) => ${call.name}(${call.client}, ${request}, { signal })`;
}

/** The properties of an object, to be copied into another. */
function propertiesOf(from: ts.Node, textOf: TextOf): string {
  const value =
    ts.isPropertyAssignment(from) || ts.isShorthandPropertyAssignment(from) ? valueOf(from) : (from as ts.Expression);
  if (!ts.isObjectLiteralExpression(value)) return `...${textOf(value)}`;
  return value.properties.map((each) => textOf(each)).join(", ");
}
