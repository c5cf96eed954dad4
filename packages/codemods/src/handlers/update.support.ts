import { updateHandlers, type HandlerOperation, type HandlerUpdate, type PreviousHandler } from "./index.js";

/** A project with handlers, between two runs. */
export interface HandlerProject {
  readonly texts: Readonly<Record<string, string>>;
  readonly previous: Readonly<Record<string, PreviousHandler>>;
  readonly issues: readonly string[];
}

export const emptyProject: HandlerProject = { texts: {}, previous: {}, issues: [] };

/**
 * Runs an update.
 *
 * @param operations - Lines of a name, a method, a path, a tag and a summary, such as `listPets GET /pets pets Lists pets.`
 */
export function update({ texts, previous }: HandlerProject, operations: readonly string[]): HandlerProject {
  const { files, handlers, issues }: HandlerUpdate = updateHandlers({
    operations: operations.map(operationOf),
    previous,
    texts,
    fileOf: (tag) => `handlers/${tag}.ts`,
    index: "handlers/index.ts",
    server: "@pets/server",
    typeNames: (name) => {
      const stem = name.charAt(0).toUpperCase() + name.slice(1);
      return [`${stem}HandlerInput`, `${stem}Response`];
    },
  });
  return {
    texts: { ...texts, ...Object.fromEntries(files.map(({ path, text }) => [path, text] as const)) },
    previous: handlers,
    issues: issues.map(({ path, line, column, message, fix }) => `${path}:${line}:${column} ${message} ${fix}`),
  };
}

function operationOf(line: string): HandlerOperation {
  const [name = "", method = "", path = "", tag = "", ...summary] = line.split(" ");
  const route = `${method} ${path}`;
  return {
    name,
    route,
    tag,
    file: `handlers/${tag}.ts`,
    object: `${tag}Handlers`,
    stub: {
      comment: `/** ${[...summary, route].join(" ")} */`,
      key: name,
      value: `() => {\n  // Next: return a response.\n  throw new NotImplementedError("${name}");\n}`,
    },
  };
}

/** A project with these texts, as if a run had written stubs that people have replaced. */
export function projectWith(texts: Readonly<Record<string, string>>, operations: readonly string[]): HandlerProject {
  const first = update(emptyProject, operations);
  return { ...first, texts: { ...first.texts, ...texts } };
}
