import type { Case } from "@plumbline/conformance-runtime";
import type { Operation } from "../model/api.js";
import { caseOf, requirementsOf, type Context } from "./context.js";
import { listCases } from "./lists.js";
import { planOf } from "./plans.js";
import { sourcesOfReply } from "./replies.js";

/** Each operation, called as it should be: it succeeds, and answers what is described. */
export function operationCases(context: Context): readonly Case[] {
  return [...context.api.operations.map((operation) => acceptsCase(context, operation)), ...listCases(context)];
}

function acceptsCase(context: Context, operation: Operation): Case {
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const plan = planOf(context, operation, { objects: reads ? "shared" : "own" });
  return caseOf(context, {
    operation,
    kind: "accepts",
    about: ["accepts"],
    title: `${operation.summary ?? operation.name}: a fitting request is answered as described`,
    requirements: [...requirementsOf(operation.sources), ...sourcesOfReply(context, operation)],
    needs: plan.needs,
    alone: plan.alone,
    safe: reads && plan.before.length === 0 && plan.call.by === undefined,
    steps: [...plan.before, { ...plan.call, as: "answer" }],
  });
}
