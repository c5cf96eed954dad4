import type { Api, Json } from "../model/index.js";
import { compilerOptions, nodeCompilerOptions } from "./compiler-options.js";
import { escapeProse, toSingleLine } from "./escape-prose.js";
import type { GeneratedFile } from "./files.js";
import type { ArtifactOptions } from "./generator.js";
import { renderTemplate } from "./template.js";

/** What distinguishes a generated package. */
export interface PackageContents {
  /** What the package is, for the API with this title. */
  readonly description: (title: string) => string;
  /** The keyword beside `openapi`. */
  readonly keyword: string;
  /** The module of each entry point, below `src` and without its extension. */
  readonly entries: Readonly<Record<string, string>>;
  /** The version ranges of the packages that the generated code imports. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** Other generated packages that the generated code imports. Their version ranges belong to the user, who releases them. */
  readonly siblings?: readonly string[];
  /** The version ranges of packages that only some entry points import. Users of those install them; the build of the package needs them too. */
  readonly optionalPeers?: Readonly<Record<string, string>>;
  /** The command of the package, and its file. A package with a command may have hand-written sources and dependencies. */
  readonly command?: { readonly name: string; readonly file: string };
  /** Further folders to publish. */
  readonly folders?: readonly string[];
  /** The paths of further files to publish, by their entry points, such as `openapi.json`. */
  readonly documents?: Readonly<Record<string, string>>;
  /** How the package is built, where the compiler is not enough, and the version ranges of what that needs. */
  readonly build?: { readonly command: string; readonly dependencies: Readonly<Record<string, string>> };
  /** Whether there are hand-written sources for Node. */
  readonly usesNode?: boolean;
  /** The text of `src/index.ts`. */
  readonly index: string;
  /** The template of the README, and its data beside `package`, `title`, `version` and the number of `operations`. */
  readonly readme: { readonly template: string; readonly data: object };
}

/** Emits the files of a publishable package beside its code: `package.json`, `tsconfig.json`, the entry point and the README. */
export function emitPackageFiles(
  api: Api,
  options: Pick<ArtifactOptions, "package" | "private">,
  contents: PackageContents,
): readonly GeneratedFile[] {
  const { build, command, dependencies, documents = {}, optionalPeers = {}, readme } = contents;
  const devDependencies = { ...optionalPeers, ...build?.dependencies };
  const siblings = Object.fromEntries((contents.siblings ?? []).map((name) => [name, `^${initialVersion}`]));
  const initialDependencies = command === undefined ? siblings : { ...siblings, ...dependencies };
  return [
    {
      path: "package.json",
      managedKeys: {
        name: options.package,
        description: contents.description(toSingleLine(api.title)),
        apiVersion: toSingleLine(api.version),
        type: "module",
        ...(options.private ? { private: true } : {}),
        ...(command === undefined ? { sideEffects: false } : { bin: { [command.name]: command.file } }),
        ...rootOf(contents),
        exports: {
          ...Object.fromEntries(Object.entries(contents.entries).map(([entry, module]) => [entry, entryPoint(module)])),
          ...Object.fromEntries(Object.entries(documents).map(([entry, file]) => [`./${entry}`, `./${file}`] as const)),
          "./package.json": "./package.json",
        },
        files: [...new Set([...(contents.folders ?? []), ...Object.values(documents).map(topOf), "dist", "src"])],
        scripts: { build: build?.command ?? "tsc -p tsconfig.json", typecheck: "tsc -p tsconfig.json --noEmit" },
        ...(command === undefined ? { dependencies } : {}),
        ...(Object.keys(optionalPeers).length === 0 ? {} : peerKeys(optionalPeers)),
        engines: { node: nodeVersions },
      },
      defaults: {
        version: initialVersion,
        license: "MIT",
        keywords: ["openapi", contents.keyword],
        ...(Object.keys(initialDependencies).length === 0 ? {} : { dependencies: initialDependencies }),
        ...(Object.keys(devDependencies).length === 0 ? {} : { devDependencies }),
      },
    },
    {
      path: "tsconfig.json",
      text: `${JSON.stringify(contents.usesNode === true ? nodeCompilerOptions : compilerOptions, undefined, 2)}\n`,
    },
    { path: "src/index.ts", text: contents.index },
    {
      path: "README.md",
      // Rendered when it is read: a mock needs the modules only.
      get text() {
        return renderTemplate(readme.template, {
          package: options.package,
          title: escapeProse(api.title),
          version: escapeProse(api.version),
          operations: `${api.operations.length} ${api.operations.length === 1 ? "operation" : "operations"}`,
          ...readme.data,
        });
      },
    },
  ];
}

function peerKeys(peers: Readonly<Record<string, string>>): Readonly<Record<string, Json>> {
  const optional = Object.fromEntries(Object.keys(peers).map((name) => [name, { optional: true }] as const));
  return { peerDependencies: peers, peerDependenciesMeta: optional };
}

/** The file or folder of the package that contains a file. */
function topOf(file: string): string {
  return file.split("/", 1)[0] ?? file;
}

const initialVersion = "0.1.0";

/** The versions of Node in which generated packages run: those that load modules with `require`. */
const nodeVersions = "^20.19.0 || ^22.12.0 || >=24.0.0";

/** The entry point of the package for tools that do not read `exports`: TypeScript with `moduleResolution: node10`. */
function rootOf({ entries }: PackageContents): Readonly<Record<string, Json>> {
  const module = entries["."];
  return module === undefined ? {} : { main: `./dist/${module}.js`, types: `./dist/${module}.d.ts` };
}

function entryPoint(module: string): Json {
  return { types: `./dist/${module}.d.ts`, default: `./dist/${module}.js` };
}
