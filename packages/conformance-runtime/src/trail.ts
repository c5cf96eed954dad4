import type { Answer, NoAnswer, Sent } from "./http.js";
import type { Exchange } from "./results.js";
import type { Secrets } from "./secrets.js";

/** The exchanges of a case, or of an object that several cases share. */
export interface Trail {
  readonly hops: Hop[];
  requests: number;
  /** True once a step has checked a response. */
  judged: boolean;
  /** Secrets that only this case uses. */
  readonly secrets: string[];
}

export interface Hop {
  readonly operation: string;
  readonly by: string;
  readonly sent: Sent;
  readonly answer: Answer | NoAnswer;
}

export function newTrail(): Trail {
  return { hops: [], requests: 0, judged: false, secrets: [] };
}

/** Appends another trail, such as that of a shared object which the lane created earlier. */
export function follow(trail: Trail, other: Trail): void {
  const known = new Set(trail.hops);
  trail.hops.push(...other.hops.filter((hop) => !known.has(hop)));
}

/** The exchanges for a report, with secrets redacted. */
export function exchangesOf(trail: Trail, secrets: Secrets): readonly Exchange[] {
  return trail.hops.map(({ operation, by, sent, answer }) => ({
    operation,
    method: sent.method,
    url: secrets.text(sent.url),
    by,
    requestHeaders: headersOf(sent.headers, secrets),
    ...(sent.body === undefined ? {} : { requestBody: cut(secrets.body(sent.body)) }),
    ...("status" in answer
      ? {
          status: answer.status,
          headers: headersOf(answer.headers, secrets),
          body: cut(secrets.body(answer.text)),
          took: answer.took,
        }
      : { status: 0, headers: {}, body: answer.message, took: 0 }),
  }));
}

/** Longer bodies are truncated. */
const mostCharacters = 100_000;

function cut(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}… (${text.length} characters)` : text;
}

function headersOf(headers: Readonly<Record<string, string>>, secrets: Secrets): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, secrets.header(name, value)]));
}
