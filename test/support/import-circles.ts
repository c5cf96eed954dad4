import type { Source } from "./read-source.js";

/** Groups of files that import each other, directly or through others, types included. Each group and the list are sorted. */
export function findImportCircles(sources: readonly ImportingNode[]): readonly (readonly string[])[] {
  const imports = new Map(sources.map((source) => [source.file, source.imports.map(({ from }) => from)]));
  const visits = new Map<string, Visit>();
  const open: Visit[] = [];
  const circles: (readonly string[])[] = [];

  // Tarjan's algorithm: `lowest` is the earliest open file that a file reaches.
  const visit = (file: string, targets: readonly string[]): Visit => {
    const own: Visit = { file, order: visits.size, lowest: visits.size, isOpen: true };
    visits.set(file, own);
    open.push(own);
    for (const target of targets) {
      const further = imports.get(target);
      if (further === undefined) continue;
      const known = visits.get(target);
      if (known === undefined) own.lowest = Math.min(own.lowest, visit(target, further).lowest);
      else if (known.isOpen) own.lowest = Math.min(own.lowest, known.order);
    }
    if (own.lowest === own.order) {
      const group = open.splice(open.indexOf(own));
      for (const each of group) each.isOpen = false;
      if (group.length > 1 || targets.includes(file)) circles.push(group.map((each) => each.file).toSorted());
    }
    return own;
  };

  for (const [file, targets] of imports) if (!visits.has(file)) visit(file, targets);
  return circles.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}

/** Groups of sibling folders whose files import each other. Files beside the folders do not count. */
export function findFolderCircles(sources: readonly Source[]): readonly (readonly string[])[] {
  const imports = sources.flatMap((source) => source.imports.flatMap(({ from }) => siblingFolders(source.file, from)));
  const folders = [...new Set(imports.map(({ file }) => file))];
  return findImportCircles(folders.map((file) => ({ file, imports: imports.filter((each) => each.file === file) })));
}

/** The folders of two files in their nearest common folder. */
function siblingFolders(file: string, from: string): readonly FolderImport[] {
  const [path, target] = [file.split("/"), from.split("/")];
  const depth = path.findIndex((name, index) => name !== target[index]);
  if (depth === -1 || path.length - 1 === depth || target.length - 1 <= depth) return [];
  return [{ file: path.slice(0, depth + 1).join("/"), from: target.slice(0, depth + 1).join("/") }];
}

interface ImportingNode {
  readonly file: string;
  readonly imports: readonly { readonly from: string }[];
}

interface FolderImport {
  readonly file: string;
  readonly from: string;
}

interface Visit {
  readonly file: string;
  readonly order: number;
  lowest: number;
  isOpen: boolean;
}
