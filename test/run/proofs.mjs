const generating = ["generators", "packages/kit/src/codegen", "packages/kit/src/model", "packages/kit/src/openapi"];
const publishing = ["test/release", "package.json", "packages/client-runtime/package.json"];
const suite = ["generators/src/conformance", "packages/conformance-runtime/src", "packages/conformance/data"];
const service = ["packages/service/src", "packages/server-runtime/src/server", "packages/server/src"];
const validators = [
  "generators/src/validator",
  "packages/kit/src/codegen/validation",
  "packages/server-runtime/src/validator",
];
const site = ["packages/site"];

/**
 * The test files that have a long form: its approximate minutes (wall time on two idle cores), and the places that it proves beside those
 * that it imports. A place is a file or a folder, from the top. `run.test.ts` fails where a file is missing here, is listed without need, or
 * names a place that does not exist.
 *
 * @type {Readonly<Record<string, readonly [minutes: number, ...places: readonly string[]]>>}
 */
export const proofs = {
  "generators/src/types/compare-types.test.ts": [0.6, "packages/kit/src/codegen"],
  "packages/client-runtime/src/lifetime.test.ts": [0.2],
  "packages/kit/src/codegen/printer.property.test.ts": [0.5],
  "packages/codemods/src/migrate/tools/express-openapi-validator/migration.full.test.ts": [0.4],
  "packages/conformance-runtime/src/report/html.browser.full.test.ts": [0.2],
  "packages/kit/src/diff/compare-descriptions.property.test.ts": [0.5],
  "packages/kit/src/diff/compares-all-of-the-model.full.test.ts": [0.5, "packages/kit/src/model/api.ts"],
  "packages/server-runtime/src/http/decode/json-text.test.ts": [0.1],
  "packages/server-runtime/src/http/decode/media-type.test.ts": [0.2],
  "packages/server-runtime/src/http/decode/multipart.test.ts": [0.1],
  "packages/server-runtime/src/http/decode/query.test.ts": [0.1],
  "packages/server-runtime/src/http/patterns/linear-pattern.test.ts": [0.2],
  "packages/server-runtime/src/http/routing/routes.test.ts": [0.1],
  "packages/kit/src/openapi/lint/redocly/surely-valid.test.ts": [0.3],
  "packages/kit/src/openapi/patterns/backtracking.test.ts": [0.5],
  "packages/plumbline/src/commands/migrate/documented-commands.full.test.ts": [1, "packages/plumbline/docs"],
  "packages/plumbline/src/commands/migrate-command.full.test.ts": [0.8, "packages/codemods/src/migrate"],
  "packages/plumbline/src/pipeline.property.test.ts": [0.5, ...generating],
  "packages/server-runtime/src/server/adapters/client-disconnects.test.ts": [0.2],
  "packages/service/src/store/damaged-files.test.ts": [1],
  "packages/service/src/store/unreachable.full.test.ts": [0.5],
  "packages/service/test/conformance.test.ts": [4, ...service, ...suite],
  "packages/service/test/crash.test.ts": [5, "packages/service/src/store"],
  "packages/service/test/failover.full.test.ts": [0.5, "packages/service/src/store"],
  "packages/service/test/idle-connections.test.ts": [0.5, ...service],
  "packages/service/test/instances.test.ts": [0.3, "packages/service/src/features/instances"],
  "packages/service/test/life.test.ts": [32, ...service],
  "packages/service/test/memory.full.test.ts": [8, ...service],
  "packages/service/test/network.full.test.ts": [2, "packages/service/src/store"],
  "packages/service/test/releases.full.test.ts": [1.5, "packages/service/src/store"],
  "packages/service/test/replicas.test.ts": [0.5, "packages/service/src/store", "packages/service/src/platform"],
  "packages/service/test/uploads.test.ts": [0.3, "packages/service/src/features/images"],
  "packages/server-runtime/src/validator/adapters/routers.test.ts": [0.2],
  "packages/server-runtime/src/validator/checks/lengths.test.ts": [0.1],
  "packages/server-runtime/src/validator/checks/values.test.ts": [0.1],
  "test/bench.full.test.ts": [1.5],
  "test/client/openapi-types.test.ts": [0.2, "generators/src/types"],
  "test/codemods/foreign-packages.full.test.ts": [0.5, "packages/codemods/src"],
  "test/codemods/handlers.full.test.ts": [7, "packages/codemods/src/handlers", "generators/src/handlers"],
  "test/codemods/impact.full.test.ts": [0.5, "packages/codemods/src/impact"],
  "test/codemods/migrate-clients.full.test.ts": [7, "packages/codemods/src/migrate", "test/migrations"],
  "test/codemods/migrate-servers.full.test.ts": [2, "packages/codemods/src/migrate", "test/migrations"],
  "test/codemods/migrate-versions.full.test.ts": [0.5, "packages/codemods/src/migrate", "test/migrations/versions"],
  "test/completion.full.test.ts": [0.5, "packages/command-line/src"],
  "test/conformance/annotated.test.ts": [1, ...suite, ...service],
  "test/conformance/faults.full.test.ts": [4, ...suite, ...service],
  "test/conformance/foreign.test.ts": [1, ...suite],
  "test/conformance/frame-faults.full.test.ts": [0.4, ...service],
  "test/conformance/frame.test.ts": [15, ...suite, ...service],
  "test/conformance/generated-servers.full.test.ts": [0.5, ...suite, "generators/src/server"],
  "test/conformance/ignored-updates.full.test.ts": [0.1, ...suite],
  "test/conformance/mutants.full.test.ts": [10, ...suite],
  "test/conformance/vitest.full.test.ts": [2, "packages/conformance-runtime/src"],
  "test/conformance/workflows.full.test.ts": [1.5, "spec/workflows"],
  "test/consumers.full.test.ts": [1.5, "packages/client-runtime/src", "generators/src/client", "test/consumers/matrix"],
  "test/contributing.full.test.ts": [1, "CONTRIBUTING.md"],
  "test/json-schema/samples.test.ts": [1, "packages/kit/src/codegen/values"],
  "test/linear-expressions.test.ts": [0.5, "generators", "packages"],
  "test/mcp/foreign.full.test.ts": [0.7, "packages/mcp-runtime/src", "generators/src/mcp"],
  "test/mock/browser.full.test.ts": [0.2, "packages/server-runtime/src/mock"],
  "test/mock/cloud-compute.full.test.ts": [1, "packages/server-runtime/src/mock", "generators/src/mock"],
  "test/mock/foreign-suites.full.test.ts": [3, "packages/server-runtime/src/mock", "generators/src/mock", ...suite],
  "test/plumbline/bundle.full.test.ts": [0.3, "packages/kit/src/openapi"],
  "test/plumbline/foreign.test.ts": [2, ...generating],
  "test/plumbline/generated-names.test.ts": [1.5, ...generating],
  "test/plumbline/generators.full.test.ts": [1],
  "test/plumbline/hostile.test.ts": [1.5, ...generating],
  "test/plumbline/interrupted.test.ts": [8, "packages/plumbline/src/write"],
  "test/plumbline/linear.full.test.ts": [3, ...generating],
  "test/plumbline/linear.test.ts": [1, ...generating],
  "test/plumbline/prototype-names.test.ts": [15, ...generating],
  "test/plumbline/random-descriptions.test.ts": [2.5, ...generating],
  "test/publish/api.full.test.ts": [0.5, "packages"],
  "test/publish/changesets.full.test.ts": [0.2, "test/release", "packages/kit/src/diff"],
  "test/publish/init.full.test.ts": [2.5, ...publishing, "packages/plumbline/src/commands/init"],
  "test/publish/install.full.test.ts": [2.5, ...publishing],
  "test/publish/release.full.test.ts": [1, ...publishing],
  "test/publish/types.full.test.ts": [0.5, ...publishing],
  "test/readme.full.test.ts": [1, "README.md"],
  "test/service/observed-values.test.ts": [0.5, ...service],
  "test/service/readable.test.ts": [1, ...service],
  "test/site/console.browser.full.test.ts": [1, ...site],
  "test/site/foreign.full.test.ts": [0.5, ...site],
  "test/site/hostile.browser.full.test.ts": [1, ...site],
  "test/site/site.browser.full.test.ts": [1, ...site],
  "test/turbo.full.test.ts": [2, "turbo.json"],
  "test/validator/ajv.test.ts": [2, ...validators],
  "test/validator/clients.test.ts": [0.5, ...validators, "packages/client-runtime/src"],
  "test/validator/fuzz.test.ts": [2.5, ...validators, "packages/server-runtime/src/http"],
  "test/validator/json-schema.test.ts": [0.5, ...validators],
  "test/validator/property.test.ts": [7, ...validators],
};

/**
 * The parts of the full form, each of at most 40 minutes: the places of their test files, from the top. A file belongs to the first part that
 * has it.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const parts = {
  life: ["packages/service/test/life.test.ts"],
  service: ["packages/service"],
  packages: ["packages", "generators"],
  conformance: ["test/conformance"],
  plumbline: ["test/plumbline"],
  validator: ["test/validator", "test/server", "test/client", "test/mock", "test/mcp"],
  rest: ["test"],
};

/**
 * The part of the full form that a test file belongs to.
 *
 * @param {string} file from the top
 */
export function partOf(file) {
  return Object.keys(parts).find((name) =>
    parts[name]?.some((place) => file === place || file.startsWith(`${place}/`)),
  );
}
