import { isJsonObject, valueAt } from "../../../model/index.js";
import { bodyParameters, followReferences, formParameters, type SwaggerNode } from "./parameters.js";

/** Maps the place of a node in a converted description to its place in the Swagger 2.0 file, or to that of its nearest ancestor. */
export function swaggerTokens(
  tokens: readonly string[],
  swagger: SwaggerNode,
  converted: SwaggerNode,
): readonly string[] {
  const [first, second, ...rest] = tokens;
  if (first === "openapi") return ["swagger"];
  if (first === "servers") return ["host" in swagger ? "host" : "basePath"];
  if (first === "components") {
    const [name, ...inner] = rest;
    const place = [componentKeys[second ?? ""] ?? "", ...(name === undefined ? [] : [name])];
    return second === "responses" ? [...place, ...responseTokens(inner)] : [...place, ...withoutSchema(inner)];
  }
  if (first !== "paths") return tokens;
  const [key = "", ...inner] = rest;
  const item = ["paths", second ?? ""];
  if (key === "parameters") return [...item, ...parameterTokens(inner, { item, swagger, converted })];
  const [part = "", ...last] = inner;
  const operation = [...item, key];
  if (part === "parameters") return [...operation, ...parameterTokens(last, { item: operation, swagger, converted })];
  if (part === "requestBody") return bodyTokens(last, { operation, swagger });
  if (part === "servers") return [...operation, "schemes"];
  if (part === "responses") {
    const response = [...operation, part, ...last.slice(0, 1)];
    const ofResponse = responseTokens(last.slice(1));
    // A shared response may have been copied to where an operation refers to it.
    return ofResponse.length > 0 ? [...followReferences(swagger, response), ...ofResponse] : response;
  }
  return tokens;
}

const componentKeys: Readonly<Record<string, string>> = {
  schemas: "definitions",
  parameters: "parameters",
  responses: "responses",
  securitySchemes: "securityDefinitions",
};

function responseTokens(tokens: readonly string[]): readonly string[] {
  const [first, second, ...rest] = tokens;
  if (first === "content") return rest; // from the media type on: its schema
  if (first === "headers" && second !== undefined) return [first, second, ...withoutSchema(rest)];
  return tokens;
}

/** What a parameter or header has in `schema` stands beside its name. */
function withoutSchema(tokens: readonly string[]): readonly string[] {
  return tokens[0] === "schema" ? tokens.slice(1) : tokens;
}

interface BodyContext {
  readonly operation: readonly string[];
  readonly swagger: SwaggerNode;
}

/** A body is one parameter, or one for each field of a form. They may stand in the path or in the shared parameters. */
function bodyTokens(tokens: readonly string[], { operation, swagger }: BodyContext): readonly string[] {
  const [content, , schema, ...rest] = tokens;
  const isInSchema = content === "content" && schema === "schema";
  const [body] = bodyParameters(swagger, operation);
  if (body !== undefined) return isInSchema ? [...body.tokens, "schema", ...rest] : body.tokens;
  const forms = formParameters(swagger, operation);
  const [properties, name, ...inner] = isInSchema ? rest : [];
  const field = properties === "properties" ? forms.find(({ node }) => node["name"] === name) : undefined;
  return field === undefined ? [...operation, "parameters"] : [...field.tokens, ...inner];
}

interface ParameterContext {
  /** The tokens of the path or operation, which are the same in both. */
  readonly item: readonly string[];
  readonly swagger: SwaggerNode;
  readonly converted: SwaggerNode;
}

/** The body is a parameter in Swagger, so that the numbers of others differ. */
function parameterTokens(tokens: readonly string[], { item, swagger, converted }: ParameterContext): readonly string[] {
  const [index, ...rest] = tokens;
  if (index === undefined) return ["parameters"];
  const identity = identityOf(valueAt(converted, [...item, "parameters", index]));
  const originals = valueAt(swagger, [...item, "parameters"]);
  const position = Array.isArray(originals) ? originals.findIndex((each) => identityOf(each) === identity) : -1;
  return position < 0 ? ["parameters"] : ["parameters", String(position), ...withoutSchema(rest)];
}

function identityOf(parameter: unknown): string {
  if (!isJsonObject(parameter)) return "";
  const { $ref: reference } = parameter;
  return typeof reference === "string"
    ? reference.replace("#/components/parameters/", "#/parameters/")
    : JSON.stringify([parameter["in"], parameter["name"]]);
}
