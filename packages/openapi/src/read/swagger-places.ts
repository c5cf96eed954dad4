import { isJsonObject, valueAt } from "@plumbline/model";

/** Maps the place of a node in a converted description to its place in the Swagger 2.0 file, or to that of its nearest ancestor. */
export function swaggerTokens(tokens: readonly string[], swagger: unknown, converted: unknown): readonly string[] {
  const [first, second, ...rest] = tokens;
  if (first === "openapi") return ["swagger"];
  if (first === "servers") return [isJsonObject(swagger) && "host" in swagger ? "host" : "basePath"];
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
  if (part === "requestBody") return [...operation, "parameters"];
  if (part === "responses") return [...operation, part, ...last.slice(0, 1), ...responseTokens(last.slice(1))];
  return tokens;
}

const componentKeys: Readonly<Record<string, string>> = {
  schemas: "definitions",
  parameters: "parameters",
  requestBodies: "parameters",
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

interface ParameterContext {
  /** The tokens of the path or operation, which are the same in both. */
  readonly item: readonly string[];
  readonly swagger: unknown;
  readonly converted: unknown;
}

/** The body is a parameter in Swagger, so that the numbers of others differ. */
function parameterTokens(tokens: readonly string[], { item, swagger, converted }: ParameterContext): readonly string[] {
  const [index, ...rest] = tokens;
  if (index === undefined) return ["parameters"];
  const wanted = identityOf(valueAt(converted, [...item, "parameters", index]));
  const originals = valueAt(swagger, [...item, "parameters"]);
  const found = Array.isArray(originals) ? originals.findIndex((each) => identityOf(each) === wanted) : -1;
  return found < 0 ? ["parameters"] : ["parameters", String(found), ...withoutSchema(rest)];
}

function identityOf(parameter: unknown): string {
  if (!isJsonObject(parameter)) return "";
  const { $ref: reference } = parameter;
  return typeof reference === "string"
    ? reference.replace("#/components/parameters/", "#/parameters/")
    : JSON.stringify([parameter["in"], parameter["name"]]);
}
