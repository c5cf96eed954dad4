import { type ArtifactOptions, deprecationTag } from "@plumbline/kit/codegen";
import {
  type Api,
  describeGrants,
  describeLimit,
  describeScopes,
  endSentence,
  type ErrorDefinition,
  expressionContext,
  memoize,
  operationErrors,
  type Operation,
  toMarkdown,
  toSentence,
} from "@plumbline/kit/model";

/** The JSDoc of a client function: summary, requirements, errors and the location in the description. */
export function describeOperation(operation: Operation, api: Api, options: ArtifactOptions): readonly string[] {
  const facts = factsOf(operation, api);
  const errors = describeErrors(operation, api);
  return [
    endSentence(operation.summary ?? operation.name),
    ...block(operation.description?.trim().split("\n") ?? []),
    ...block([
      operation.path === ""
        ? `\`${operation.method}\` to a URL from an earlier response.`
        : `\`${operation.method} ${operation.path}\``,
    ]),
    ...block([...new Set(facts)].map((fact) => `- ${fact}`)),
    ...block(errors),
    "",
    `From ${options.source(operation.origin)}`,
    ...deprecationTag(operation),
  ];
}

function factsOf(operation: Operation, api: Api): readonly string[] {
  const context = expressionContext(api, operation);
  return [
    toMarkdown(toSentence(describeScopes(operation.security) ?? ["requires no credentials"])),
    ...describeGrants(operation.grants, context).map((grants) => toMarkdown(toSentence(grants))),
    ...operation.limits.map((limit) => `Limit \`${limit.id}\`: ${toMarkdown(describeLimit({ limit }, context))}.`),
  ];
}

function describeErrors(operation: Operation, api: Api): readonly string[] {
  const statuses = new Set(operation.responses.map((response) => response.status));
  const errors = operationErrors(api, operation).toSorted((a, b) => a.status - b.status);
  const shared = api.errors.filter(
    (error) =>
      statuses.has(error.status) &&
      isAboutOperation(error, operation, api) &&
      !errors.some((each) => each.id === error.id),
  );
  const common = shared.map((error) => `${error.status} \`${error.id}\``).join(", ");
  return [
    ...(errors.length === 0 ? [] : ["Fails with:"]),
    ...errors.map((error) => `- ${error.status} \`${error.id}\`${summaryOf(error)}`),
    ...(common === "" ? [] : [...(errors.length === 0 ? [] : [""]), `May also fail with: ${common}.`]),
  ];
}

const parameterNames = memoize(
  (api) => new Set(api.operations.flatMap((operation) => operation.parameters.map((parameter) => parameter.name))),
);

/** An error about a parameter applies to the operations that have that parameter. */
function isAboutOperation({ field }: ErrorDefinition, operation: Operation, api: Api): boolean {
  const isTaken = typeof field === "string" && parameterNames(api).has(field);
  return !isTaken || operation.parameters.some((parameter) => parameter.name === field);
}

function summaryOf(error: ErrorDefinition): string {
  return error.summary === undefined ? "" : `: ${error.summary.trim().replaceAll("\n", " ")}`;
}

function block(lines: readonly string[]): readonly string[] {
  return lines.every((line) => line.trim() === "") ? [] : ["", ...lines];
}
