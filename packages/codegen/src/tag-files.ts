import { type Operation, withoutAccents } from "@plumbline/model";

/** Groups operations by the file of their tag, in the order of the description. File names have no extension. */
export function groupByTagFile(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  const files = new Map<string, Operation[]>();
  for (const operation of operations) {
    const file = tagFileName(operation.tag);
    const found = files.get(file);
    if (found === undefined) files.set(file, [operation]);
    else found.push(operation);
  }
  return files;
}

/** The file name of a tag, without extension. Tags that differ only in case or punctuation, or after 100 characters, share a file. */
export function tagFileName(tag: string): string {
  const words = withoutAccents(tag)
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const name = words.filter((word) => word !== "").join("-");
  return name.slice(0, maxFileNameLength) || "default";
}

const maxFileNameLength = 100; // characters; file systems allow 255, including the extension and a temporary suffix
