import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** What a script is bundled from. */
export interface ScriptSource {
  /** The text of its entry. It may import packages, and the modules below. */
  readonly entry: string;
  /** Modules that are generated and on no disk, by name, such as `server/src/gen/server.ts`. Their imports lead from one to the other. */
  readonly modules?: ReadonlyMap<string, string>;
  /** Generated packages, and the modules that they stand for. */
  readonly packages?: Readonly<Record<string, string>>;
}

/** Where packages are looked up, and where the modules of the console are. */
const folder = fileURLToPath(new URL("..", import.meta.url));

/**
 * Bundles a classic script, which pages also load from a folder. Its text depends on its modules only: it has no paths and no dates.
 *
 * @throws Error for what is not a module.
 */
export async function bundleScript({ entry, modules = new Map(), packages = {} }: ScriptSource): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder, sourcefile: "entry.ts", loader: "ts" },
    plugins: [generatedModules(modules, packages)],
    bundle: true,
    format: "iife",
    platform: "browser",
    target: "es2022",
    minify: true,
    charset: "ascii",
    legalComments: "none",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

const namespace = "generated";

function generatedModules(modules: ReadonlyMap<string, string>, packages: Readonly<Record<string, string>>): Plugin {
  return {
    name: namespace,
    setup: (bundler) => {
      bundler.onResolve({ filter: /^/ }, ({ path, importer, namespace: from }) => {
        if (Object.hasOwn(packages, path)) return { path: packages[path] ?? "", namespace };
        if (modules.has(path)) return { path, namespace };
        if (from !== namespace || !path.startsWith(".")) return undefined;
        const resolved = new URL(path, `file:///${importer}`).pathname.slice(1).replace(/\.js$/, ".ts");
        return modules.has(resolved) ? { path: resolved, namespace } : undefined;
      });
      bundler.onLoad({ filter: /^/, namespace }, ({ path }) => ({
        contents: modules.get(path) ?? "",
        loader: "ts",
        resolveDir: folder,
      }));
    },
  };
}

/** Returns what distinguishes a script from others. */
export function digestOf(script: string): string {
  return createHash("sha256").update(script).digest("hex").slice(0, 16);
}
