import type { HandlerOperation } from "@plumbline/codemods/handlers";
import { docComment, propertyKey, renderCode, operationFileName } from "@plumbline/kit/codegen";
import { camelCase, pascalCase, type Api, type Operation, type OperationResponse } from "@plumbline/kit/model";
import { optionError, type HandlerLayout } from "./layout.js";

/** Returns the handlers that a description requires. */
export function handlerOperations(api: Api, layout: HandlerLayout): readonly HandlerOperation[] {
  const all = [...api.operations, ...api.operationsWithoutPath];
  const tags = [...new Set(all.map((operation) => operationFileName(api, operation)))];
  const reservedTag = tags.find((tag) => [layout.index, layout.start].includes(layout.fileOf(tag)));
  if (reservedTag !== undefined)
    throw optionError("index", `is also the path of the file for the tag ${reservedTag}`, "Write another path.");
  const objects = objectNames(tags);
  return all.map((operation) => {
    const { name, method, path } = operation;
    const tag = operationFileName(api, operation);
    return {
      name,
      route: path === "" ? method : `${method} ${path}`,
      tag,
      file: layout.fileOf(tag),
      object: objects.get(tag) ?? tag,
      stub: {
        comment: renderCode(docComment(commentLines(operation))),
        key: renderCode(propertyKey(name)),
        value: `() => {\n  // Next: ${nextStep(operation)}\n  throw new NotImplementedError(${JSON.stringify(name)});\n}`,
      },
    };
  });
}

/** The names of the types that the generated server exports for an operation. */
export function typeNamesOfHandler(operation: string): readonly string[] {
  const stem = pascalCase(operation) ?? operation;
  return [`${stem}HandlerInput`, `${stem}Response`];
}

/** The name of the object for each tag. Tags whose names differ only in hyphens get a number. */
function objectNames(tags: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const tag of tags) {
    const name = `${camelCase(tag) ?? `tag${pascalCase(`x${tag}`)?.slice(1) ?? ""}`}Handlers`;
    const used = [...names.values()].filter((each) => each.replace(/\d+$/, "") === name).length;
    names.set(tag, used === 0 ? name : `${name}${used + 1}`);
  }
  return names;
}

function commentLines({ summary, method, path, errors }: Operation): readonly string[] {
  return [
    ...(summary === undefined ? [] : [summary, ""]),
    path === "" ? method : `${method} ${path}`,
    ...(errors.length === 0
      ? []
      : [
          "",
          "Errors:",
          ...errors.map(({ id, status, summary: about, reasonContains: [reason] }) => {
            const text = about ?? reason;
            return `- \`${id}\` (${status})${text === undefined ? "" : `: ${text}`}`;
          }),
        ]),
  ];
}

/** What the author of a handler does next: the first success that is documented. */
function nextStep({ responses }: Operation): string {
  const success = responses.find(({ status }) => String(status).startsWith("2"));
  if (success === undefined) return "return a documented response.";
  const status = typeof success.status === "number" ? success.status : 200;
  if (success.contents.length === 0) return `return { status: ${status} }.`;
  const schema = schemaName(success);
  return `return { status: ${status}, body }${schema === undefined ? "" : `, where the body is of the type ${schema}`}.`;
}

function schemaName({ contents }: OperationResponse): string | undefined {
  const names = contents.map(({ schema }) => schema.ref);
  return names.find((name) => name !== undefined);
}
