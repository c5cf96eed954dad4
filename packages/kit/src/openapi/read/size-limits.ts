/** Why a value is too large or too deep. `tokens` lead to the node. */
export interface SizeViolation {
  readonly code: "description/syntax" | "description/too-deep" | "description/too-large";
  readonly tokens: readonly string[];
  readonly message: string;
  readonly fix: string;
}

/** Maximum nesting depth, in levels. The YAML parser has the same limit for text; this one also covers aliases. */
const maxDepth = 100;

/** Maximum number of nodes that aliases repeat. Real descriptions repeat some thousands. */
const maxRepeatedNodes = 500_000;

/** Finds what a parser accepts and later steps cannot handle: non-finite numbers, alias cycles, alias expansion and excessive depth. */
export function findSizeViolation(root: unknown, language: "yaml" | "json"): SizeViolation | undefined {
  // Only YAML can share nodes, by aliases.
  const finished = language === "yaml" ? new Map<unknown, { height: number; nodes: number }>() : undefined;
  const context = new Set<unknown>();
  const tokens: string[] = [];
  let repeated = 0;

  const measure = (node: object): SizeViolation | { height: number; nodes: number } => {
    if (finished !== undefined && context.has(node)) return aliasCycle([...tokens]);
    const cached = finished?.get(node);
    if (cached !== undefined) {
      repeated += cached.nodes;
      if (repeated > maxRepeatedNodes) return tooLarge([...tokens]);
      return tokens.length + cached.height > maxDepth ? tooDeep([...tokens]) : cached;
    }
    if (tokens.length >= maxDepth) return tooDeep([...tokens]);
    if (finished !== undefined) context.add(node);
    let height = 0;
    let nodes = 1;
    for (const [key, child] of Object.entries(node) as [string, unknown][]) {
      if (typeof child === "number" && !Number.isFinite(child)) return nonFiniteNumber([...tokens, key]);
      if (typeof child !== "object" || child === null) {
        nodes += 1;
        continue;
      }
      tokens.push(key);
      const result = measure(child);
      if ("code" in result) return result;
      tokens.pop();
      height = Math.max(height, result.height);
      nodes += result.nodes;
    }
    context.delete(node);
    const size = { height: height + 1, nodes };
    finished?.set(node, size);
    return size;
  };

  if (typeof root === "number" && !Number.isFinite(root)) return nonFiniteNumber([]);
  const rootResult = typeof root === "object" && root !== null ? measure(root) : { nodes: 1 };
  return "code" in rootResult ? rootResult : undefined;
}

function nonFiniteNumber(tokens: readonly string[]): SizeViolation {
  const message = "This number is not finite, and JSON has no such numbers.";
  return { code: "description/syntax", tokens, message, fix: "Remove it." };
}

function aliasCycle(tokens: readonly string[]): SizeViolation {
  const message = "This contains itself through a YAML alias.";
  return { code: "description/syntax", tokens, message, fix: "Use a $ref instead." };
}

export function tooDeep(tokens: readonly string[]): SizeViolation {
  const message = `This is nested more than ${maxDepth} levels deep.`;
  return { code: "description/too-deep", tokens, message, fix: "Name a part of it, and refer to that with a $ref." };
}

function tooLarge(tokens: readonly string[]): SizeViolation {
  const message = `With this alias the aliases repeat more than ${maxRepeatedNodes} nodes.`;
  return { code: "description/too-large", tokens, message, fix: "Use a $ref instead." };
}
