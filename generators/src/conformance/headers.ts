import type { Case, Template } from "@plumbline/conformance-runtime";
import type { Operation } from "../model/api.js";
import { once } from "../model/once.js";
import { headerNames } from "../model/headers.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { planOf } from "./plans.js";

const namesOf = once(headerNames);

/** Cases of response headers. */
export function headerCases(context: Context): readonly Case[] {
  const names = namesOf(context.api);
  const operation = context.api.operations.find((each) => each.method === "GET" && each.security.length > 0);
  const { requestId, scopes, acceptedScopes } = names;
  if (operation === undefined || context.api.scopes === undefined || requestId === undefined) return [];
  const { call } = planOf(context, operation, { objects: "shared" });
  const id = requestId.toLowerCase();
  const isTold = operation.replies.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === id));
  return [
    ...(isTold ? [requestIdCase(context, operation, id)] : []),
    ...(scopes === undefined
      ? []
      : [
          caseOf(context, {
            operation,
            kind: "replies",
            about: ["headers", "no-token"],
            title: "Without a token the response lists the required scopes, and no own ones",
            requirements: requirementsOf(operation.sources),
            safe: true,
            steps: [
              {
                ...call,
                by: "anonymous",
                expect: {
                  status: [401, 403],
                  headers: {
                    [scopes.toLowerCase()]: { const: "unknown" },
                    ...(acceptedScopes === undefined
                      ? {}
                      : { [acceptedScopes.toLowerCase()]: { const: wanted(operation) } }),
                  },
                },
              },
            ],
          }),
        ]),
  ];
}

function wanted({ security }: Operation): Template {
  return security[0]?.flatMap(({ scopes }) => scopes).join(",") ?? "*";
}

/** Each response has a unique id. */
function requestIdCase(context: Context, operation: Operation, header: string): Case {
  const plan = planOf(context, operation, { objects: "shared" });
  return caseOf(context, {
    operation,
    kind: "replies",
    about: ["headers", header],
    title: "Every response has a unique id",
    requirements: requirementsOf(operation.sources),
    safe: true,
    steps: [
      ...plan.before,
      { ...plan.call, as: "first", expect: { headers: { [header]: { type: "string", minLength: 1 } } } },
      { ...plan.call, as: "second" },
      {
        check: { $get: `second#/headers/${header}` },
        matches: { not: { const: { $get: `first#/headers/${header}` } } },
        message: "Two responses have the same id.",
      },
    ],
  });
}
