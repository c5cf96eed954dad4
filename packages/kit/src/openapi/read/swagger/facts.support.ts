import { isJsonObject, valueAt } from "../../../model/index.js";
import { bodyParameters, followReferences, formParameters, swaggerMethods, type SwaggerNode } from "./parameters.js";

/** What a caller of a Swagger 2.0 description has to know, as sorted lines that are the same for its counterpart in OpenAPI 3.0. */
export function swaggerFacts(swagger: SwaggerNode): readonly string[] {
  const typesOf = (node: SwaggerNode, key: string, fallback: string): readonly string[] => {
    const types = node[key] ?? swagger[key];
    return Array.isArray(types) && types.length > 0 ? types.map(String) : [fallback];
  };
  return listFacts(swagger, ({ tokens, operation, title }) => {
    const forms = formParameters(swagger, tokens).map(({ node }) => fieldFact(node, node["required"] === true));
    const bodies = bodyParameters(swagger, tokens).flatMap(({ node }) =>
      typesOf(operation, "consumes", "application/json").map((type) => `${type} ${node["required"] === true}`),
    );
    const responses = entriesAt(swagger, [...tokens, "responses"]).flatMap(([status, response]) => {
      const types = response["schema"] === undefined ? [] : typesOf(operation, "produces", "application/json");
      return [status, ...types.map((type) => `${status} ${type}`), ...headerFacts(status, response)];
    });
    return [...forms, ...bodies, ...responses].map((fact) => `${title} ${fact}`);
  });
}

/** The same of a description in OpenAPI 3.0. */
export function openapiFacts(openapi: SwaggerNode): readonly string[] {
  return listFacts(openapi, ({ tokens, operation, title }) => {
    const body = operation["requestBody"];
    const bodies = entriesAt(body, ["content"]).flatMap(([type, media]) => {
      const { schema } = media;
      const isForm = type === "application/x-www-form-urlencoded" || type === "multipart/form-data";
      if (!isForm) return [`${type} ${isJsonObject(body) && body["required"] === true}`];
      const required = isJsonObject(schema) && Array.isArray(schema["required"]) ? schema["required"] : [];
      return entriesAt(schema, ["properties"]).map(([name, node]) =>
        fieldFact({ ...node, name }, required.includes(name)),
      );
    });
    const responses = entriesAt(openapi, [...tokens, "responses"]).flatMap(([status, response]) => {
      const types = entriesAt(response, ["content"]).filter(([, media]) => media["schema"] !== undefined);
      return [status, ...types.map(([type]) => `${status} ${type}`), ...headerFacts(status, response)];
    });
    return [...bodies, ...responses].map((fact) => `${title} ${fact}`);
  });
}

interface OperationContext {
  readonly tokens: readonly string[];
  readonly operation: SwaggerNode;
  readonly title: string;
}

function listFacts(root: SwaggerNode, factsOf: (context: OperationContext) => readonly string[]): readonly string[] {
  const facts = entriesAt(root, ["paths"]).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => swaggerMethods.has(method))
      .flatMap((method) => {
        const tokens = ["paths", path, method];
        const operation = valueAt(root, tokens) as SwaggerNode;
        const title = `${method} ${path}`;
        const parameters = [tokens.slice(0, -1), tokens].flatMap((owner) => entriesAt(root, [...owner, "parameters"]));
        const ofParameters = parameters
          .filter(([, node]) => node["in"] !== "body" && node["in"] !== "formData")
          .map(([, node]) => `${title} ${String(node["in"])} ${valueFact(node)} ${node["required"] === true}`);
        const security = `${title} ${JSON.stringify(operation["security"] ?? root["security"])}`;
        return [title, security, ...ofParameters, ...factsOf({ tokens, operation, title })];
      }),
  );
  return [...new Set(facts)].toSorted();
}

/** The objects in an object or list, without references. */
function entriesAt(root: unknown, tokens: readonly string[]): readonly (readonly [string, SwaggerNode])[] {
  if (!isJsonObject(root)) return [];
  const parent = followReferences(root, tokens);
  const children = valueAt(root, parent);
  if (typeof children !== "object" || children === null) return [];
  return Object.keys(children).flatMap((key) => {
    const node = valueAt(root, followReferences(root, [...parent, key]));
    return isJsonObject(node) ? [[key, node] as const] : [];
  });
}

function headerFacts(status: string, response: SwaggerNode): readonly string[] {
  return entriesAt(response, ["headers"]).map(([name, node]) => `${status} ${valueFact({ ...node, name })}`);
}

function valueFact(node: SwaggerNode): string {
  const { type, format, items, maxLength, default: initial } = isJsonObject(node["schema"]) ? node["schema"] : node;
  const item = isJsonObject(items) ? items["type"] : undefined;
  return [node["name"], ...[type, format, item, maxLength, initial].map((each) => JSON.stringify(each) ?? "-")].join(
    " ",
  );
}

function fieldFact(node: SwaggerNode, isRequired: boolean): string {
  return `form ${valueFact(node["type"] === "file" ? { ...node, type: "string", format: "binary" } : node)} ${isRequired}`;
}
