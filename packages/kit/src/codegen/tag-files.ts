import { type Api, memoize, type Operation, withoutAccents } from "../model/index.js";

/** Groups operations by the file of their tag, in the order of the description. File names have no extension. */
export function groupByTagFile(operations: readonly Operation[]): ReadonlyMap<string, readonly Operation[]> {
  return groupBy(operations, ({ tag }) => tagFileName(tag));
}

/** Groups operations by their file, in the order of the description. File names have no extension. */
export function groupByOperationFile(
  api: Api,
  operations: readonly Operation[],
): ReadonlyMap<string, readonly Operation[]> {
  return groupBy(operations, (operation) => operationFileName(api, operation));
}

function groupBy(
  operations: readonly Operation[],
  fileOf: (operation: Operation) => string,
): ReadonlyMap<string, readonly Operation[]> {
  const files = new Map<string, Operation[]>();
  for (const operation of operations) {
    const file = fileOf(operation);
    const group = files.get(file);
    if (group === undefined) files.set(file, [operation]);
    else group.push(operation);
  }
  return files;
}

/**
 * The file name of an operation, without extension: that of its tag. Where more than 100 operations have no tag, theirs is that of
 * the first segment of the path that distinguishes them, or of the first two where still more than 100 share it.
 */
export function operationFileName(api: Api, operation: Operation): string {
  return pathFiles(api).get(operation.name) ?? tagFileName(operation.tag);
}

const maxOperationsOfFile = 100;

const pathFiles = memoize((api): ReadonlyMap<string, string> => {
  const untagged = api.operations.filter(({ tag }) => tagFileName(tag) === "default");
  if (untagged.length <= maxOperationsOfFile) return new Map();
  const paths = untagged.map(({ path }) => path.split("/").filter((each) => each !== "" && !each.startsWith("{")));
  const shared = sharedPrefix(paths);
  const segmentsOf = (path: readonly string[], count: number): string => path.slice(shared, shared + count).join("-");
  const sizes = new Map<string, number>();
  for (const path of paths) {
    const segment = segmentsOf(path, 1);
    sizes.set(segment, (sizes.get(segment) ?? 0) + 1);
  }
  return new Map(
    untagged.map(({ name }, index) => {
      const path = paths[index] ?? [];
      const segment = segmentsOf(path, 1);
      const isLarge = (sizes.get(segment) ?? 0) > maxOperationsOfFile;
      return [name, tagFileName(isLarge ? segmentsOf(path, 2) : segment)] as const;
    }),
  );
});

/** The number of segments with which all paths begin. */
function sharedPrefix([first = [], ...others]: readonly (readonly string[])[]): number {
  const differs = first.findIndex((segment, index) => others.some((path) => path[index] !== segment));
  return differs < 0 ? first.length : differs;
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
