import { describeResponse, describeRequest, type DiffCase } from "./diff-cases.support.js";
import { keywordChanges } from "./keywords.cases.support.js";
import { subschemaChanges } from "./subschemas.cases.support.js";

/** Two cases for each change: in a request and in a response. */
export const schemaDiffCases: readonly DiffCase[] = [...keywordChanges, ...subschemaChanges].flatMap(
  ({ what, old, next, schemas = "", request, response }) => {
    const [before, after] = typeof schemas === "string" ? [schemas, schemas] : schemas;
    return [
      {
        what: `${what}, in a request`,
        old: describeRequest(old, before),
        next: describeRequest(next, after),
        expected: request.map((each) => withDirection("request", each)),
      },
      {
        what: `${what}, in a response`,
        old: describeResponse(old, before),
        next: describeResponse(next, after),
        expected: response.map((each) => withDirection("response", each)),
      },
    ];
  },
);

/** Codes without a direction are the same for requests and responses. */
function withDirection(direction: "request" | "response", code: string): string {
  return /^(schema|text)-/.test(code) ? code : `${direction}-${code}`;
}
