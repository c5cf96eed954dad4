import { defineConfig } from "vitest/config";

/** Business rules, whichever store the service has. */
const rules = ["src/*.test.ts", "src/areas/**/*.test.ts"];

/** What is about PostgreSQL, or about both stores. */
const onPostgres = ["src/store/**/*.test.ts", "test/{crash,life,lost-database,postgres,replicas}.test.ts"];

const conformance = "test/conformance.test.ts";

/** What starts the program. */
const programs = ["test/{clock-set-back,failing,killed,permissions,uploads}.test.ts", conformance];

// When all is tested, what was answered is compared with the description.
const answers = "test/documented.test.ts";
const documented: Project = { name: "documented", files: [answers], without: [], globalSetup: [] };

const forms: Readonly<Record<string, readonly Project[]>> = {
  /** Starts no program and no PostgreSQL. */
  unit: [embedded([...onPostgres, ...programs])],
  test: [embedded(onPostgres), postgres([...onPostgres, conformance]), documented],
  full: [embedded(onPostgres), postgres([...rules, ...onPostgres, conformance]), documented],
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
    projects: (forms[mode] ?? []).map(({ name, files, without, globalSetup }, groupOrder) => ({
      extends: true,
      mode,
      test: {
        name,
        include: [...files],
        exclude: [...without, ...(mode === "full" ? [] : ["**/*.full.test.ts"])],
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
  readonly without: readonly string[];
  readonly globalSetup: readonly string[];
}

/** All files but these, so that a new one is tested without being listed. */
function embedded(without: readonly string[]): Project {
  const files = ["{src,test}/**/*.test.ts"];
  return { name: "embedded", files, without: [...without, answers], globalSetup: ["src/answers.support.ts"] };
}

function postgres(files: readonly string[]): Project {
  const globalSetup = ["src/answers.support.ts", "src/store/postgres-setup.support.ts"];
  return { name: "postgres", files, without: [], globalSetup };
}
