import type { Case, Template } from "@plumbline/conformance-runtime";
import { deprecationHeaders, type Operation } from "@plumbline/kit/model";
import { createCase, requirementIds, type ConformanceContext } from "../../context/context.js";
import { planRequest } from "../../requests/request-plan.js";

/** Cases of deprecated operations: their responses have the described dates and links. */
export function deprecationCases(context: ConformanceContext): readonly Case[] {
  return context.api.operations.flatMap((operation) => deprecationCase(context, operation));
}

function deprecationCase(context: ConformanceContext, operation: Operation): readonly Case[] {
  const { deprecation } = operation;
  const { Deprecation, Sunset } = deprecationHeaders(context.api, operation);
  // A link alone does not say that an operation is deprecated.
  if (deprecation === undefined || (Deprecation ?? Sunset) === undefined) return [];
  const { link, sunsetLink } = deprecation;
  const reads = operation.method === "GET" || operation.method === "HEAD";
  const plan = planRequest(context, operation, { objects: reads ? "shared" : "own" });
  const links = [linkPattern(link, "deprecation"), linkPattern(sunsetLink, "sunset")].filter(
    (each) => each !== undefined,
  );
  const headers: Record<string, Template> = {
    ...(Deprecation !== undefined && { deprecation: { const: Deprecation } }),
    ...(Sunset !== undefined && { sunset: { const: Sunset } }),
    ...(links.length > 0 && { link: { type: "string", allOf: links.map((pattern) => ({ pattern })) } }),
  };
  const requirements = requirementIds(deprecation.sources);
  return [
    createCase(context, {
      operation,
      kind: "responses",
      idParts: ["headers", "deprecation"],
      title: `${operation.name} is deprecated: its response has the described dates and links`,
      requirements,
      contextRequirements: requirements.length === 0 ? requirementIds(operation.sources) : [],
      requires: plan.requires,
      exclusive: plan.exclusive,
      readOnly: reads && plan.setupSteps.length === 0 && plan.call.by === undefined,
      steps: [...plan.setupSteps, { ...plan.call, expect: { headers } }],
    }),
  ];
}

/** Matches a header `Link` that has the URL with this relation, which may be one of several, with or without quotes. */
function linkPattern(url: string | undefined, relation: string): string | undefined {
  if (url === undefined) return undefined;
  const target = url.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  return `<${target}>[^<]*;\\s*rel=(?:${relation}\\b|"(?:[^"]*\\s)?${relation}[\\s"])`;
}
