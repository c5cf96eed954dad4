import type { Json, Suite } from "@plumbline/conformance-runtime";
import { isJsonObject } from "@plumbline/kit/model";
import { resolveReference, operationsOf, schemasWithin, withoutCounted, type DocumentNode } from "./description.js";

/** A request body for Portman. */
export interface PortmanBody {
  readonly value: Json;
  readonly variables: Readonly<Record<string, readonly (string | number)[]>>;
}

/** Everything that Portman can test by itself: contracts, and variations of callers, objects and values. */
export function createPortmanConfig(
  { operations: facts }: Suite,
  {
    document,
    bodies,
  }: { readonly document: DocumentNode; readonly bodies: ReadonlyMap<string, PortmanBody | undefined> },
): unknown {
  const all = { openApiOperation: "*::/*" };
  const operations = [...operationsOf(document)].filter(([name]) => bodies.has(name));
  const closed = { schemaValidation: { enabled: true, additionalProperties: false } };
  const open = { schemaValidation: { enabled: true } };
  const rejected = (code: number): unknown => ({
    contractTests: [{ statusCode: { enabled: true, code } }, { contentType: { enabled: true } }, closed],
  });
  const has = ({ responses }: DocumentNode, code: number): boolean =>
    isJsonObject(responses) && String(code) in responses;
  const variations = operations.flatMap(([openApiOperationId, { operation, path: template }]) => [
    {
      openApiOperationId,
      variations: [
        ...(has(operation, 400)
          ? [
              {
                name: "fuzzing",
                openApiResponse: "400",
                fuzzing: [{ requestBody: [fields] }, { requestQueryParams: [fields] }, { requestHeaders: [fields] }],
                tests: rejected(400),
              },
            ]
          : []),
        ...(has(operation, 401) && facts[openApiOperationId]?.public !== true
          ? [
              {
                name: "without a token",
                openApiResponse: "401",
                overwrites: [{ overwriteRequestSecurity: { remove: true } }],
                tests: rejected(401),
              },
              {
                name: "with an invalid token",
                openApiResponse: "401",
                overwrites: [{ overwriteRequestSecurity: { bearer: { token: "none-of-ours" } } }],
                tests: rejected(401),
              },
            ]
          : []),
        ...(has(operation, 404) && template.includes("{")
          ? [
              {
                name: "of a missing object",
                openApiResponse: "404",
                overwrites: [{ overwriteRequestPathVariables: pathVariables(template, unknownId) }],
                tests: rejected(404),
              },
            ]
          : []),
      ],
    },
  ]);
  return {
    version: 1,
    tests: {
      contractTests: [
        ...[
          { statusSuccess: { enabled: true } },
          { contentType: { enabled: true } },
          { jsonBody: { enabled: true } },
        ].map((each) => ({ ...all, ...each })),
        ...operations.map(([openApiOperationId, { operation }]) => ({
          openApiOperationId,
          ...(isClosable(operation, document) ? closed : open),
        })),
        { ...all, headersPresent: { enabled: true } },
        ...operations.map(([openApiOperationId, { operation }]) => ({
          openApiOperationId,
          statusCode: { enabled: true, code: successOf(operation, document) },
        })),
      ],
      variationTests: variations.filter((each) => each.variations.length > 0),
    },
    overwrites: operations.map(([openApiOperationId, { path: template }]) => {
      const body = bodies.get(openApiOperationId);
      return {
        openApiOperationId,
        overwriteRequestPathVariables: pathVariables(template, (name) => `{{path_${name}}}`),
        ...(body === undefined ? {} : { overwriteRequestBody: [{ key: ".", value: body.value, overwrite: true }] }),
      };
    }),
    globals: { stripResponseExamples: true, collectionPreRequestScripts: [movesClock] },
  };
}

const fields = {
  requiredFields: { enabled: true },
  minimumNumberFields: { enabled: true },
  maximumNumberFields: { enabled: true },
  minLengthFields: { enabled: true },
  maxLengthFields: { enabled: true },
};

const movesClock = `const controls = pm.variables.get("controls");
if (controls) pm.sendRequest({ url: controls + "/clock", method: "POST", header: { "content-type": "application/json" }, body: { mode: "raw", raw: JSON.stringify({ advance: "PT60S" }) } }, () => undefined);`;

function pathVariables(template: string, valueOf: (name: string) => string): readonly unknown[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => ({
    key: name,
    value: valueOf(name),
    overwrite: true,
  }));
}

/** An id that does not exist, within the range of integers. */
function unknownId(): string {
  return "987654321";
}

/**
 * False for schemas that cannot be closed: parts of a union or of `allOf` would reject each other's properties. Portman also drops
 * properties that are named like an OpenAPI keyword.
 */
function isClosable({ responses }: DocumentNode, document: DocumentNode): boolean {
  const [, response] =
    Object.entries(resolveReference(responses, document)).find(([status]) => /^2\d\d$/.test(status)) ?? [];
  const { content } = resolveReference(response, document);
  const reached = [content, schemasWithin(content, document)];
  const text = JSON.stringify(reached);
  return !/"(allOf|anyOf|oneOf|if|not|additionalProperties|patternProperties)":|"(deprecated|example|readOnly)":\{/.test(
    text,
  );
}

function successOf({ responses }: DocumentNode, document: DocumentNode): number {
  return Number(Object.keys(resolveReference(responses, document)).find((each) => /^2\d\d$/.test(each)) ?? 200);
}

/** The conversion of the description to requests. */
export const postmanConfig = {
  folderStrategy: "Tags",
  requestParametersResolution: "Example",
  exampleParametersResolution: "Example",
  keepImplicitHeaders: true,
  enableOptionalParameters: false,
};

/** Portman cannot read recursive schemas, such as that of list filters. */
export function withoutCycles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCycles);
  if (!isJsonObject(value)) return value;
  if (value["$ref"] === "#/components/schemas/Filter") return {};
  return Object.fromEntries(Object.entries(withoutCounted(value)).map(([key, each]) => [key, withoutCycles(each)]));
}

/** Postman's validator rejects schemas with formats that it does not know. */
export function formatsOf(value: unknown): readonly string[] {
  const formats = new Set<string>();
  const walk = (each: unknown): void => {
    if (Array.isArray(each)) each.forEach(walk);
    if (!isJsonObject(each)) return;
    if (typeof each["format"] === "string") formats.add(each["format"]);
    Object.values(each).forEach(walk);
  };
  walk(value);
  return [...formats].filter((each) => !["int32", "int64", "float", "double"].includes(each));
}
