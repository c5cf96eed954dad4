import type { Json } from "../../model/index.js";
import { code, type Code } from "../printer.js";
import type { OpenapiTypesOptions, Place, TypesContext } from "./context.js";
import { findDiscriminators } from "./discriminators.js";
import { asObject, entriesOf, joinPointer, type JsonObject } from "./document.js";
import { headerType, parameterType, pathItemType, requestBodyType, responseType } from "./operations.js";
import { never, objectType, property } from "./properties.js";
import { schemaType } from "./schemas.js";

export type { OpenapiTypesOptions } from "./context.js";

/**
 * Emits the types of an OpenAPI document in the shape of openapi-typescript 7: `paths`, `webhooks`, `components`, `$defs` and `operations`.
 *
 * @param document - The document, with all references inside of it.
 * @returns Statements of a module, which exports nothing else but the constants of `enumValues`.
 */
export function emitOpenapiTypes(document: JsonObject, options: OpenapiTypesOptions = {}): readonly Code[] {
  const discriminators = findDiscriminators(document);
  const context: TypesContext = {
    document: discriminators.document,
    options,
    discriminators,
    operations: new Map(),
    enumConstants: new Map(),
    within: new Set(),
    usesRequired: false,
  };
  const { paths, webhooks, components, $defs } = discriminators.document;
  const roots = [
    interfaceOf(code`paths`, pathItems(paths, { context, pointer: "#/paths" })),
    interfaceOf(code`webhooks`, pathItems(webhooks, { context, pointer: "#/webhooks" })),
    interfaceOf(code`components`, components === undefined ? [] : componentMembers(components, context)),
    code`export type $defs = ${$defs === undefined ? nothing : schemaType($defs, { context, pointer: "#/$defs" })};`,
    interfaceOf(
      code`operations`,
      [...context.operations].map(([id, type]) => property(id, type)),
    ),
  ];
  const required = code`type WithRequired<T, K extends keyof T> = T & { [P in K]-?: T[P] };`;
  return [...roots, ...(context.usesRequired ? [required] : []), ...context.enumConstants.values()];
}

const nothing: Code = code`Record<string, never>`;

function interfaceOf(name: Code, members: readonly Code[]): Code {
  return members.length === 0
    ? code`export type ${name} = ${nothing};`
    : code`export interface ${name} ${objectType(members)}`;
}

function pathItems(items: Json | undefined, { context, pointer }: Place): readonly Code[] {
  return entriesOf(items)
    .filter(([, item]) => asObject(item) !== undefined)
    .map(([path, item]) => {
      const type = pathItemType(item, { context, pointer: joinPointer(pointer, path) });
      return property(path, type, { isReadonly: context.options.readonly === true });
    });
}

const componentTypes: Readonly<Record<string, (part: Json, place: Place) => Code>> = {
  schemas: schemaType,
  responses: responseType,
  parameters: parameterType,
  requestBodies: requestBodyType,
  headers: headerType,
  pathItems: pathItemType,
};

function componentMembers(components: Json, context: TypesContext): readonly Code[] {
  return Object.entries(componentTypes).map(([kind, typeOf]) => {
    const members = entriesOf(asObject(components)?.[kind]).map(([name, part]) => {
      const providedType = kind === "schemas" ? context.options.schemaTypes?.get(name) : undefined;
      const isReadonly = context.options.readonly === true;
      if (providedType !== undefined) return property(name, providedType, { isReadonly });
      const type = typeOf(part, { context, pointer: joinPointer("#/components", kind, name) });
      return property(name, type, { isReadonly, about: part });
    });
    return property(kind, members.length === 0 ? never : objectType(members));
  });
}
