import type { Work } from "../work.js";

/** Labels that are no tags of an account yet become some. Gives them without repetition. */
export async function ensureTags({ tx }: Work, account: string, labels: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(labels)];
  for (const label of wanted)
    if ((await tx.tags.first({ account, label })) === undefined) await tx.tags.add({ account, label });
  return wanted;
}
