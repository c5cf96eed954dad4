import { type Api, isJsonObject, type Json } from "@plumbline/kit/model";
import { parsePointer } from "@plumbline/kit/openapi/files";

type JsonObject = Readonly<Record<string, Json>>;

/**
 * Returns a document with the operations of a model, and with the components and tags that these use. Webhooks and security schemes stay, since
 * they belong to no operation.
 */
export function includedDocument(document: JsonObject, { operations, operationsWithoutPath, tags }: Api): JsonObject {
  const included = new Set(operations.map(({ method, path }) => `${method} ${path}`));
  const components = objectAt(document, "components");
  const paths = Object.entries(objectAt(document, "paths")).flatMap(([path, stated]): [string, Json][] => {
    if (path.startsWith("x-")) return [[path, stated]];
    const item = pathItemOf(stated, components);
    const methods = Object.keys(item).filter((key) => operationKeys.has(key));
    const kept = methods.filter((method) => included.has(`${method.toUpperCase()} ${routeOf(path)}`));
    if (kept.length === 0) return [];
    if (kept.length === methods.length) return [[path, stated]];
    return [
      [path, Object.fromEntries(Object.entries(item).filter(([key]) => !operationKeys.has(key) || kept.includes(key)))],
    ];
  });
  const { components: _components, ...rest } = document;
  const names = new Set(tags.map(({ name }) => name));
  const restricted = {
    ...rest,
    paths: Object.fromEntries(paths),
    ...(Array.isArray(document["tags"]) && {
      tags: document["tags"].filter(
        (tag: Json) => isJsonObject(tag) && typeof tag["name"] === "string" && names.has(tag["name"]),
      ),
    }),
  };
  if (document["components"] === undefined) return restricted;
  const sections = operationsWithoutPath.length > 0 ? ["securitySchemes", "pathItems"] : ["securitySchemes"];
  return { ...restricted, components: usedComponents(restricted, components, sections) };
}

const operationKeys: ReadonlySet<string> = new Set([
  "get",
  "put",
  "post",
  "delete",
  "patch",
  "head",
  "options",
  "trace",
  "query",
]);

/** The path of the model: without a query. */
function routeOf(path: string): string {
  return path.replaceAll(/\{[?&][^{}]*\}/g, "").replace(/\?.*/s, "");
}

function pathItemOf(item: Json, components: JsonObject): JsonObject {
  if (!isJsonObject(item)) return {};
  const { $ref: reference, ...rest } = item;
  if (typeof reference !== "string") return item;
  return { ...objectAt(objectAt(components, "pathItems"), componentOf(reference).replace("pathItems/", "")), ...rest };
}

/** The components that a document refers to, those that they refer to, and all of some sections. */
function usedComponents(document: JsonObject, components: JsonObject, sections: readonly string[]): JsonObject {
  const used = new Set<string>();
  const collect = (value: Json, key: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value))
      if (typeof member !== "string") collect(member, name);
      else if (member.startsWith("#/components/")) used.add(componentOf(member));
      // A discriminator may map to names instead of references.
      else if (key === "mapping") used.add(`schemas/${member}`);
  };
  collect(document, "");
  for (const section of sections)
    for (const name of Object.keys(objectAt(components, section))) used.add(`${section}/${name}`);
  // A set visits what is added during the visit.
  for (const component of used) {
    const [section = "", name = ""] = component.split(/\/(.*)/s);
    collect(objectAt(objectAt(components, section), name), "");
  }
  const restricted = Object.entries(components).map(([section, members]): [string, Json] => {
    if (!isJsonObject(members)) return [section, members];
    return [section, Object.fromEntries(Object.entries(members).filter(([name]) => used.has(`${section}/${name}`)))];
  });
  return Object.fromEntries(restricted.filter(([, members]) => Object.keys(Object(members)).length > 0));
}

/** The section and the name of the component in a reference, which may point into it. */
function componentOf(reference: string): string {
  const [, section = "", name = ""] = parsePointer(reference.slice(1)) ?? [];
  return `${section}/${name}`;
}

function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isJsonObject(value) ? value : {};
}
