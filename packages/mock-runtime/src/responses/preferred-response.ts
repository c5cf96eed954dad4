import type { DocumentedResponse, MockDefinition } from "../mock-definition.js";
import type { MatchedOperation } from "./match-operation.js";

/**
 * The response that a client asks for with `Prefer: code=404`, or `Prefer: dynamic=true` for a sample in place of an example. Undefined if it
 * asks for none. A status that the description does not document is answered with 404.
 */
export function preferredResponse(
  _definition: MockDefinition,
  { operation }: MatchedOperation,
  { headers }: Request,
): Response | undefined {
  const preferences = readPreferences(headers.get("Prefer") ?? "");
  const { code } = preferences;
  const isDynamic = preferences["dynamic"] === "true";
  if (code === undefined && !isDynamic) return undefined;
  const status = code ?? Object.keys(operation.documented).find((each) => each.startsWith("2"));
  const documented = status === undefined ? undefined : documentedFor(operation.documented, status);
  if (status === undefined || documented === undefined)
    return Response.json({ title: `The description documents no status ${status ?? "of success"}.` }, { status: 404 });
  return responseOf(Number(status), documented, isDynamic);
}

function readPreferences(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(/[,;]\s*/).map((each) => {
      const [name = "", value = ""] = each.split("=");
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")] as const;
    }),
  );
}

function documentedFor(
  all: Readonly<Record<string, DocumentedResponse>>,
  status: string,
): DocumentedResponse | undefined {
  if (!/^[1-5]\d\d$/.test(status)) return undefined;
  return all[status] ?? all[`${status.slice(0, 1)}XX`] ?? all["default"];
}

function responseOf(status: number, { mediaType, example, sample }: DocumentedResponse, isDynamic: boolean): Response {
  const body = isDynamic ? (sample ?? example) : (example ?? sample);
  const headers = { "Plumbline-Mock": "example" };
  if (mediaType === undefined || body === undefined || status === 204 || status === 304)
    return new Response(null, { status, headers });
  const text = typeof body === "string" && !mediaType.includes("json") ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { ...headers, "Content-Type": mediaType } });
}
