import { isSuccess, preferredContent, mediaKind, type Api, type Operation } from "../../model/index.js";
import { printClientSample, type ClientCall } from "./client-sample.js";
import { printCurlSample } from "./curl-sample.js";
import { createExampleRequest, type ExampleRequest } from "./example-request.js";
import { printFetchSample } from "./fetch-sample.js";

export type { ClientCall } from "./client-sample.js";
export {
  createExampleRequest,
  exampleBase,
  type ExampleBody,
  type ExampleHeader,
  type ExampleRequest,
} from "./example-request.js";

/** The code of a request in one language. */
export interface RequestSample {
  /** What a reader chooses it by, such as `curl`. */
  readonly label: string;
  readonly language: "shell" | "javascript" | "typescript";
  readonly text: string;
}

/** What samples of a request know of its API. */
export interface SampleContext {
  /** The operation, and the package of the generated client. Absent: there is no sample of a client. */
  readonly client?: ClientCall | undefined;
  /** Whether a response of success is JSON. */
  readonly hasResult: boolean;
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
  return printRequestSamples(createExampleRequest(api, operation), {
    client: client === undefined ? undefined : { package: client, name: operation.name },
    hasResult: hasJsonResult(operation),
  });
}

/** Whether the first response of success is JSON. */
export function hasJsonResult({ responses }: Operation): boolean {
  const success = responses.find(isSuccess);
  const content = preferredContent(success?.contents ?? []);
  return content !== undefined && mediaKind(content.mediaType) === "json";
}

/** Prints any request as code. Runs in browsers, too. */
export function printRequestSamples(
  request: ExampleRequest,
  { client, hasResult }: SampleContext,
): readonly RequestSample[] {
  const text = client === undefined ? undefined : printClientSample(request, client);
  return [
    { label: "curl", language: "shell", text: printCurlSample(request) },
    { label: "fetch", language: "javascript", text: printFetchSample(request, hasResult) },
    ...(text === undefined ? [] : [{ label: "client", language: "typescript", text } as const]),
  ];
}
