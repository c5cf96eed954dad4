import { partChanges } from "./parts.cases.support.js";
import { replyOf, requestOf, type Case } from "./testing.support.js";
import { valueChanges } from "./values.cases.support.js";

/** Two cases for each change: in a request and in a response. */
export const shapeCases: readonly Case[] = [...valueChanges, ...partChanges].flatMap(
  ({ what, old, next, schemas = "", request, reply }) => {
    const [before, after] = typeof schemas === "string" ? [schemas, schemas] : schemas;
    return [
      {
        what: `${what}, in a request`,
        old: requestOf(old, before),
        next: requestOf(next, after),
        expected: request.map((each) => inDirection("request", each)),
      },
      {
        what: `${what}, in a response`,
        old: replyOf(old, before),
        next: replyOf(next, after),
        expected: reply.map((each) => inDirection("reply", each)),
      },
    ];
  },
);

/** Codes without a direction are the same for requests and responses. */
function inDirection(direction: "request" | "reply", code: string): string {
  return /^(shape|text)-/.test(code) ? code : `${direction}-${code}`;
}
