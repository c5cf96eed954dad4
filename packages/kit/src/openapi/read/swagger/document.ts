import { isJsonObject, valueAt, ownValue } from "../../../model/index.js";
import {
  bodyParameters,
  followReferences,
  formParameters,
  swaggerMethods,
  type SwaggerNode,
  type SwaggerParameter,
} from "./parameters.js";
import { convertDefinitions, convertReference, convertSwaggerSchema, mapValues } from "./schemas.js";

/**
 * Converts a Swagger 2.0 document to OpenAPI 3.0. What is not as Swagger requires stays as it is, for the linter to report.
 *
 * @returns a new document, which may share values with the given one
 */
export function convertDocument(swagger: SwaggerNode): SwaggerNode {
  const { swagger: _version, host, basePath, schemes, consumes: _consumes, produces, ...others } = swagger;
  const { definitions, parameters, responses, securityDefinitions, ...rest } = others;
  const components = withoutUndefined({
    schemas: convertDefinitions(definitions),
    parameters: convertSharedParameters(parameters, swagger),
    responses: mapValues(responses, (response) => convertResponse(response, mediaTypes(produces))),
    securitySchemes: mapValues(securityDefinitions, convertSecurityScheme),
  });
  return withoutUndefined({
    openapi: "3.0.4",
    ...rest,
    servers: serversOf({ host, basePath, schemes }),
    paths: mapValues(swagger["paths"], (item, path) => convertPathItem(item, { path, swagger })),
    components: Object.keys(components).length > 0 ? components : undefined,
  });
}

function serversOf({ host, basePath, schemes }: SwaggerNode): unknown {
  const base = typeof basePath === "string" ? basePath : "";
  if (typeof host !== "string") return base === "" ? undefined : [{ url: base }];
  const [first = "http", ...others] = Array.isArray(schemes) ? (schemes as readonly unknown[]) : [];
  return [first, ...others].map((scheme) => ({ url: `${String(scheme)}://${host}${base}` }));
}

interface PathContext {
  readonly path: string;
  readonly swagger: SwaggerNode;
}

function convertPathItem(item: unknown, context: PathContext): unknown {
  if (!isJsonObject(item)) return item;
  return mapValues(item, (value, key) => {
    if (key === "parameters") return convertParameters(value, context.swagger);
    return swaggerMethods.has(key) ? convertOperation(value, { ...context, method: key }) : value;
  });
}

function convertOperation(
  operation: unknown,
  { path, method, swagger }: PathContext & { readonly method: string },
): unknown {
  if (!isJsonObject(operation)) return operation;
  const { consumes, produces, schemes, parameters, responses, ...rest } = operation;
  const tokens = ["paths", path, method];
  return withoutUndefined({
    ...rest,
    // A path's servers are those of the API, unless an operation has other schemes.
    servers: schemes === undefined ? undefined : serversOf({ ...swagger, schemes }),
    parameters: convertParameters(parameters, swagger),
    requestBody: convertBody({
      bodies: bodyParameters(swagger, tokens),
      forms: formParameters(swagger, tokens),
      consumes: mediaTypes(consumes ?? swagger["consumes"]),
    }),
    responses: mapValues(responses, (response, status) => {
      // A shared response has the media types of the operation that refers to it.
      const shared = valueAt(swagger, followReferences(swagger, [...tokens, "responses", status]));
      const isAsShared = produces === undefined || !isJsonObject(shared) || shared["schema"] === undefined;
      return convertResponse(isAsShared ? response : shared, mediaTypes(produces ?? swagger["produces"]));
    }),
  });
}

function mediaTypes(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter((each) => typeof each === "string") : [];
}

/** Converts the parameters that are not part of a body. */
function convertParameters(parameters: unknown, swagger: SwaggerNode): unknown {
  if (!Array.isArray(parameters)) return parameters;
  const outside = (parameters as readonly unknown[]).filter((each) => !isOfBody(each, swagger));
  return outside.length > 0 ? outside.map(convertParameter) : undefined;
}

function convertSharedParameters(parameters: unknown, swagger: SwaggerNode): unknown {
  if (!isJsonObject(parameters)) return parameters;
  const outside = Object.entries(parameters).filter(([, each]) => !isOfBody(each, swagger));
  return outside.length > 0 ? mapValues(Object.fromEntries(outside), convertParameter) : undefined;
}

function isOfBody(parameter: unknown, swagger: SwaggerNode): boolean {
  const root = { ...swagger, parameter };
  const target = valueAt(root, followReferences(root, ["parameter"]));
  return isJsonObject(target) && (target["in"] === "body" || target["in"] === "formData");
}

function convertParameter(parameter: unknown): unknown {
  if (!isJsonObject(parameter)) return parameter;
  if (typeof parameter["$ref"] === "string") return convertReference(parameter);
  const isQuery = parameter["in"] === "query";
  return {
    ...withSchema(parameter),
    ...(parameter["type"] === "array" && listStyle(parameter["collectionFormat"], isQuery ? "form" : "simple")),
  };
}

/** How a list is written. Other formats have no counterpart, and are reported as losses. */
function listStyle(collectionFormat: unknown, separatedByCommas: "form" | "simple"): SwaggerNode {
  if (collectionFormat === undefined || collectionFormat === "csv") return { style: separatedByCommas, explode: false };
  if (separatedByCommas === "simple") return {};
  if (collectionFormat === "ssv") return { style: "spaceDelimited", explode: false };
  if (collectionFormat === "pipes") return { style: "pipeDelimited", explode: false };
  return collectionFormat === "multi" ? { style: "form", explode: true } : {};
}

/** Moves what describes the value of a parameter or header into a schema. Descriptions that have one already keep it. */
function withSchema({ collectionFormat: _format, schema, ...node }: SwaggerNode): SwaggerNode {
  const isOutside = ([key]: readonly [string, unknown]): boolean =>
    besideSchema.has(key) || (key.startsWith("x-") && key !== "x-nullable");
  const entries = Object.entries(node);
  const value = Object.fromEntries(entries.filter((entry) => !isOutside(entry)));
  const items = "items" in value && { items: withoutFormats(value["items"]) };
  return {
    ...Object.fromEntries(entries.filter(isOutside)),
    schema: convertSwaggerSchema({ ...(isJsonObject(schema) && schema), ...value, ...items }),
  };
}

const besideSchema: ReadonlySet<string> = new Set([
  "name",
  "in",
  "description",
  "required",
  "allowEmptyValue",
  "example",
]);

/** Lists within lists have no format in OpenAPI 3, which is reported as a loss. */
function withoutFormats(items: unknown): unknown {
  if (!isJsonObject(items)) return items;
  const { collectionFormat: _format, ...rest } = items;
  return { ...rest, ...("items" in rest && { items: withoutFormats(rest["items"]) }) };
}

interface BodyParts {
  readonly bodies: readonly SwaggerParameter[];
  readonly forms: readonly SwaggerParameter[];
  readonly consumes: readonly string[];
}

function convertBody({ bodies: [body], forms, consumes }: BodyParts): unknown {
  if (body === undefined) return forms.length > 0 ? convertForm(forms, consumes) : undefined;
  const { name: _name, in: _in, schema, ...rest } = body.node;
  const types = consumes.length > 0 ? consumes : ["application/json"];
  return {
    ...rest,
    content: Object.fromEntries(types.map((type) => [type, { schema: convertSwaggerSchema(schema) }])),
  };
}

const urlEncoded = "application/x-www-form-urlencoded";

function convertForm(forms: readonly SwaggerParameter[], consumes: readonly string[]): SwaggerNode {
  const hasFile = forms.some(({ node }) => node["type"] === "file");
  const possible = consumes.filter((type) => type === urlEncoded || type.startsWith("multipart/"));
  const types = possible.length > 0 ? possible : [hasFile ? "multipart/form-data" : urlEncoded];
  const required = forms.filter(({ node }) => node["required"] === true).map(({ node }) => node["name"]);
  const schema = {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(forms.map(({ node }) => [String(node["name"]), convertField(node)])),
  };
  const lists = forms.filter(({ node }) => node["type"] === "array");
  const styles = lists.map(({ node }) => [String(node["name"]), listStyle(node["collectionFormat"], "form")] as const);
  const encoding = Object.fromEntries(styles.filter(([, style]) => "style" in style));
  const content = types.map((type) => {
    const hasEncoding = type === urlEncoded && Object.keys(encoding).length > 0;
    return [type, { schema, ...(hasEncoding && { encoding }) }] as const;
  });
  return { ...(required.length > 0 && { required: true }), content: Object.fromEntries(content) };
}

/** Converts a form parameter to the schema of a property. */
function convertField(parameter: SwaggerNode): SwaggerNode {
  const { name: _name, in: _in, required: _required, allowEmptyValue: _empty, ...rest } = parameter;
  const { schema, ...others } = withSchema(rest);
  return { ...others, ...(isJsonObject(schema) && schema) };
}

function convertResponse(response: unknown, produces: readonly string[]): unknown {
  if (!isJsonObject(response)) return response;
  if (typeof response["$ref"] === "string") return convertReference(response);
  const { schema, examples, headers, ...rest } = response;
  const types = produces.length > 0 ? produces : ["application/json"];
  const converted = schema === undefined ? {} : { schema: convertSwaggerSchema(schema) };
  const content = new Map(schema === undefined ? [] : types.map((type) => [type, converted as SwaggerNode]));
  for (const [key, value] of Object.entries(isJsonObject(examples) ? examples : {})) {
    // Swagger's keys are media types. Others are names, as in OpenAPI 3.
    const isType = key.includes("/");
    const type = isType ? key : (types[0] ?? key);
    const { examples: previous, ...media }: SwaggerNode = content.get(type) ?? converted;
    const all = isJsonObject(previous) ? previous : {};
    content.set(type, isType ? { ...media, example: value } : { ...media, examples: { ...all, [key]: { value } } });
  }
  return withoutUndefined({
    ...rest,
    headers: mapValues(headers, convertHeader),
    content: content.size > 0 ? Object.fromEntries(content) : undefined,
  });
}

function convertHeader(header: unknown): unknown {
  return isJsonObject(header) ? withSchema(header) : header;
}

const flows: Readonly<Record<string, string>> = {
  application: "clientCredentials",
  accessCode: "authorizationCode",
};

function convertSecurityScheme(scheme: unknown): unknown {
  if (!isJsonObject(scheme)) return scheme;
  if (scheme["type"] === "basic") return { ...scheme, type: "http", scheme: "basic" };
  if (scheme["type"] !== "oauth2") return scheme;
  const { flow, authorizationUrl, tokenUrl, scopes, ...rest } = scheme;
  const name = typeof flow === "string" ? flow : "implicit";
  return {
    ...rest,
    flows: { [ownValue(flows, name) ?? name]: withoutUndefined({ authorizationUrl, tokenUrl, scopes }) },
  };
}

function withoutUndefined(node: SwaggerNode): SwaggerNode {
  return Object.fromEntries(Object.entries(node).filter(([, value]) => value !== undefined));
}
