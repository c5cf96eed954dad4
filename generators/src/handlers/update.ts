import type { HandlerUpdate } from "@plumbline/codemods/handlers";
import { DiagnosticsError, memoize, type Api } from "@plumbline/kit/model";
import { loadCodemods } from "./codemods.js";
import { handlerLayout, optionError } from "./layout.js";
import { handlerOperations, typeNamesOfHandler } from "./operations.js";
import { toDiagnostic, type HandlerInput } from "./output.js";

export interface UpdateRequest {
  readonly config: { readonly files: string; readonly index: string | undefined; readonly server: string | undefined };
  /** The name of the artifact's package. */
  readonly package: string;
  readonly input: HandlerInput;
}

/** The updates of a model, by request: its files and its warnings come from one. */
const knownUpdates = memoize(() => new Map<string, Promise<HandlerUpdate>>());

/**
 * Brings the handlers into step with the model.
 *
 * @throws DiagnosticsError for files that do not parse.
 */
export async function updateFiles(api: Api, request: UpdateRequest): Promise<HandlerUpdate> {
  const updates = knownUpdates(api);
  const key = JSON.stringify(request);
  const update = updates.get(key) ?? computeUpdate(api, request);
  updates.set(key, update);
  return update;
}

async function computeUpdate(api: Api, { config, input, package: name }: UpdateRequest): Promise<HandlerUpdate> {
  const { updateHandlers, HandlerSyntaxError } = await loadCodemods();
  const layout = handlerLayout(config);
  const { index, start } = layout;
  const texts = Object.fromEntries(Object.entries(input.texts).filter(([path]) => path !== start));
  try {
    return updateHandlers({
      operations: handlerOperations(api, layout),
      previous: input.state ?? {},
      texts,
      fileOf: layout.fileOf,
      index,
      server: serverPackage(name, config.server),
      typeNames: typeNamesOfHandler,
    });
  } catch (error) {
    if (!(error instanceof HandlerSyntaxError)) throw error;
    throw new DiagnosticsError(error.issues.map((issue) => toDiagnostic(input, issue, "error")));
  }
}

/** The package of the generated server. */
export function serverPackage(name: string, stated: string | undefined): string {
  const derived = name.replace(/(^|[/-])handlers$/, "$1server");
  if (stated === undefined && derived === name)
    throw optionError(
      "server",
      "is missing",
      "Write the name of the server's package, such as server: '@acme/server'.",
    );
  return stated ?? derived;
}
