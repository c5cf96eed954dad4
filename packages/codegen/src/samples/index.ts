import { preferredContent, mediaKind, type Api, type Operation } from "@plumbline/model";
import { printClientSample } from "./client-sample.js";
import { printCurlSample } from "./curl-sample.js";
import { createExampleRequest } from "./example-request.js";
import { printFetchSample } from "./fetch-sample.js";

export { createExampleRequest, type ExampleBody, type ExampleHeader, type ExampleRequest } from "./example-request.js";

/** The code of a request in one language. */
export interface RequestSample {
  /** What a reader chooses it by, such as `curl`. */
  readonly label: string;
  readonly language: "shell" | "javascript" | "typescript";
  readonly text: string;
}

/**
 * Prints an example of a request as code: for curl, for `fetch`, and for the generated client.
 *
 * @param api - The model of the description.
 * @param operation - An operation with a path.
 * @param client - The package of the generated client. Default: there is no sample of a client.
 * @returns The samples, curl first.
 */
export function createRequestSamples(api: Api, operation: Operation, client?: string): readonly RequestSample[] {
  const request = createExampleRequest(api, operation);
  const success = operation.responses.find(({ status }) => String(status).startsWith("2"));
  const content = preferredContent(success?.contents ?? []);
  const hasResult = content !== undefined && mediaKind(content.mediaType) === "json";
  const text = client === undefined ? undefined : printClientSample(request, { package: client, name: operation.name });
  return [
    { label: "curl", language: "shell", text: printCurlSample(request) },
    { label: "fetch", language: "javascript", text: printFetchSample(request, hasResult) },
    ...(text === undefined ? [] : [{ label: "client", language: "typescript", text } as const]),
  ];
}
