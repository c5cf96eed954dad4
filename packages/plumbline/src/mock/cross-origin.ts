import type { HttpRequest, HttpResponse } from "@plumbline/server-runtime";

/** Lets pages of every origin read a response, also with credentials (the CORS protocol of the Fetch standard). */
export function allowCrossOrigin(request: HttpRequest, response: HttpResponse): HttpResponse {
  const origin = request.header("origin");
  if (origin === undefined) return response;
  const headers = {
    ...response.headers,
    ...allowOrigin(origin),
    // With credentials, `*` means a header of this name.
    "Access-Control-Expose-Headers": Object.keys(response.headers).join(", "),
  };
  return { ...response, headers };
}

/** The response to the question of a browser whether it may send a request; undefined for every other request. */
export function preflightResponse(request: HttpRequest): HttpResponse | undefined {
  const [origin, allowedMethod] = [request.header("origin"), request.header("access-control-request-method")];
  if (request.method !== "OPTIONS" || origin === undefined || allowedMethod === undefined) return undefined;
  const headers = {
    ...allowOrigin(origin),
    "Access-Control-Allow-Methods": allowedMethod,
    "Access-Control-Allow-Headers": request.header("access-control-request-headers") ?? "",
  };
  return { status: 204, headers };
}

function allowOrigin(origin: string): Readonly<Record<string, string>> {
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true", Vary: "Origin" };
}
