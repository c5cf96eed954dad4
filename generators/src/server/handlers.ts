import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, key, literal, name, print, typeImported, type Code } from "../emit/printer.js";
import { areaFile } from "../emit/areas.js";
import type { ArtifactOptions } from "../generator.js";
import { inputName } from "../judging/inputs.js";
import type { Api, Operation } from "../model/api.js";
import { pascalCase } from "../model/names.js";
import { TypePrinter } from "../types/print.js";
import { emitCaller } from "./caller.js";
import { idShapeOf, namedBy, storedResources, type Named } from "./references.js";
import { countedEffects } from "./limits.js";
import { emitReply, replyName } from "./replies.js";
import { $serverType } from "./runtime.js";

/** Returns the name of the type of a handler's request. */
export function requestName({ name: operation }: Operation): string {
  return `${pascalCase(operation) ?? operation}Request`;
}

/** The types of `handlers.ts` that do not belong to a single operation. */
export const handlerTypes = ["Call", "Caller", "Handlers", "Resources"] as const;

/** Emits `handlers.ts`: the interface that a server implements, with a function for each operation. */
export function emitHandlers(api: Api, options: ArtifactOptions): readonly TextFile[] {
  const printer = new TypePrinter(api);
  const all = [...api.operations, ...api.linked];
  const own = [...handlerTypes, "Context", "Rows", ...all.flatMap((each) => [requestName(each), replyName(each)])];
  const statements = [
    emitCaller(api),
    emitResourcesType(api),
    ...all.flatMap((operation) => [
      emitRequest(api, operation, printer),
      emitReply(operation, printer, countedEffects(api, operation)),
    ]),
    emitInterface(api, options),
  ];
  return [{ path: "src/gen/handlers.ts", text: print(statements, banner, own) }];
}

function emitResourcesType(api: Api): Code {
  const members = storedResources(api).map(
    ({ name: each }) => code`readonly ${key(each)}: ${typeImported(each, "./types.js")};`,
  );
  return code`${comment(["The loaded objects, as the description documents them. Rows may have other fields, which are never sent."])}
export interface Resources {\n${members}\n}`;
}

function emitRequest(api: Api, operation: Operation, printer: TypePrinter): Code {
  const own = name(requestName(operation));
  const { path, body, target, list } = namedBy(api, operation);
  const loaded = (to: string): Code => code`Rows[${literal(to)}]`;
  const members: Code[] = [];
  if (operation.path === "") {
    members.push(code`${comment(["The values of the path parameters in the route that the server gave the operation."])}
readonly link: Readonly<Record<string, string>>;`);
  }
  if (target !== undefined) {
    const about =
      target.parameter === undefined
        ? `The ${target.resource} that the operation is about.`
        : `The object that \`${target.parameter}\` refers to.`;
    members.push(code`${comment([about])}\nreadonly target: ${loaded(target.resource)};`);
  }
  const refs = [
    ...path.map(({ parameter, reference }) => code`readonly ${key(parameter.name)}: ${loaded(reference.to)};`),
    ...body.map(({ pointer, name: each, reference }) => {
      const id = idShapeOf(api, reference.to, reference.by ?? "id");
      const type = id === undefined ? $serverType("Key") : printer.type(id, "./types.js");
      return pointer.includes("*")
        ? code`readonly ${key(each)}: ReadonlyMap<${type}, ${loaded(reference.to)}>;`
        : code`readonly ${key(each)}: ${loaded(reference.to)} | undefined;`;
    }),
  ];
  if (refs.length > 0)
    members.push(code`${comment(["The objects that the path and the body refer to. They exist and are visible to the caller."])}
readonly refs: {\n${refs}\n};`);
  if (list !== undefined) {
    const id = idShapeOf(api, list, "id");
    const type = id === undefined ? $serverType("Key") : printer.type(id, "./types.js");
    members.push(code`${comment(["The part of the list that the caller may see."])}
readonly visible: ${$serverType("Visible")}<${type}>;`);
  }
  const input = typeImported(inputName(operation), `./operations/${areaFile(operation.area)}.js`);
  const isEmpty = operation.parameters.length === 0 && operation.body === undefined;
  const about = comment([`The input of the handler of \`${operation.name}\`.`]);
  if (members.length === 0) return code`${about}\nexport type ${own} = ${input};`;
  const rows = code`Rows extends Resources = Resources`;
  const usesRows = isOfRows({ path, body, ...(target === undefined ? {} : { target }) });
  const base = isEmpty ? code`` : code` extends ${input}`;
  return code`${about}\nexport interface ${own}${usesRows ? code`<${rows}>` : code``}${base} {\n${members}\n}`;
}

function emitInterface(api: Api, options: ArtifactOptions): Code {
  const members = [...api.operations, ...api.linked].map((operation) => {
    const { summary, deprecated, method, path, origin, effects } = operation;
    const lines = [
      ...(summary === undefined ? [] : [summary, ""]),
      path === "" ? method : `${method} ${path}`,
      "",
      ...effects.map((effect) => `- ${effect.id}: ${effect.summary ?? effect.does ?? "is the handler's to do"}`),
      ...(effects.length === 0 ? [] : [""]),
      `From ${options.source(origin)}`,
      ...(deprecated ? ["", "@deprecated"] : []),
    ];
    const request = code`${name(requestName(operation))}${isOfRows(namedBy(api, operation)) ? code`<Rows>` : code``}`;
    const context = isOpen(operation) ? code`Context` : code`${$serverType("Known")}<Context>`;
    return code`${comment(lines)}
readonly ${key(operation.name)}: ${$serverType("Handler")}<${request}, ${context}, ${name(replyName(operation))}>;`;
  });
  return code`${comment(["The functions that a server implements, one for each operation."])}
export interface Handlers<Context extends Call = Call, Rows extends Resources = Resources> {\n${members}\n}`;
}

/** True if a handler receives loaded objects. */
function isOfRows({ path, body, target }: Named): boolean {
  return target !== undefined || path.length > 0 || body.length > 0;
}

/** True if anonymous callers are allowed. */
export function isOpen({ security }: Operation): boolean {
  return security.length === 0 || security.some((alternative) => alternative.length === 0);
}
