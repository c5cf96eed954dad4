import type { Exchange } from "../results.js";
import type { HttpRequest, HttpResponse } from "./http-client.js";
import type { NoResponseError } from "./no-response-error.js";
import type { SecretRegistry } from "./secrets.js";

/** The exchanges of a case, or of an object that several cases share. */
export interface ExchangeLog {
  readonly entries: LoggedExchange[];
  requests: number;
  /** True once a step has checked a response. */
  hasAssertions: boolean;
  /** Secrets that only this case uses. */
  readonly secrets: string[];
}

export interface LoggedExchange {
  readonly operation: string;
  readonly caller: string;
  readonly request: HttpRequest;
  readonly response: HttpResponse | NoResponseError;
}

export function createExchangeLog(): ExchangeLog {
  return { entries: [], requests: 0, hasAssertions: false, secrets: [] };
}

/** Appends another log, such as that of a shared object which the worker created earlier. */
export function appendExchanges(log: ExchangeLog, other: ExchangeLog): void {
  const recorded = new Set(log.entries);
  log.entries.push(...other.entries.filter((entry) => !recorded.has(entry)));
}

/** The exchanges for a report, with secrets redacted. */
export function redactExchanges(log: ExchangeLog, secrets: SecretRegistry): readonly Exchange[] {
  return log.entries.map(({ operation, caller, request, response }) => ({
    operation,
    method: request.method,
    url: secrets.text(request.url),
    caller,
    requestHeaders: headersOf(request.headers, secrets),
    ...(request.body === undefined ? {} : { requestBody: truncateBody(secrets.body(request.body)) }),
    ...("status" in response
      ? {
          status: response.status,
          headers: headersOf(response.headers, secrets),
          body: truncateBody(secrets.body(response.text)),
          durationMs: response.durationMs,
        }
      : { status: 0, headers: {}, body: response.message, durationMs: 0 }),
  }));
}

/** Longer bodies are truncated. */
const maxCharacters = 100_000;

function truncateBody(text: string): string {
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}… (${text.length} characters)` : text;
}

function headersOf(headers: Readonly<Record<string, string>>, secrets: SecretRegistry): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.header(name, value)]));
}
