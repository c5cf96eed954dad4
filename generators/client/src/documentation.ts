import { type ArtifactOptions, deprecationTag } from "@plumbline/codegen";
import { type Api, type ErrorDefinition, type Grant, type Limit, type Operation, memoize } from "@plumbline/model";

/** The JSDoc of a client function: summary, requirements, errors and the location in the description. */
export function describeOperation(operation: Operation, api: Api, options: ArtifactOptions): readonly string[] {
  const facts = [...scopesOf(operation), ...grantsOf(operation), ...limitsOf(operation)];
  const errors = describeErrors(operation, api);
  return [
    sentence(operation.summary ?? operation.name),
    ...block(operation.description?.trim().split("\n") ?? []),
    ...block([
      operation.path === ""
        ? `\`${operation.method}\` to a URL from an earlier response.`
        : `\`${operation.method} ${operation.path}\``,
    ]),
    ...block(facts.map((fact) => `- ${fact}`)),
    ...block(errors.length > 0 ? ["Fails with:", ...errors] : []),
    "",
    `Described in \`${options.source(operation.origin)}\`.`,
    ...deprecationTag(operation),
  ];
}

function scopesOf(operation: Operation): readonly string[] {
  if (operation.security.length === 0 || operation.security.every((alternative) => alternative.length === 0))
    return ["Requires no credentials."];
  const alternatives = operation.security.map((alternative) => {
    const scopes = alternative.flatMap((each) => each.scopes);
    if (alternative.length === 0) return "nothing at all";
    return scopes.length === 0 ? "any token" : scopes.map((scope) => `\`${scope}\``).join(" and ");
  });
  return [`Needs ${alternatives.join(", or ")}.`];
}

function grantsOf(operation: Operation): readonly string[] {
  const needed = operation.grants.map(
    (grant) => `${describeGrant(grant)}${grant.when === undefined ? "" : " (in some cases)"}`,
  );
  return needed.length === 0 ? [] : [`A restricted user needs ${[...new Set(needed)].join(", ")}.`];
}

function describeGrant(grant: Grant): string {
  if (grant.kind === "global") return `the grant \`${grant.global}\``;
  return grant.kind === "unrestricted" ? "to be unrestricted" : `\`${grant.level}\` on \`${grant.on.text}\``;
}

function limitsOf(operation: Operation): readonly string[] {
  return operation.limits.map((limit) => `Limit \`${limit.id}\`: ${describeLimit(limit)}.`);
}

function describeLimit(limit: Limit): string {
  const max = limit.max ?? 0;
  const window = limit.window === undefined ? "" : ` in ${limit.window.text}`;
  const per = limit.per === undefined ? "" : ` per \`${limit.per.text}\``;
  switch (limit.kind) {
    case "rate":
      return `${max} requests${window}${per}`;
    case "outcome-rate":
      return `${max} requests${window}${per} that end with ${[...(limit.counts?.errors ?? []), ...(limit.counts?.effects ?? [])].map((id) => `\`${id}\``).join(", ")}`;
    case "concurrency":
      return `${max} at a time${per}`;
    case "unique":
      return `unique by ${(limit.by ?? []).map((field) => `\`${field}\``).join(", ")}${limit.within === undefined ? "" : ` within the ${limit.within}`}`;
    case "combined-length":
    case "serialized-length":
      return `${max} characters in all`;
    case "bytes":
      return `${max} bytes${window}`;
    case "retention":
      return `kept for ${limit.window?.text ?? "a time"}`;
  }
}

function describeErrors(operation: Operation, api: Api): readonly string[] {
  const statuses = new Set(operation.responses.map((response) => response.status));
  const own = [...operation.errors].sort((a, b) => a.status - b.status);
  const shared = api.errors.filter(
    (error) =>
      statuses.has(error.status) &&
      isAboutOperation(error, operation, api) &&
      !own.some((each) => each.id === error.id),
  );
  const common = shared.map((error) => `${error.status} \`${error.id}\``).join(", ");
  return [
    ...own.map((error) => `- ${error.status} \`${error.id}\`${summaryOf(error)}`),
    ...(common === "" ? [] : [`- as elsewhere: ${common}`]),
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

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
