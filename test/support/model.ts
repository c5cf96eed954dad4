import path from "node:path";
import type { Api, MediaTypeObject, Operation, RequestBody } from "@plumbline/kit/model";
import { buildApi } from "@plumbline/kit/openapi";
import { loadDescription } from "@plumbline/kit/openapi";
import { repository } from "./places.js";

export type {
  Api,
  MediaTypeObject,
  Json,
  JsonType,
  Operation,
  Parameter,
  RequestBody,
  Schema,
} from "@plumbline/kit/model";

/** Our description in one file or several, as generators read it. */
export const ourDescription: string = path.join(repository, "spec", "openapi.yaml");

/** The same in one file, complete for other tools. */
export const publishedDescription: string = path.join(repository, "packages", "description", "openapi.yaml");

let model: Promise<Api> | undefined;

/** Our API as the generators have it. It is read once for all test files of a process. */
export function readModel(): Promise<Api> {
  model ??= loadDescription(ourDescription).then((loaded) => buildApi(loaded, { names: {}, requirements: undefined }));
  return model;
}

/** The JSON body of an operation. */
export function jsonBody({ requestBody }: Operation): (RequestBody & { readonly json: MediaTypeObject }) | undefined {
  const json = requestBody?.contents.find((content) => content.mediaType === "application/json");
  return requestBody === undefined || json === undefined ? undefined : { ...requestBody, json };
}
