import { isJson, ownField } from "../../http/index.js";
import type { HttpResponse } from "../../server/index.js";
import type { DocumentedResponse, MockOperation } from "../mock-definition.js";

/** What a client asks for with the header `Prefer`. */
interface Preferences {
  /** A status. */
  readonly code?: string | undefined;
  /** The name of an example. */
  readonly example?: string | undefined;
  /** Whether to respond with a sample of the schema in place of an example. */
  readonly isDynamic: boolean;
}

/**
 * The response that a client asks for with `Prefer: code=404`, `Prefer: example=name` or `Prefer: dynamic=true`. Undefined if it asks for none.
 * The server responds with 404 to a status or an example that the description does not document.
 *
 * @param prefer - The header.
 */
export function preferredResponse(operation: MockOperation, prefer: string | undefined): HttpResponse | undefined {
  const preferences = readPreferences(prefer);
  const { code, example, isDynamic } = preferences;
  if (code === undefined && example === undefined && !isDynamic) return undefined;
  const status = code ?? standardStatus(operation, example);
  const documented = documentedFor(operation.documented, status);
  if (documented === undefined) return undocumented(`no status ${status}`);
  const body = example === undefined ? undefined : ownField(documented.examples ?? {}, example);
  if (example !== undefined && body === undefined) return undocumented(`no example "${example}" of status ${status}`);
  return documentedResponse(numberOf(status), documented, body ?? (isDynamic ? documented.sample : undefined));
}

/**
 * The documented response with a status: `404`, else `4XX`, else `default`.
 *
 * @param body - The body. Default: the documented example, otherwise a sample of the schema.
 */
export function documentedResponse(
  status: number,
  { mediaType, example, sample }: DocumentedResponse,
  body: unknown = example ?? sample,
): HttpResponse {
  const headers = { "Plumbline-Mock": "example" };
  if (mediaType === undefined || body === undefined || [204, 205, 304].includes(status)) return { status, headers };
  const text = typeof body === "string" && !isJson(mediaType) ? body : JSON.stringify(body);
  return { status, headers: { ...headers, "Content-Type": mediaType }, body: text };
}

/** What the description says about a status. */
export function documentedFor(
  all: MockOperation["documented"],
  status: string | number,
): DocumentedResponse | undefined {
  const text = String(status);
  return /^[2-5]\d\d$/.test(text) ? (all[text] ?? all[`${text.slice(0, 1)}XX`] ?? all["default"]) : undefined;
}

function undocumented(what: string): HttpResponse {
  const body = JSON.stringify({ title: `The description documents ${what}.` });
  return { status: 404, headers: { "Content-Type": "application/json" }, body };
}

function numberOf(status: string): number {
  return Number(status);
}

/** The status of the named example, or else the first status of success. */
function standardStatus({ documented }: MockOperation, example: string | undefined): string {
  const statuses = Object.entries(documented).toSorted(([a], [b]) => Number(isError(a)) - Number(isError(b)));
  const withExample = statuses.find(
    ([, { examples }]) => example !== undefined && ownField(examples ?? {}, example) !== undefined,
  );
  const [status = "200"] = withExample ?? statuses[0] ?? [];
  return status === "default" ? "200" : status.replace("XX", "00");
}

function isError(status: string): boolean {
  return !/^[23]/.test(status);
}

/** Reads `code=404`, or `code=404, example="none"`. */
function readPreferences(text: string | undefined): Preferences {
  if (text === undefined) return { isDynamic: false };
  const preferences = new Map(
    text.split(/[,;]/).map((each) => {
      const [name = "", ...value] = each.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim().replaceAll('"', "")] as const;
    }),
  );
  return {
    code: preferences.get("code"),
    example: preferences.get("example"),
    isDynamic: preferences.get("dynamic") === "true",
  };
}
