import * as api from "@cloud-compute/client";
import { expect } from "vitest";
import { everyItem } from "./pages.js";
import type { Program } from "./program.js";
import { statusOf } from "./status.js";

/** Writes to a program, until they are stopped. */
export interface Load {
  /** The labels that were acknowledged so far. */
  readonly labels: readonly string[];
  /** Resolves after so many more acknowledged writes. */
  acknowledged(more: number): Promise<void>;
  /** Resolves after so many more writes that failed. */
  failed(more: number): Promise<void>;
  /** Returns all statuses. */
  stop(): Promise<ReadonlySet<number>>;
}

/** Creates tags by four workers. Their labels begin with a name. */
export function startLoad({ admin }: Program, name: string): Load {
  const labels: string[] = [];
  const statuses = new Set<number>();
  let failures = 0;
  const stopping = new AbortController();
  const work = async (worker: number): Promise<void> => {
    for (let index = 0; !stopping.signal.aborted; index += 1) {
      const label = `${name}-${worker}-${index}`;
      const status = await statusOf(api.createTag(admin, { body: { label } }));
      statuses.add(status);
      if (status === 200) labels.push(label);
      else failures += 1;
    }
  };
  const workers = Promise.all([1, 2, 3, 4].map(work));
  return {
    labels,
    acknowledged: async (more) => {
      const { length } = labels;
      await expect.poll(() => labels.length, patient).toBeGreaterThanOrEqual(length + more);
    },
    failed: async (more) => {
      const before = failures;
      await expect.poll(() => failures, patient).toBeGreaterThanOrEqual(before + more);
    },
    stop: async () => {
      stopping.abort();
      await workers;
      return statuses;
    },
  };
}

/** The labels that a program does not have. */
export async function missingLabels({ admin }: Program, labels: readonly string[]): Promise<readonly string[]> {
  const tags = await everyItem((query) => api.listTags(admin, { query }));
  const found = new Set(tags.map(({ label }) => label));
  return labels.filter((label) => !found.has(label));
}

/** A busy machine may need minutes. */
const patient = { timeout: 240_000 };
