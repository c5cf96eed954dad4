import path from "node:path";
import type { Operation } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import type { CodeRecorder } from "../code-recorder.js";

/** The functions of the generated package for query libraries. */
export interface QueryModule {
  /** Whether the package has the function of an operation. */
  readonly has: (operation: Operation, kind: "Query" | "Mutation") => boolean;
  /** Imports the function of an operation, and returns its name. */
  readonly nameIn: (file: ts.SourceFile, operation: Operation, kind: "Query" | "Mutation") => string;
}

/** What a person does where the package has no such functions. */
export const queryModuleMissing =
  "The package has no function for this query. Set `query: true` of the client in plumbline.yaml, generate and build it, and run this again.";

/**
 * Finds the export `./query` of the generated package.
 *
 * @param target the name of the package, or the absolute path of the file that exports everything
 */
export function findQueryModule(target: string, recorder: CodeRecorder): QueryModule {
  const folder = path.dirname(target);
  const module = path.isAbsolute(target)
    ? ([`${folder}/query.ts`, `${folder}/gen/query.ts`].find((each) => ts.sys.fileExists(each)) ?? "")
    : `${target}/query`;
  const file = path.isAbsolute(module) ? module : resolve(module, recorder);
  const text = file === undefined ? "" : (ts.sys.readFile(file) ?? "");
  return {
    has: ({ name }, kind) => new RegExp(String.raw`function ${name}${kind}\b`).test(text),
    nameIn: (source, { name }, kind) =>
      recorder.importName(source, { imported: `${name}${kind}`, isType: false, module }),
  };
}

function resolve(module: string, { files }: CodeRecorder): string | undefined {
  const from = files[0]?.fileName ?? ".";
  const config = ts.findConfigFile(from, (each) => ts.sys.fileExists(each));
  const { config: json } =
    config === undefined
      ? {}
      : (ts.readConfigFile(config, (each) => ts.sys.readFile(each)) as { readonly config?: object });
  const { options } = ts.parseJsonConfigFileContent(json ?? {}, ts.sys, path.dirname(config ?? from));
  const modern = { ...options, moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.Preserve };
  return ts.resolveModuleName(module, from, modern, ts.sys).resolvedModule?.resolvedFileName;
}
