import type { Random } from "../random/choices.js";

/** An operation of a random description. */
export interface DescribedOperation {
  readonly name: string;
  readonly method: "get" | "post" | "put" | "delete";
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
}

/** The operations of a random description. Their schemas do not change, so that bodies of handlers stay valid. */
export function randomOperations(random: Random): readonly DescribedOperation[] {
  return nouns.slice(0, 2 + random.below(2)).flatMap((noun, index) =>
    methods
      .filter(() => random.below(4) > 0)
      .concat(index === 0 ? ["get"] : [])
      .filter((method, position, all) => all.indexOf(method) === position)
      .map((method) => operationOf(noun, method)),
  );
}

const nouns = ["pets", "owners", "visits"] as const;
const newNouns = ["bills", "rooms", "cages", "foods"] as const;
const methods: readonly DescribedOperation["method"][] = ["get", "post", "put", "delete"];
const verbs = { get: "list", post: "create", put: "replace", delete: "remove" } as const;

function operationOf(noun: string, method: DescribedOperation["method"]): DescribedOperation {
  const name = verbs[method] + noun[0]?.toUpperCase() + noun.slice(1);
  return { name, method, path: `/${noun}`, tag: noun, summary: `${verbs[method]}s ${noun}.` };
}

/** Returns a description after some random changes, and what they were. */
export function changeOperations(
  operations: readonly DescribedOperation[],
  random: Random,
): readonly DescribedOperation[] {
  let changed = [...operations];
  for (let count = 1 + random.below(4); count > 0; count--) {
    const index = random.below(changed.length);
    const operation = changed[index];
    if (operation === undefined) continue;
    const others = changed.filter((each) => each !== operation);
    const kind = random.one(["rename", "move", "retag", "remove", "add", "describe", "rename and retag"] as const);
    const put = (now: DescribedOperation): void => void (changed = changed.with(index, now));
    if (kind.startsWith("rename")) {
      const name = `${random.one(["find", "make", "change"])}${operation.name}`;
      if (others.some((each) => each.name === name)) continue;
      put({ ...operation, name, ...(kind === "rename" ? {} : { tag: random.one([...nouns, "animals"]) }) });
    } else if (kind === "move") {
      const path = `/v2${operation.path}`;
      if (!others.some((each) => each.path === path && each.method === operation.method)) put({ ...operation, path });
    } else if (kind === "retag") put({ ...operation, tag: random.one([...nouns, "animals"]) });
    else if (kind === "describe") put({ ...operation, summary: `${operation.summary} Changed.` });
    else if (kind === "remove" && changed.length > 1) changed = others;
    else if (kind === "add") {
      const added = operationOf(random.one(newNouns), random.one(methods));
      const isTaken = changed.some(
        ({ name, path, method }) => name === added.name || (path === added.path && method === added.method),
      );
      if (!isTaken) changed.push({ ...added, tag: random.one([added.tag, "pets"]) });
    }
  }
  return changed;
}

/** The text of a description with these operations. */
export function descriptionOf(operations: readonly DescribedOperation[]): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { name, method, path, tag, summary } of operations) {
    const input =
      method === "get"
        ? { parameters: [{ name: "page", in: "query", schema: { type: "integer" } }] }
        : {
            requestBody: {
              required: true,
              content: { "application/json": { schema: { $ref: "#/components/schemas/Item" } } },
            },
          };
    const body = { "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Item" } } } };
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId: name,
        tags: [tag],
        summary,
        ...input,
        responses: { 200: { description: "Done.", content: body } },
      },
    };
  }
  const item = {
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, labels: { type: "array", items: { type: "string" } } },
  };
  return JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Pet shop", version: "1.0.0" },
    paths,
    components: { schemas: { Item: item } },
  });
}
