export type Kind = "saw" | "drill" | "ladder";

export interface Tool {
  id: number;
  name: string;
  kind: Kind;
}

const tools = new Map<number, Tool>();
let last = 0;

export function list(): Tool[] {
  return [...tools.values()];
}

export function find(id: number): Tool | undefined {
  return tools.get(id);
}

export function add(name: string, kind: Kind): Tool {
  const tool = { id: ++last, name, kind };
  tools.set(tool.id, tool);
  return tool;
}

export function remove(id: number): void {
  tools.delete(id);
}
