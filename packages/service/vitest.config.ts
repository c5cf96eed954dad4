import { defineConfig } from "vitest/config";
import { deadlineOf } from "../../test/run/deadline.mjs";

/** Tests of the service's behavior, on either store. */
const rules = ["src/*.test.ts", "src/{access,controls,features,server}/**/*.test.ts"];

/** Tests of PostgreSQL, or of both stores. */
const stores = [
  "src/store/**/*.test.ts",
  "test/{accounts,batches,crash,deploy,failing-jobs,full-pool,life,lost-database,migrate,move,pooler,postgres,replicas,shared-limits,statements,traces}.test.ts",
  "test/{failover,memory,network,releases}.full.test.ts",
];

const conformance = "test/conformance.test.ts";

/** Shards that move, and workers that stop. */
const citus = "test/citus.test.ts";

/** Compares the responses in the tests with the description. */
const documented = "test/documented.test.ts";

/** Files that start the program. */
const programs = ["test/{admin,backup,clock-set-back,failing,idle-connections,killed,permissions,uploads}.test.ts"];

/** All tests except those of other projects. */
const embedded = {
  name: "embedded",
  include: ["src/**/*.test.ts", "test/**/*.test.ts"],
  exclude: [...stores, documented, citus],
  globalSetup: ["src/recorded-responses.support.ts"],
};

const postgres = {
  name: "postgres",
  include: [...stores, conformance],
  exclude: [],
  globalSetup: ["src/recorded-responses.support.ts", "src/store/postgres-setup.support.ts"],
};

const comparison = { name: "documented", include: [documented], exclude: [], globalSetup: [] };

const loop: readonly Project[] = [embedded, postgres, comparison];

/** Projects by the mode of vitest. Other modes run the loop. */
const otherForms: Readonly<Record<string, readonly Project[]>> = {
  unit: [{ ...embedded, exclude: [...embedded.exclude, ...programs, conformance] }],
  citus: [
    {
      ...postgres,
      include: ["src/store/contract.test.ts", "test/{accounts,conformance,crash,replicas}.test.ts", citus],
      // The other stores have their own forms.
      testNamePattern: /^(?!.*(in memory|in a file|behind PgBouncer))/,
    },
  ],
  full: [embedded, { ...postgres, include: [...postgres.include, ...rules] }, comparison],
};

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ["default", ["json", { outputFile: "reports/tests.json" }], "../../test/run/errors-reporter.mjs"],
    testTimeout: deadlineOf(mode),
    hookTimeout: deadlineOf(mode),
    expect: { poll: { timeout: 60_000 } },
    // Files of one worker share their modules: loading these for each file takes longer than most files do.
    pool: "forks",
    isolate: false,
    // One worker for each project: a second loads the same modules again, beside the other workspaces.
    maxWorkers: 1,
    // Built packages run unchanged: transforming them takes longer than loading them.
    server: { deps: { external: [/\/packages\/[\w-]+\/dist\//] } },
    // In sequence: a worker loads its modules again when it changes between projects.
    projects: (otherForms[mode] ?? loop).map(
      ({ name, include, exclude, globalSetup, testNamePattern }, groupOrder) => ({
        extends: true,
        // The default would set `MODE` to `test` in the tests of a project.
        mode,
        test: {
          name,
          include: [...include],
          exclude: [...exclude, ...(mode === "full" ? [] : ["**/*.full.test.ts"])],
          globalSetup: [...globalSetup],
          setupFiles: "src/setup.support.ts",
          testNamePattern,
          sequence: { groupOrder },
        },
      }),
    ),
  },
}));

interface Project {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly globalSetup: readonly string[];
  readonly testNamePattern?: RegExp;
}
