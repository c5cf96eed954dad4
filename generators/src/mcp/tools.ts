import {
  allowsAnonymous,
  type Api,
  describeGrants,
  describeLimit,
  describeScopes,
  endSentence,
  expressionContext,
  findPrimaryScheme,
  isItemStream,
  memoize,
  type Operation,
  pickDefined,
  type SecurityScheme,
  titleOfName,
  toPlainText,
  toSentence,
} from "@plumbline/kit/model";
import type { PageFields, ToolData } from "@plumbline/mcp-runtime";
import { effectsOf } from "./access.js";
import { bodyContent, toolArguments } from "./arguments.js";
import { documentedErrors } from "./errors.js";
import { outputSchema } from "./output-schemas.js";
import { firstSentences } from "./prose.js";

/** An operation and its tool. */
export interface OperationTool {
  readonly operation: Operation;
  readonly data: ToolData;
}

/** Returns the tools of an API, in the order of the description. */
export const toolsOf: (api: Api) => readonly OperationTool[] = memoize((api) => {
  const usedNames = new Set<string>();
  return api.operations.flatMap((operation) =>
    leftOutBecause(api, operation) === undefined
      ? [{ operation, data: toolData(api, operation, toolName(operation.name, usedNames)) }]
      : [],
  );
});

/** Why an operation has no tool. Undefined if it has one. */
export function leftOutBecause(api: Api, operation: Operation): string | undefined {
  const { requestBody, responses, security } = operation;
  if (requestBody?.required === true && bodyContent(operation) === undefined)
    return "its request body is neither JSON, a form nor text";
  const successes = responses.filter(({ status }) => String(status).startsWith("2"));
  if (successes.some(({ contents }) => contents.length > 0 && contents.every(isItemStream)))
    return "its response is a stream without an end";
  const primary = findPrimaryScheme(api);
  const isUsable = allowsAnonymous(operation) || security.some((each) => usesOnly(api, each, primary));
  return isUsable ? undefined : `it requires another credential than \`${primary?.name ?? ""}\``;
}

function usesOnly(api: Api, requirement: Operation["security"][number], primary: SecurityScheme | undefined): boolean {
  return requirement.every(({ scheme }) => {
    const securityScheme = api.securitySchemes.find(({ name }) => name === scheme);
    // A scheme that describes the tokens of another one is not in the model. Certificates belong to the connection.
    return (
      securityScheme === undefined ||
      securityScheme.kind === "mutualTLS" ||
      securityScheme.name === primary?.name ||
      (isBearer(securityScheme) && isBearer(primary))
    );
  });
}

function isBearer(scheme: SecurityScheme | undefined): boolean {
  return ["bearer", "oauth2", "openIdConnect"].includes(scheme?.kind ?? "");
}

const maxNameLength = 64;

/** Models and their clients accept names of letters, digits, `_` and `-`, of at most 64 characters. */
function toolName(name: string, usedNames: Set<string>): string {
  const allowed = name.replaceAll(/[^\w-]+/g, "_");
  let chosen = allowed.slice(0, maxNameLength);
  for (let count = 2; usedNames.has(chosen); count++) chosen = `${allowed.slice(0, maxNameLength - 4)}_${count}`;
  usedNames.add(chosen);
  return chosen;
}

function toolData(api: Api, operation: Operation, name: string): ToolData {
  const scopes = scopesOf(operation);
  const inputs = toolArguments(api, operation);
  return {
    name,
    tag: operation.tag,
    title: firstSentences(operation.summary ?? titleOfName(operation.name), 80),
    description: describe(api, operation, scopes),
    ...effectsOf(api, operation),
    ...(scopes.length === 0 ? {} : { scopes }),
    anonymous: allowsAnonymous(operation),
    ...inputs,
    ...pickDefined("outputSchema", outputSchema(api, operation)),
    ...pickDefined("pages", pagesOf(operation, inputs.arguments)),
    errors: documentedErrors(operation.errors),
  };
}

const maxDescriptionText = 300;
const maxErrors = 20;

/** The description for models: the first sentences, then scopes, roles, rates and errors in short form. */
function describe(api: Api, operation: Operation, scopes: readonly (readonly string[])[]): string {
  const { summary, description, deprecated, grants, limits, errors, name, security } = operation;
  const text = firstSentences(description ?? summary ?? titleOfName(name), maxDescriptionText);
  const context = expressionContext(api, operation);
  const needed = scopes.length === 0 ? undefined : describeScopes(security);
  const roles = describeGrants(
    grants.filter(({ kind, when }) => kind === "caller" && when === undefined),
    context,
  );
  const rates = limits.filter(({ kind }) => kind === "rate").map((limit) => describeLimit({ limit }, context));
  const ids = errors.map(({ id }) => id);
  return [
    endSentence(text),
    ...[...(needed === undefined ? [] : [needed]), ...roles, ...rates].map((each) => toPlainText(toSentence(each))),
    ...(ids.length === 0
      ? []
      : [`Errors: ${ids.slice(0, maxErrors).join(", ")}${ids.length > maxErrors ? ", …" : ""}.`]),
    ...(deprecated ? ["Deprecated."] : []),
  ].join(" ");
}

/** The sets of scopes, one of which a token needs. Empty if any token, or none, is enough. */
function scopesOf({ security }: Operation): readonly (readonly string[])[] {
  const alternatives = security.map((requirement) => [...new Set(requirement.flatMap(({ scopes }) => scopes))]);
  return alternatives.some((scopes) => scopes.length === 0) ? [] : alternatives;
}

function pagesOf({ pagination }: Operation, parameters: ToolData["arguments"]): PageFields | undefined {
  if (pagination === undefined) return undefined;
  const { page, next, envelope } = pagination;
  const argument = Object.entries(parameters).find(([, { name }]) => name === page)?.[0];
  if (argument === undefined) return undefined;
  if (next !== undefined) return next.in === "body" ? { argument, next: next.pointer } : undefined;
  return { argument, page: envelope.page, pages: envelope.pages, total: envelope.total };
}
