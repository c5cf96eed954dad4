import type { Source } from "./read-source.js";

/** Groups of files that import each other, directly or through others, types included. Each group and the list are sorted. */
export function findImportCircles(sources: readonly Source[]): readonly (readonly string[])[] {
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

interface Visit {
  readonly file: string;
  readonly order: number;
  lowest: number;
  isOpen: boolean;
}
