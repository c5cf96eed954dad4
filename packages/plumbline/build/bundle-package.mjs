// Bundles the package of the current folder into one file for each of its exports, and files that these share: a program takes longer to load hundreds
// of modules than to run them. The compiler emits the types afterwards.
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { build } from "esbuild";

/**
 * @type {{
 *   readonly exports: Readonly<Record<string, string | { readonly types: string }>>,
 *   readonly dependencies?: Readonly<Record<string, string>>,
 *   readonly peerDependencies?: Readonly<Record<string, string>>,
 * }}
 */
const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const exported = Object.values(manifest.exports).flatMap((target) =>
  typeof target === "string" ? [] : [target.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "src/$1.ts")],
);
const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const sources = path.resolve("src");

// Names of shared files contain hashes, so that those of earlier builds would stay.
rmSync("dist", { recursive: true, force: true });
const { metafile } = await build({
  // Further entry points are arguments: programs of worker threads, and what tests of the repository import.
  entryPoints: [...exported, ...process.argv.slice(2)],
  outbase: "src",
  outdir: "dist",
  bundle: true,
  splitting: true,
  plugins: [
    { name: "dependencies", setup: excludeInstalled },
    { name: "modules of Node", setup: importRequired },
  ],
  format: "esm",
  platform: "node",
  target: "es2022",
  sourcemap: true,
  sourcesContent: false,
  chunkNames: "shared-[hash]",
  logLevel: "warning",
  metafile: true,
});
const licences = licencesOf(new Set(Object.keys(metafile.inputs).flatMap(folderOfPackage)));
if (licences.length > 0) writeFileSync("dist/third-party-licences.txt", licences.join("\n\n"));

/**
 * Leaves out what is installed with the package. What its sources import of its development dependencies becomes a part of the bundle.
 *
 * @param {import("esbuild").PluginBuild} bundler
 */
function excludeInstalled(bundler) {
  bundler.onResolve({ filter: /^[^./]/ }, ({ path: specifier, importer }) => {
    const isInstalled = installed.some((name) => specifier === name || specifier.startsWith(`${name}/`));
    return isInstalled && importer.startsWith(sources) ? { path: specifier, external: true } : undefined;
  });
}

/**
 * An ECMAScript module has no `require` for the modules of Node that CommonJS requires.
 *
 * @param {import("esbuild").PluginBuild} bundler
 */
function importRequired(bundler) {
  const namespace = "node";
  bundler.onResolve({ filter: /^[a-z]/ }, ({ path: specifier, kind }) =>
    kind === "require-call" && builtinModules.includes(specifier) ? { path: specifier, namespace } : undefined,
  );
  bundler.onLoad({ filter: /^/, namespace }, ({ path: name }) => ({ contents: `export * from "node:${name}";` }));
}

/**
 * The folder of the package of a file, where others have written it.
 *
 * @param {string} file
 */
function folderOfPackage(file) {
  const [folder] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [];
  return folder === undefined ? [] : [folder];
}

/**
 * The licences of packages. A package without a text has that of another one of its authors.
 *
 * @param {ReadonlySet<string>} folders
 */
function licencesOf(folders) {
  return [...folders].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    const siblings = [...folders].filter((each) => path.dirname(each) === path.dirname(folder));
    const [text = ""] = [folder, ...(name.startsWith("@") ? siblings : [])].flatMap(licenceIn);
    if (text === "") throw new Error(`${name} has no text of its licence, ${license}.`);
    return `${name} ${version}: ${license}\n\n${text}`;
  });
}

/** @param {string} folder */
function licenceIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file === undefined ? [] : [readFileSync(path.join(folder, file), "utf8").trim()];
}
