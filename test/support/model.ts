import path from "node:path";
import type { Api, Body, Content, Operation } from "../../generators/dist/model/api.js";
import { buildApi } from "../../generators/dist/model/build.js";
import { load } from "../../generators/dist/spec/load.js";
import { repository } from "./places.js";

export type {
  Api,
  Body,
  Content,
  Json,
  JsonType,
  Operation,
  Parameter,
  Shape,
} from "../../generators/dist/model/api.js";

/** Our description in one file or several, as generators read it. */
export const ourDescription: string = path.join(repository, "spec", "openapi.yaml");

let model: Promise<Api> | undefined;

/** Our API as the generators have it. It is read once for all test files of a process. */
export function readModel(): Promise<Api> {
  model ??= load(ourDescription).then((loaded) => buildApi(loaded, { names: {}, requirements: undefined }));
  return model;
}

/** The JSON body of an operation. */
export function jsonBody({ body }: Operation): (Body & { readonly json: Content }) | undefined {
  const json = body?.contents.find((content) => content.mediaType === "application/json");
  return body === undefined || json === undefined ? undefined : { ...body, json };
}
