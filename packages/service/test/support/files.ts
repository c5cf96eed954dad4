import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Tx } from "../../src/store/tx.js";

/** Files of images that there are not, and images without the file that they have. What was being sent may lie about until everything is over. */
export async function filesOtherwise(
  tx: Tx,
  { folder, isSettled }: { readonly folder: string; readonly isSettled: boolean },
): Promise<string[]> {
  const images = await tx.images.find();
  const inFolder = existsSync(folder) ? readdirSync(folder) : [];
  const lacking = images.filter(
    ({ number, file }) => file !== null && !existsSync(join(folder, `image-${number}`, file)),
  );
  const wrong = lacking.map(({ id, file }) => `image ${id} has no file ${file}`);
  if (!isSettled) return wrong;
  for (const name of inFolder) {
    const image = images.find(({ number }) => `image-${number}` === name);
    // An image that waits for data has what somebody began to send and did not end.
    if (image?.ticket != null) continue;
    for (const file of readdirSync(join(folder, name)))
      if (file !== image?.file) wrong.push(`${name}/${file} is of nothing`);
    if (image === undefined) wrong.push(`${name} is of no image`);
  }
  return wrong;
}
