import type { Api } from "../../model/index.js";
import { createRequestSamples, type RequestSample } from "../samples/index.js";
import { mapOperations, type OpenapiDocument } from "./openapi-document.js";

const languages = {
  shell: "Shell",
  javascript: "JavaScript",
  typescript: "TypeScript",
} as const satisfies Readonly<Record<RequestSample["language"], string>>;

/** Adds `x-codeSamples` to each operation, which Redoc, Scalar and other tools show beside it. Operations that have the field keep theirs. */
export function withCodeSamples(api: Api, document: OpenapiDocument, client: string | undefined): OpenapiDocument {
  return mapOperations(document, api.operations, (operationObject, operation) => ({
    "x-codeSamples": createRequestSamples(api, operation, client).map(({ label, language, text }) => ({
      lang: languages[language],
      label,
      source: text,
    })),
    ...operationObject,
  }));
}
