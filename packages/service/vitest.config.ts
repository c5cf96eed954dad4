import { defineConfig } from "vitest/config";

/** What the service does, whichever store it has. */
const rules = ["src/*.test.ts", "src/{areas,controls}/**/*.test.ts"];

/** What is about PostgreSQL, or about both stores. */
const stores = ["src/store/**/*.test.ts", "test/{crash,life,lost-database,postgres,replicas}.test.ts"];

const conformance = "test/conformance.test.ts";

/** Compares what was answered in the tests with the description. */
const documented = "test/documented.test.ts";

/** Files that start the program. */
const programs = ["test/{clock-set-back,failing,killed,permissions,uploads}.test.ts"];

/** Everything but what another project runs. */
const embedded = {
  name: "embedded",
  include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  exclude: [...stores, documented],
  globalSetup: ["src/answers.support.ts"],
};

const postgres = {
  name: "postgres",
  include: [...stores, conformance],
  exclude: [],
  globalSetup: ["src/answers.support.ts", "src/store/postgres-setup.support.ts"],
};

const comparison = { name: "documented", include: [documented], exclude: [], globalSetup: [] };

const loop: readonly Project[] = [embedded, postgres, comparison];

/** By vitest's mode; every other mode runs the loop. */
const otherForms: Readonly<Record<string, readonly Project[]>> = {
  unit: [{ ...embedded, exclude: [...embedded.exclude, ...programs, conformance] }],
  full: [embedded, { ...postgres, include: [...postgres.include, ...rules] }, comparison],
};

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }], "../../test/run/errors-reporter.mjs"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files of one worker share their modules: to load these for each file costs more than most files do.
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    // What is built runs as it is: to transform it costs more than to load it.
    server: { deps: { external: [/\/packages\/[\w-]+\/dist\//] } },
    // One after the other: a worker loads its modules again when it changes between projects.
    projects: (otherForms[mode] ?? loop).map(({ name, include, exclude, globalSetup }, groupOrder) => ({
      extends: true,
      // Without it `MODE` is `test` in the tests of a project.
      mode,
      test: {
        name,
        include: [...include],
        exclude: [...exclude, ...(mode === "full" ? [] : ["**/*.full.test.ts"])],
        globalSetup: [...globalSetup],
        setupFiles: "src/setup.support.ts",
        sequence: { groupOrder },
      },
    })),
  },
}));

interface Project {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly globalSetup: readonly string[];
}
