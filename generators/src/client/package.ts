import {
  emitPackageFiles,
  isIdentifier,
  propertyKey,
  jsonLiteral,
  type Code,
  convertedLiteral,
  conversionsOf,
  renderCode,
  escapeProse,
  firstRead,
  isCreation,
  readTemplate,
  type GeneratedFile,
  type ArtifactOptions,
} from "@plumbline/kit/codegen";
import { type Api, type Json, type Operation } from "@plumbline/kit/model";
import { chosenContents } from "./contents.js";
import { hasDeprecations } from "./exports.js";
import { listFilters } from "./filters.js";
import { pacedRates } from "./limits.js";
import { isNameFree } from "./names.js";
import { requiresRequest } from "./operations.js";
import { paginationGroups } from "./pagination.js";
import { queryName } from "./query/query.js";
import { returnsEvents, returnsStream, successResponses } from "./responses.js";
import { clientRuntime, runtimeVersionRange } from "./runtime.js";
import { acceptsBearer, acceptsToken, needsSecurityNames } from "./security.js";
import { isAddressedById, awaitedState, stateWaits } from "./state-waits.js";
import { uploadOperations } from "./uploads.js";

const readmeTemplate = readTemplate(new URL("../../templates/client/readme.md.hbs", import.meta.url));

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitClientPackage(
  api: Api,
  options: ArtifactOptions,
  entries: { readonly paths: boolean; readonly query: boolean; readonly dates: string; readonly integers: string },
): readonly GeneratedFile[] {
  return emitPackageFiles(api, options, {
    description: (title) => `A typed client for the ${title}`,
    keyword: "client",
    entries: {
      ".": "index",
      ...(entries.paths ? { "./paths": "gen/paths" } : {}),
      ...(entries.query ? { "./query": "gen/query" } : {}),
    },
    dependencies: { [clientRuntime]: runtimeVersionRange },
    index: 'export * from "./gen/index.js";\n',
    readme: {
      template: readmeTemplate,
      data: {
        ...readmeData(api, options),
        hasPaths: entries.paths,
        query: entries.query && queryExamples(api),
        ...valueData(entries),
      },
    },
  });
}

/** Returns which values are converted, for the README. */
function valueData({ dates, integers }: { readonly dates: string; readonly integers: string }): object {
  return {
    hasValues: dates !== "string" || integers !== "number",
    isDate: dates === "Date",
    isTemporal: dates === "Temporal",
    hasBigInt: integers === "bigint",
  };
}

function readmeData(api: Api, options: ArtifactOptions): object {
  const list = api.operations.find((operation) => operation.pagination !== undefined && !requiresRequest(operation));
  const { operation: read, request } = firstRead(api) ?? {};
  const change = api.operations.find(
    (operation) => isCreation(operation) && exampleOf(operation) !== undefined && !hasPath(operation),
  );
  const needsToken = !needsSecurityNames(api) && acceptsToken(api);
  return {
    summary: escapeProse(api.summary ?? ""),
    runtime: clientRuntime,
    needsToken,
    hasOAuth2: needsToken && acceptsBearer(api),
    isOpen: !needsSecurityNames(api) && !needsToken,
    hasAddress: /^https?:/.test(api.servers[0]?.url ?? ""),
    variable: variableName(options.package),
    read: read && {
      name: read.name,
      items: access(read.pagination?.envelope.items),
      request: request === undefined ? "{}" : renderCode(request),
      arguments: request === undefined ? "" : `, ${renderCode(request)}`,
    },
    change: change && {
      name: change.name,
      example: renderCode(exampleCode(change, api)),
    },
    ...helpersOf(api, list),
    tags: operationsByTag(api).map(({ name, operations }) => ({
      name: escapeProse(name),
      operations: operations.map((operation) => ({
        name: operation.name,
        method: operation.method,
        path: encoded(operation.path),
        summary: cell(operation.summary ?? ""),
      })),
    })),
  };
}

/** Returns the names of functions of `query.ts` for the README. */
function queryExamples(api: Api): object | undefined {
  const read = firstRead(api)?.operation;
  const change = api.operations.find(isCreation);
  const name = read && queryName(api, read, "Query");
  return name === undefined ? undefined : { read: name, mutation: change && queryName(api, change, "Mutation") };
}

/** Returns the README's data about functions that do not belong to a single operation. */
function helpersOf(api: Api, list: Operation | undefined): object {
  const [wait] = stateWaits(api);
  const [upload] = uploadOperations(api);
  const stream = api.operations.find(returnsEvents) ?? api.operations.find(returnsStream);
  const isPaged =
    isNameFree(api, "paginateList") && paginationGroups(api)[0]?.lists.some((each) => each === list) === true;
  const filter = listFilters(api).find(({ operation }) => operation === list);
  const [field] = filter?.ordered ?? [];
  const order = filter?.operation.order;
  return {
    list: isPaged && list ? { name: list.name, isNumbered: list.pagination?.next === undefined } : undefined,
    filter: filter &&
      field !== undefined &&
      order?.kind === "filter" && {
        place: filter.parameter.in === "header" ? "headers" : "query",
        parameter: renderCode(propertyKey(filter.parameter.name)),
        condition: `${JSON.stringify(order.by)}: ${JSON.stringify(field)}`,
      },
    wait: wait && {
      name: wait.functionName,
      parameter: isAddressedById(wait.read) ? "id" : "path",
      target: JSON.stringify(awaitedState(wait.stateMachine)),
    },
    waits: stateWaits(api).map(({ functionName }) => functionName),
    stream: stream && { name: stream.name, follow: returnsEvents(stream) && isNameFree(api, "followEvents") },
    upload: upload && { name: upload.name, data: inComment(upload.requestBody?.description ?? "") },
    hasRates: pacedRates(api).length > 0,
    hasDeprecations: hasDeprecations(api) && isNameFree(api, "withDeprecationWarnings"),
  };
}

/** Formats text for a one-line comment in a code block. */
function inComment(text: string): string {
  return text.replaceAll(/[\s`\p{Cc}\p{Cf}]+/gu, " ").trim();
}

function operationsByTag(api: Api): readonly { readonly name: string; readonly operations: readonly Operation[] }[] {
  const tags = new Map<string, Operation[]>(api.operations.map((operation) => [operation.tag, []] as const));
  for (const operation of api.operations) tags.get(operation.tag)?.push(operation);
  return [...tags].map(([name, operations]) => ({ name, operations }));
}

function exampleOf(operation: Operation): Json | undefined {
  const [content] = chosenContents(operation);
  const gives = successResponses(operation).some((response) => response.contents.length > 0);
  return gives && content?.mediaType === "application/json" ? content.example : undefined;
}

function exampleCode(operation: Operation, api: Api): Code {
  const [content] = chosenContents(operation);
  const example = exampleOf(operation) ?? null;
  return content === undefined ? jsonLiteral(example) : convertedLiteral(example, content.schema, conversionsOf(api));
}

function hasPath(operation: Operation): boolean {
  return operation.parameters.some((parameter) => parameter.required);
}

function variableName(packageName: string): string {
  const [scope = ""] = packageName.replace(/^@/, "").split("/");
  return scope
    .replace(/-client$/, "")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_");
}

/** Formats text for one cell of a Markdown table. */
function cell(text: string): string {
  return escapeProse(text).replaceAll("|", "\\|");
}

/** Formats a path for a code span in a table. Characters that would end the span or the cell are percent-encoded. */
function encoded(path: string): string {
  return path.replaceAll(/\p{Cs}/gu, "\ufffd").replaceAll(/[`|\s\p{Cc}]/gu, encodeURIComponent);
}

/** Returns the property access of a field, as code. */
function access(field: string | undefined): string {
  if (field === undefined || field === "") return "";
  return isIdentifier(field) ? `.${field}` : `[${JSON.stringify(field)}]`;
}
