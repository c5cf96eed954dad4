import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ClientOptions } from "@cloud-compute/client";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The file for the responses of the service in the tests of a project. */
    readonly answers?: string;
  }
}

/** A response of the service in a test: enough to identify the operation and the error. */
export interface RecordedResponse {
  readonly method: string;
  /** Relative to the base of the API. Every number in it is 0, since the object does not matter. */
  readonly path: string;
  readonly status: number;
  readonly hadToken: boolean;
  readonly errors: readonly { readonly field?: string | null; readonly reason: string }[];
}

/** The recorded responses of a project. */
export function readRecordedResponses(project: string): string {
  return join(import.meta.dirname, "..", "reports", `answers-${project}.jsonl`);
}

/** Starts a project with an empty record. */
export function setup({ name, provide }: TestProject): void {
  const file = readRecordedResponses(name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  provide("answers", file);
}

/** Makes a client record its responses, for `documented.test.ts`. */
export const recordResponses: Pick<ClientOptions, "onResponse"> = {
  onResponse: async (response, { method, url, headers }) => {
    const body = response.ok ? undefined : ((await response.clone().json()) as Pick<RecordedResponse, "errors">);
    keep({
      method,
      path: new URL(url).pathname.replace(/^\/v4(beta)?/, ""),
      status: response.status,
      hadToken: headers.has("authorization"),
      errors: body?.errors ?? [],
    });
  },
};

/** Records a response, each kind once. */
export function keep({ path, ...answered }: RecordedResponse): void {
  const file = inject("answers");
  const line = `${JSON.stringify({ ...answered, path: path.replaceAll(/\d+/g, "0") })}\n`;
  if (file === undefined || kept.has(line)) return;
  kept.add(line);
  // One write per line, so that lines of several workers do not mix.
  appendFileSync(file, line);
}

const kept = new Set<string>();
