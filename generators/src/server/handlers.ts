import {
  type TextFile,
  code,
  deprecationTag,
  docComment,
  propertyKey,
  jsonLiteral,
  identifier,
  joinCode,
  printSourceFile,
  importType,
  type Code,
  type ArtifactOptions,
  TypePrinter,
} from "@plumbline/kit/codegen";
import { hasServerInput, inputTypeName, type ValidatorModules } from "@plumbline/kit/codegen/validation";
import {
  allowsAnonymous,
  type Api,
  type Operation,
  pascalCase,
  findIdSchema,
  collectReferences,
  resourceKey,
  storedResources,
  type OperationReferences,
} from "@plumbline/kit/model";
import { emitCallerTypes } from "./access/caller.js";
import { countedEffects } from "./limits/limits.js";
import { emitResponseType, responseTypeName } from "./responses/response-types.js";
import { serverType } from "./runtime.js";

/** The owners of the objects in a list, as a union type. Empty for objects of the platform. */
function ownerUnion({ resources }: Api, list: string): readonly Code[] {
  const owners = resources.find(({ name }) => name === list)?.owner.filter((each) => each !== "platform") ?? [];
  return owners.length === 0
    ? []
    : [
        joinCode(
          owners.map((each) => jsonLiteral(each)),
          code` | `,
        ),
      ];
}

/** Returns the name of the type of a handler's input. */
export function handlerInputTypeName({ name: operation }: Operation): string {
  return `${pascalCase(operation) ?? operation}HandlerInput`;
}

/** The types of `handlers.ts` that do not belong to a single operation. */
export const handlerTypeNames = ["RequestContext", "Caller", "Handlers", "Resources"] as const;

/** Emits `handlers.ts`: the interface that a server implements, with a function for each operation. */
export function emitHandlers(api: Api, options: ArtifactOptions, modules: ValidatorModules): readonly TextFile[] {
  const printer = new TypePrinter(api, "File");
  const all = [...api.operations, ...api.operationsWithoutPath];
  const reservedNames = [
    ...handlerTypeNames,
    "Context",
    "Rows",
    ...all.flatMap((each) => [handlerInputTypeName(each), responseTypeName(each)]),
  ];
  const statements = [
    emitCallerTypes(api),
    emitResourcesType(api),
    ...all.flatMap((operation) => [
      emitHandlerInput(api, operation, { printer, modules }),
      emitResponseType(operation, { api, printer }, countedEffects(api, operation)),
    ]),
    emitInterface(api, options),
  ];
  return [{ path: "src/gen/handlers.ts", text: printSourceFile(statements, reservedNames) }];
}

function emitResourcesType(api: Api): Code {
  const members = storedResources(api).map(
    ({ name: each }) => code`readonly ${propertyKey(each)}: ${importType(each, "./types.js")};`,
  );
  return code`${docComment(["The loaded objects, as the description documents them. Rows may have other fields, which are never sent."])}
export interface Resources {\n${members}\n}`;
}

function emitHandlerInput(
  api: Api,
  operation: Operation,
  { printer, modules }: { readonly printer: TypePrinter; readonly modules: ValidatorModules },
): Code {
  const typeName = identifier(handlerInputTypeName(operation));
  const { path, body, target, list } = collectReferences(api, operation);
  const loaded = (to: string): Code => code`Rows[${jsonLiteral(to)}]`;
  const members: Code[] = [];
  if (operation.path === "") {
    members.push(code`${docComment(["The values of the path parameters in the route that the server gave the operation."])}
readonly route: Readonly<Record<string, string>>;`);
  }
  if (target !== undefined) {
    const about =
      target.parameter === undefined
        ? `The ${target.resource} that the operation is about.`
        : `The object that \`${target.parameter}\` refers to.`;
    members.push(code`${docComment([about])}\nreadonly target: ${loaded(target.resource)};`);
  }
  const refs = [
    ...path.map(({ parameter, reference }) => code`readonly ${propertyKey(parameter.name)}: ${loaded(reference.to)};`),
    ...body.map(({ pointer, name: each, reference }) => {
      const id = findIdSchema(api, reference.to, reference.by ?? "id");
      const type = id === undefined ? serverType("EntityId") : printer.type(id, "./types.js");
      return pointer.includes("*")
        ? code`readonly ${propertyKey(each)}: ReadonlyMap<${type}, ${loaded(reference.to)}>;`
        : code`readonly ${propertyKey(each)}: ${loaded(reference.to)} | undefined;`;
    }),
  ];
  if (refs.length > 0)
    members.push(code`${docComment(["The objects that the path and the body refer to. They exist and are visible to the caller."])}
readonly refs: {\n${refs}\n};`);
  if (list !== undefined) {
    const id = findIdSchema(api, list, resourceKey(api, list));
    const type = id === undefined ? serverType("EntityId") : printer.type(id, "./types.js");
    members.push(code`${docComment(["The part of the list that the caller may see."])}
readonly listScope: ${serverType("ListScope")}<${joinCode([type, ...ownerUnion(api, list)], code`, `)}>;`);
  }
  const input = importType(
    inputTypeName(operation),
    hasServerInput(operation) ? "./operations.js" : modules.operations,
  );
  const isEmpty = operation.parameters.length === 0 && operation.requestBody === undefined;
  const about = docComment([`The input of the handler of \`${operation.name}\`.`]);
  if (members.length === 0) return code`${about}\nexport type ${typeName} = ${input};`;
  const rows = code`Rows extends Resources = Resources`;
  const usesRows = receivesRows({ path, body, ...(target === undefined ? {} : { target }) });
  const base = isEmpty ? code`` : code` extends ${input}`;
  return code`${about}\nexport interface ${typeName}${usesRows ? code`<${rows}>` : code``}${base} {\n${members}\n}`;
}

function emitInterface(api: Api, options: ArtifactOptions): Code {
  const members = [...api.operations, ...api.operationsWithoutPath].map((operation) => {
    const { summary, method, path, origin, effects } = operation;
    const deprecated = deprecationTag(operation);
    const lines = [
      ...(summary === undefined ? [] : [summary, ""]),
      path === "" ? method : `${method} ${path}`,
      "",
      ...effects.map((effect) => `- ${effect.id}: ${effect.summary ?? effect.does ?? "is the handler's to do"}`),
      ...(effects.length === 0 ? [] : [""]),
      `From ${options.source(origin)}`,
      ...(deprecated.length === 0 ? [] : ["", ...deprecated]),
    ];
    const request = code`${identifier(handlerInputTypeName(operation))}${receivesRows(collectReferences(api, operation)) ? code`<Rows>` : code``}`;
    const context = allowsAnonymous(operation) ? code`Context` : code`${serverType("AuthenticatedContext")}<Context>`;
    return code`${docComment(lines)}
readonly ${propertyKey(operation.name)}: ${serverType("Handler")}<${request}, ${context}, ${identifier(responseTypeName(operation))}>;`;
  });
  return code`${docComment(["The functions that a server implements, one for each operation."])}
export interface Handlers<Context extends RequestContext = RequestContext, Rows extends Resources = Resources> {\n${members}\n}`;
}

/** True if a handler receives loaded objects. */
function receivesRows({ path, body, target }: OperationReferences): boolean {
  return target !== undefined || path.length > 0 || body.length > 0;
}
