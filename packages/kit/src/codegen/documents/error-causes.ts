import { operationErrors, type Api, type ErrorDefinition, type Operation } from "../../model/index.js";
import type { JsonObject } from "../openapi-types/document.js";
import { childObject, mapObjects, mapOperations, type OpenapiDocument } from "./openapi-document.js";

/**
 * Adds the summaries of documented errors to the descriptions of the responses that they cause. Other tools do not read `x-errors`.
 * A response that is a component becomes one of the operation.
 */
export function withErrorCauses(api: Api, document: OpenapiDocument): OpenapiDocument {
  const components = childObject(document, "components") ?? {};
  const shared = childObject(components, "responses") ?? {};
  return mapOperations(document, api.operations, (operationObject, operation) => {
    const responses = childObject(operationObject, "responses");
    const errors = statedErrors(api, operation);
    if (responses === undefined || errors.length === 0) return operationObject;
    return {
      ...operationObject,
      responses: mapObjects(responses, (response, status) => {
        const causes = errors.flatMap((error) => (String(error.status) === status ? (error.summary ?? []) : []));
        return causes.length === 0 ? response : withCauses(response, causes, shared);
      }),
    };
  });
}

/** The errors of an operation, and those of all operations that are about one of its parameters. */
function statedErrors(api: Api, operation: Operation): readonly ErrorDefinition[] {
  const names = new Set(operation.parameters.map(({ name }) => name));
  const isAboutParameter = ({ field }: ErrorDefinition): boolean => typeof field === "string" && names.has(field);
  return [...operationErrors(api, operation), ...api.errors.filter(isAboutParameter)];
}

function withCauses(response: JsonObject, causes: readonly string[], shared: JsonObject): JsonObject {
  const { $ref } = response;
  const name = typeof $ref === "string" ? /^#\/components\/responses\/([^/]+)$/.exec($ref)?.[1] : undefined;
  const stated = $ref === undefined ? response : name === undefined ? undefined : childObject(shared, name);
  const { description = "" } = stated ?? {};
  if (stated === undefined || typeof description !== "string") return response;
  const missing = causes.map(plainSentence).filter((cause) => !plainSentence(description).includes(cause));
  if (missing.length === 0) return response;
  const list = missing.map((cause) => `- ${cause}.`).join("\n");
  return { ...stated, description: `${description.trim()}\n\nAmong the causes:\n\n${list}` };
}

/** A text without line breaks and without its last period. */
function plainSentence(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").replace(/\.$/, "");
}
