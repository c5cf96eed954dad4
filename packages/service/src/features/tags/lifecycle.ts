import type { UnitOfWork } from "../../unit-of-work.js";

/** Creates the missing tags of an account. Returns the labels without repetition. */
export async function ensureTags({ tx }: UnitOfWork, account: string, labels: readonly string[]): Promise<string[]> {
  const unique = [...new Set(labels)];
  for (const label of unique)
    if ((await tx.tags.first({ account, label })) === undefined) await tx.tags.add({ account, label });
  return unique;
}
