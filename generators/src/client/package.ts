import { compilerOptions } from "../emit/compiler-options.js";
import { isIdentifier, key, literal, textOf } from "../emit/printer.js";
import { oneLine, prose } from "../emit/prose.js";
import { fill } from "../emit/template.js";
import { readmeTemplate } from "../emit/templates.js";
import type { GeneratedFile } from "../emit/files.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Json, Operation } from "../model/api.js";
import { chosenContent } from "../model/media.js";
import { filters } from "./filters.js";
import { rates } from "./limits.js";
import { isFree } from "./names.js";
import { needsRequest } from "./operations.js";
import { pagings } from "./pagination.js";
import { successReplies } from "./replies.js";
import { runtime, runtimeVersion } from "./runtime.js";
import { carriesSecurity } from "./security.js";
import { isAddressedById, settled, waits } from "./states.js";
import { uploads } from "./uploads.js";

/** Emits the other files of a publishable package: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitPackage(api: Api, options: ArtifactOptions): readonly GeneratedFile[] {
  return [
    {
      path: "package.json",
      owned: {
        name: options.package,
        description: `A typed client for the ${oneLine(api.title)}`,
        apiVersion: oneLine(api.version),
        type: "module",
        ...(options.private ? { private: true } : {}),
        sideEffects: false,
        exports: {
          ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
          "./package.json": "./package.json",
        },
        files: ["dist", "src"],
        scripts: { build: "tsc -p tsconfig.json", typecheck: "tsc -p tsconfig.json --noEmit" },
        dependencies: { [runtime]: runtimeVersion },
        engines: { node: "^20.19.0 || ^22.12.0 || >=24.0.0" },
      },
      initial: { version: "0.1.0", license: "MIT" },
    },
    { path: "tsconfig.json", text: `${JSON.stringify(compilerOptions, undefined, 2)}\n` },
    { path: "src/index.ts", text: 'export * from "./gen/index.js";\n' },
    { path: "README.md", text: readme(api, options) },
  ];
}

function readme(api: Api, options: ArtifactOptions): string {
  const list = api.operations.find((operation) => operation.pagination !== undefined && !needsRequest(operation));
  const read = list ?? api.operations.find((operation) => operation.method === "GET" && !needsRequest(operation));
  const change = api.operations.find(
    (operation) => operation.method === "POST" && exampleOf(operation) !== undefined && !hasPath(operation),
  );
  const needsToken = !carriesSecurity(api) && api.schemes.length > 0;
  return fill(readmeTemplate, {
    package: options.package,
    title: prose(api.title),
    version: prose(api.version),
    summary: prose(api.summary ?? ""),
    runtime,
    needsToken,
    hasAddress: /^https?:/.test(api.servers[0]?.url ?? ""),
    variable: variableName(options.package),
    read: read && { name: read.name, path: read.path, items: access(read.pagination?.envelope.items) },
    change: change && {
      name: change.name,
      example: textOf(literal(exampleOf(change) ?? null)),
    },
    ...helpersOf(api, list),
    areas: areasOf(api).map(({ name, operations }) => ({
      name: prose(name),
      operations: operations.map((operation) => ({
        name: operation.name,
        method: operation.method,
        path: encoded(operation.path),
        summary: cell(operation.summary ?? ""),
      })),
    })),
  });
}

/** Returns the README's data about functions that do not belong to a single operation. */
function helpersOf(api: Api, list: Operation | undefined): object {
  const [wait] = waits(api);
  const [upload] = uploads(api);
  const isPaged = isFree(api, "paginate") && pagings(api)[0]?.lists.some((each) => each === list) === true;
  const filter = filters(api).find(({ operation }) => operation === list);
  const [field] = filter?.ordered ?? [];
  return {
    list: isPaged && list ? { name: list.name } : undefined,
    filter: filter &&
      field !== undefined && {
        place: filter.parameter.in === "header" ? "headers" : "query",
        parameter: textOf(key(filter.parameter.name)),
        condition: `"+order_by": ${JSON.stringify(field)}`,
      },
    wait: wait && {
      name: wait.called,
      parameter: isAddressedById(wait.read) ? "id" : "path",
      target: JSON.stringify(settled(wait.machine)),
    },
    waits: waits(api).map(({ called }) => called),
    upload: upload && { name: upload.name, data: inComment(upload.body?.description ?? "") },
    hasRates: rates(api).length > 0,
  };
}

/** Formats text for a one-line comment in a code block. */
function inComment(text: string): string {
  return text.replaceAll(/[\s`\p{Cc}\p{Cf}]+/gu, " ").trim();
}

function areasOf(api: Api): readonly { readonly name: string; readonly operations: readonly Operation[] }[] {
  const areas = new Map<string, Operation[]>(api.operations.map((operation) => [operation.area, []] as const));
  for (const operation of api.operations) areas.get(operation.area)?.push(operation);
  return [...areas].map(([name, operations]) => ({ name, operations }));
}

function exampleOf(operation: Operation): Json | undefined {
  const content = operation.body && chosenContent(operation.body.contents);
  const gives = successReplies(operation).some((reply) => reply.contents.length > 0);
  return gives && content?.mediaType === "application/json" ? content.example : undefined;
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
  return prose(text).replaceAll("|", "\\|");
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
