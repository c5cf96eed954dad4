import type { Case, Template } from "@plumbline/conformance-runtime";
import { headerNames, memoize, type Operation, statedLimits } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { planRequest } from "../../requests/request-plan.js";

const namesOf = memoize(headerNames);

/** Cases of response headers. */
export function headerCases(context: ConformanceContext): readonly Case[] {
  const names = namesOf(context.api);
  const operation = context.api.operations.find((each) => each.method === "GET" && each.security.length > 0);
  const { requestId, scopes, acceptedScopes, noScopes } = names;
  if (operation === undefined || context.api.scopeGrammar === undefined || requestId === undefined) return [];
  const { call } = planRequest(context, operation, { objects: "shared" });
  const id = requestId.toLowerCase();
  const isDocumented = operation.responses.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === id));
  return [
    ...(isDocumented ? [requestIdCase(context, operation, id)] : []),
    ...(scopes === undefined || noScopes === undefined
      ? []
      : [
          createCase(context, {
            operation,
            kind: "responses",
            idParts: ["headers", "no-token"],
            title: "Without a token the response lists the required scopes, and no own ones",
            requirements: requirementIds(operation.sources),
            readOnly: true,
            steps: [
              {
                ...call,
                by: "anonymous",
                expect: {
                  status: [401, 403],
                  headers: {
                    [scopes.toLowerCase()]: { const: noScopes },
                    ...(acceptedScopes === undefined
                      ? {}
                      : { [acceptedScopes.toLowerCase()]: { const: requiredScopes(operation) } }),
                  },
                },
              },
            ],
          }),
        ]),
  ];
}

function requiredScopes({ security }: Operation): Template {
  return security[0]?.flatMap(({ scopes }) => scopes).join(",") ?? "*";
}

/** Each response has a unique id. */
function requestIdCase(context: ConformanceContext, operation: Operation, header: string): Case {
  const plan = planRequest(context, operation, { objects: "shared" });
  return createCase(context, {
    operation,
    kind: "responses",
    idParts: ["headers", header],
    title: "Every response has a unique id",
    requirements: requirementIds(operation.sources),
    readOnly: true,
    steps: [
      ...plan.setupSteps,
      {
        ...plan.call,
        as: "first",
        expect: { headers: { [header]: { type: "string", ...statedLimits("characters", { least: 1 }) } } },
      },
      { ...plan.call, as: "second" },
      {
        check: { $get: `second#/headers/${header}` },
        matches: { not: { const: { $get: `first#/headers/${header}` } } },
        message: "Two responses have the same id.",
      },
    ],
  });
}
