import { defineConfig } from "vitest/config";

/** What the service does, whichever store it has. */
const rules = ["src/*.test.ts", "src/areas/**/*.test.ts"];

/** What starts the program. */
const programs = ["test/failing.test.ts", "test/uploads.test.ts"];

const onEmbedded = [...rules, "src/dns/**/*.test.ts", "test/{authorisation,instances,invariants}.test.ts"];

/** What is about PostgreSQL, or about both stores. */
const onPostgres = ["src/store/**/*.test.ts", "test/{crash,life,lost-database,replicas}.test.ts"];

const conformance = "test/conformance.test.ts";

// When all is tested, what was answered is compared with the description.
const documented = { name: "documented", files: ["test/documented.test.ts"], globalSetup: [] };

const forms: Readonly<Record<string, readonly Project[]>> = {
  /** Starts no program and no PostgreSQL. */
  unit: [embedded(onEmbedded)],
  test: [embedded([...onEmbedded, ...programs, conformance]), postgres([...onPostgres, conformance]), documented],
  full: [
    embedded([...onEmbedded, ...programs, conformance]),
    postgres([...rules, ...onPostgres, conformance]),
    documented,
  ],
};

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }]],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files of one worker share their modules: to load these for each file costs more than most files do.
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    // What is built runs as it is: to transform it costs more than to load it.
    server: { deps: { external: [/\/packages\/[\w-]+\/dist\//] } },
    projects: (forms[mode] ?? []).map(({ name, files, globalSetup }, groupOrder) => ({
      extends: true,
      mode,
      test: {
        name,
        include: [...files],
        exclude: mode === "full" ? [] : ["**/*.full.test.ts"],
        globalSetup: [...globalSetup],
        setupFiles: "src/setup.support.ts",
        sequence: { groupOrder },
      },
    })),
  },
}));

interface Project {
  readonly name: string;
  readonly files: readonly string[];
  readonly globalSetup: readonly string[];
}

function embedded(files: readonly string[]): Project {
  return { name: "embedded", files, globalSetup: ["src/answers.support.ts"] };
}

function postgres(files: readonly string[]): Project {
  return {
    name: "postgres",
    files,
    globalSetup: ["src/answers.support.ts", "src/store/postgres-setup.support.ts"],
  };
}
