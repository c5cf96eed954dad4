import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ClientOptions } from "@cloud-compute/client";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The file that keeps what the service answered in the tests of a project. */
    readonly answers?: string;
  }
}

/** What the service answered in a test: enough to tell which operation it was, and which failure. */
export interface Answered {
  readonly method: string;
  /** Below the base of the API, with every number in it a 0: which object it was is of no interest. */
  readonly path: string;
  readonly status: number;
  readonly hadToken: boolean;
  readonly errors: readonly { readonly field?: string | null; readonly reason: string }[];
}

/** Where the answers of a project are kept. */
export function answersOf(project: string): string {
  return join(import.meta.dirname, "..", "reports", `answers-${project}.jsonl`);
}

/** Begins a project with no answers. */
export function setup({ name, provide }: TestProject): void {
  const file = answersOf(name);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  provide("answers", file);
}

/** Makes a client keep what it is answered, for `documented.test.ts`. */
export const keepingAnswers: Pick<ClientOptions, "onResponse"> = {
  onResponse: async (response, { method, url, headers }) => {
    const body = response.ok ? undefined : ((await response.clone().json()) as Pick<Answered, "errors">);
    keep({
      method,
      path: new URL(url).pathname.replace(/^\/v4(beta)?/, ""),
      status: response.status,
      hadToken: headers.has("authorization"),
      errors: body?.errors ?? [],
    });
  },
};

/** Keeps an answer, each kind of it once. */
export function keep({ path, ...answered }: Answered): void {
  const file = inject("answers");
  const line = `${JSON.stringify({ ...answered, path: path.replaceAll(/\d+/g, "0") })}\n`;
  if (file === undefined || kept.has(line)) return;
  kept.add(line);
  // A line is written whole, so that those of workers do not mix.
  appendFileSync(file, line);
}

const kept = new Set<string>();
