import { defineGenerator, type Generator } from "@plumbline/kit/codegen";
import { DiagnosticsError } from "@plumbline/kit/model";
import { readWorkflows } from "./cases/workflows/read-workflows.js";
import { conformanceContextOf } from "./context/context.js";
import { mockActors, mockClock, mockControls } from "./context/mock-controls.js";
import { emptySettings, type ConformanceInput } from "./context/settings.js";
import { coverageDiagnostics } from "./coverage.js";
import { caseFiles, generateCases } from "./generate-cases.js";
import { emitConformancePackage } from "./package.js";
import { readConformanceSettings } from "./read-settings.js";
import type { SuiteOutline } from "./suite-outline.js";
import { untestedRules } from "./untested-rules.js";
import { emitTestModules } from "./vitest.js";

export { casesByRequirement } from "./suite-outline.js";
export type { SuiteOutline } from "./suite-outline.js";

const options = {
  settings: { type: "string", format: "path", description: "The path of conformance.yaml, the settings of the suite" },
  workflows: {
    type: "string",
    format: "path",
    description: "The folder of the Arazzo workflows and of scenarios.yaml",
  },
  controls: { type: "string", format: "path", description: "The description of the server's test controls" },
  mockControls: {
    type: "boolean",
    default: false,
    description:
      "Creates users and moves the clock by the controls of plumbline mock --controls. Settings take precedence",
  },
  vitest: {
    type: "boolean",
    default: false,
    description: "Also exports PACKAGE/vitest, the cases as tests, and PACKAGE/matchers, for responses in other tests",
  },
} as const;

/** Generates a suite: one case per line as JSON, and the data of operations that the runtime needs. */
const conformanceGenerator: Generator<typeof options, ConformanceInput, SuiteOutline> = defineGenerator({
  options,
  read: async (api, { config, description, locate, readApi }) => {
    const controls = config.controls === undefined ? undefined : await readApi(config.controls);
    const stated = config.settings === undefined ? emptySettings : await readConformanceSettings(config.settings, api);
    const settings = config.mockControls
      ? { ...stated, actors: { ...mockActors(api), ...stated.actors }, clock: stated.clock ?? mockClock }
      : stated;
    const { workflows, scenarios } =
      config.workflows === undefined
        ? { workflows: [], scenarios: {} }
        : await readWorkflows({
            folder: config.workflows,
            description,
            controlsDescription: config.controls,
            api,
            controls,
            locate,
          });
    return { settings, controls, ...(config.mockControls ? { mockControls } : {}), workflows, scenarios };
  },
  files: (api, artifact) => {
    if (artifact.config.settings !== undefined) {
      const diagnostics = coverageDiagnostics(conformanceContextOf(api, artifact), generateCases(api, artifact));
      if (diagnostics.length > 0) throw new DiagnosticsError(diagnostics);
    }
    const hasTests = artifact.config.vitest;
    const hasScenarios = Object.keys(artifact.input.scenarios).length > 0;
    return [
      ...caseFiles(api, artifact),
      ...emitConformancePackage(api, artifact, { hasTests, hasScenarios }),
      ...(hasTests ? emitTestModules(api, { hasScenarios }) : []),
    ];
  },
  warnings: (api, artifact) => untestedRules(conformanceContextOf(api, artifact), generateCases(api, artifact)),
  data: (api, artifact) => ({
    cases: generateCases(api, artifact),
    untested: artifact.input.settings.untested ?? {},
  }),
});

export default conformanceGenerator;
