import { isJsonObject, valueAt } from "../../../model/index.js";
import { parsePointer } from "../spec-node.js";

export type SwaggerNode = Readonly<Record<string, unknown>>;

/** A parameter of an operation, without references. */
export interface SwaggerParameter {
  /** Where the parameter stands: its own tokens, not those of a reference to it. */
  readonly tokens: readonly string[];
  readonly node: SwaggerNode;
}

export const swaggerMethods: ReadonlySet<string> = new Set([
  "get",
  "put",
  "post",
  "delete",
  "options",
  "head",
  "patch",
]);

/** Returns the body parameters of an operation, its own and those of its path. Valid Swagger has one at most. */
export function bodyParameters(swagger: SwaggerNode, operation: readonly string[]): readonly SwaggerParameter[] {
  const [ofOperation, ofPath] = parameterLevels(swagger, operation);
  const bodies = ofOperation.filter(({ node }) => node["in"] === "body");
  return bodies.length > 0 ? bodies : ofPath.filter(({ node }) => node["in"] === "body");
}

/** Returns the form parameters of an operation. Its own replace those of its path with the same name. */
export function formParameters(swagger: SwaggerNode, operation: readonly string[]): readonly SwaggerParameter[] {
  const [own, ofPath] = parameterLevels(swagger, operation);
  const all = [...ofPath, ...own].filter(({ node }) => node["in"] === "formData");
  return [...new Map(all.map((each) => [each.node["name"], each])).values()];
}

function parameterLevels(swagger: SwaggerNode, operation: readonly string[]) {
  return [operation, operation.slice(0, -1)].map((owner) => listParameters(swagger, [...owner, "parameters"])) as [
    readonly SwaggerParameter[],
    readonly SwaggerParameter[],
  ];
}

function listParameters(swagger: SwaggerNode, tokens: readonly string[]): readonly SwaggerParameter[] {
  const list = valueAt(swagger, tokens);
  if (!Array.isArray(list)) return [];
  return list.flatMap((_, index) => {
    const target = followReferences(swagger, [...tokens, String(index)]);
    const node = valueAt(swagger, target);
    return isJsonObject(node) ? [{ tokens: target, node }] : [];
  });
}

/** Returns the tokens of a node, or of what it refers to within this file. */
export function followReferences(swagger: SwaggerNode, tokens: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (let place = tokens; ;) {
    const node = valueAt(swagger, place);
    const reference = isJsonObject(node) ? node["$ref"] : undefined;
    if (typeof reference !== "string" || names.has(reference)) return place;
    names.add(reference);
    const target = reference.startsWith("#") ? parsePointer(reference.slice(1)) : undefined;
    if (target === undefined || valueAt(swagger, target) === undefined) return place;
    place = target;
  }
}
