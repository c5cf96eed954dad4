import { mediaKind, mediaTypeEssence, type Api, type MediaTypeObject, type Operation } from "../../model/index.js";
import type { JsonObject } from "../openapi-types/document.js";
import { sampleSchema } from "../values/sample-schema.js";
import { childObject, mapObjects, mapOperations, type OpenapiDocument } from "./openapi-document.js";

/**
 * Adds an example to each JSON body that has none, so that tools show one value and not their guess. Bodies that are components stay as they
 * are: their examples belong to several operations.
 */
export function withExamples(api: Api, document: OpenapiDocument): OpenapiDocument {
  return mapOperations(document, api.operations, (operationObject, operation) => ({
    ...operationObject,
    ...withBodyExample(api, operationObject, operation),
    ...withResponseExamples(api, operationObject, operation),
  }));
}

function withBodyExample(api: Api, operationObject: JsonObject, { requestBody }: Operation): JsonObject {
  const body = childObject(operationObject, "requestBody");
  if (body === undefined || requestBody === undefined) return {};
  return { requestBody: withContentExamples(api, body, requestBody.contents) };
}

function withResponseExamples(api: Api, operationObject: JsonObject, operation: Operation): JsonObject {
  const responses = childObject(operationObject, "responses");
  if (responses === undefined) return {};
  return {
    responses: mapObjects(responses, (response, status) => {
      const documented = operation.responses.find((each) => String(each.status) === status);
      return documented === undefined ? response : withContentExamples(api, response, documented.contents);
    }),
  };
}

function withContentExamples(api: Api, body: JsonObject, contents: readonly MediaTypeObject[]): JsonObject {
  const content = childObject(body, "content");
  if (content === undefined) return body;
  return {
    ...body,
    content: mapObjects(content, (media, key) => {
      const mediaType = mediaTypeEssence(key);
      const documented = contents.find((each) => each.mediaType === mediaType);
      if (documented === undefined || mediaKind(documented.mediaType) !== "json") return media;
      if (!Object.hasOwn(media, "schema") || Object.hasOwn(media, "example") || Object.hasOwn(media, "examples"))
        return media;
      return { ...media, example: documented.example ?? sampleSchema(api, documented.schema).value };
    }),
  };
}
