import type { OperationInfo, Suite } from "../suite.js";
import type { HttpClient, HttpRequest, HttpResponse } from "./http-client.js";
import type { Identity } from "./identity.js";
import { NoResponseError } from "./no-response-error.js";
import { encodeRequest, type RequestParts } from "./request.js";

/** The server that a run tests: its operations, its addresses, and the client that sends to them. */
export interface TargetServer extends Pick<Suite, "operations" | "controls"> {
  /** The base URL of the API, without a slash at its end. */
  readonly url: string;
  /** The base URL of the test controls. Undefined without them. */
  readonly controlsUrl: string | undefined;
  readonly userAgent: string;
  readonly client: HttpClient;
  /** Counted for the complete run. */
  readonly requests: { sent: number };
}

export interface TargetOperation {
  readonly info: OperationInfo;
  /** Undefined for a test control of a server without them. */
  readonly url: string | undefined;
  readonly isControl: boolean;
}

/** Finds an operation by the name that steps use: `createNote`, or `controls:advance` for a test control. */
export function findOperation(
  name: string,
  { operations, controls, url, controlsUrl }: TargetServer,
): TargetOperation | undefined {
  const isControl = name.startsWith(controlPrefix);
  const info = isControl ? controls[name.slice(controlPrefix.length)] : operations[name];
  return info === undefined ? undefined : { info, url: isControl ? controlsUrl : url, isControl };
}

const controlPrefix = "controls:";

/** Sends a request and counts it. Returns the error when the server does not respond. */
export async function sendRequest(request: HttpRequest, target: TargetServer): Promise<HttpResponse | NoResponseError> {
  target.requests.sent++;
  try {
    return await target.client.send(request);
  } catch (error) {
    if (error instanceof NoResponseError) return error;
    throw error;
  }
}

export interface OperationCall extends RequestParts {
  readonly info: OperationInfo;
  readonly url: string;
  /** Undefined: an anonymous request. */
  readonly caller: Identity | undefined;
}

/** Calls an operation outside of cases. Undefined when the server does not respond. */
export async function callOperation(
  { info, url, caller, ...parts }: OperationCall,
  target: TargetServer,
): Promise<HttpResponse | undefined> {
  const request = encodeRequest(parts, { info, url, caller, userAgent: target.userAgent });
  const response = await sendRequest(request, target);
  return response instanceof NoResponseError ? undefined : response;
}
