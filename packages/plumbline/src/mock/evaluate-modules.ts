import { compileFunction } from "node:vm";
import { moduleRunnerTransformSync, transformSync } from "oxc-transform";

/** What a module exports. */
export type ModuleExports = Readonly<Record<string, unknown>>;

export interface ModuleSources {
  /** The TypeScript of each module, by path. Relative imports lead from path to path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The modules for all other imports, by name. */
  readonly externals: Readonly<Record<string, ModuleExports>>;
}

/**
 * Evaluates generated modules in this process, without files: removes types, and links each import to another text or to an external module.
 *
 * @returns The exports of the module at `entry`.
 * @throws SyntaxError for a text that is not TypeScript, and TypeError for an import of anything else.
 */
export async function evaluateModules(entry: string, { texts, externals }: ModuleSources): Promise<ModuleExports> {
  const evaluated = new Map<string, ModuleExports>();

  /** Modules are evaluated one after the other, so that one that has begun and not ended is part of a circle: its exports so far are enough. */
  async function load(path: string): Promise<ModuleExports> {
    const loaded = evaluated.get(path);
    if (loaded !== undefined) return loaded;
    const text = texts.get(path);
    if (text === undefined) throw new TypeError(`The generated modules import "${path}", which they do not contain.`);
    const exports: ModuleExports = {};
    evaluated.set(path, exports);
    const link = async (specifier: string): Promise<ModuleExports> => {
      if (specifier.startsWith(".")) return load(resolve(path, specifier));
      const external = Object.hasOwn(externals, specifier) ? externals[specifier] : undefined;
      if (external === undefined)
        throw new TypeError(`"${path}" imports "${specifier}", which generated modules must not.`);
      return external;
    };
    await compile(path, text)(exports, link);
    return exports;
  }

  return load(entry);
}

type EvaluateModule = (exports: ModuleExports, link: (specifier: string) => Promise<ModuleExports>) => Promise<void>;

/** The names under which transformed modules find their exports and imports. */
const [exportsName, importName] = ["__vite_ssr_exports__", "__vite_ssr_import__"];

function compile(path: string, text: string): EvaluateModule {
  const stripped = transformSync(path, text, { lang: "ts", sourceType: "module" });
  const linked = moduleRunnerTransformSync(path.replace(/\.ts$/, ".js"), stripped.code);
  const [error] = [...stripped.errors, ...linked.errors];
  if (error !== undefined) throw new SyntaxError(`${path}: ${error.message}`);
  const code = `"use strict"; return (async () => {${linked.code}\n})();`;
  return compileFunction(code, [exportsName, importName], { filename: path }) as EvaluateModule;
}

/** Resolves `./errors.js` to the path of `errors.ts`. */
function resolve(from: string, specifier: string): string {
  return new URL(specifier, `file:///${from}`).pathname.slice(1).replace(/\.js$/, ".ts");
}
