import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Survey } from "../../src/store/transaction.js";

/** Finds files without an image, and images without their file. Files of aborted uploads may exist until everything is settled. */
export async function filesOtherwise(
  tx: Survey,
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
    // An image that waits for data may have files of aborted uploads.
    if (image?.ticket != null) continue;
    for (const file of readdirSync(join(folder, name)))
      if (file !== image?.file) wrong.push(`${name}/${file} belongs to no image`);
    if (image === undefined) wrong.push(`${name} belongs to no image`);
  }
  return wrong;
}
