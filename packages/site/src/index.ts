import { defineGenerator, type Generator } from "@plumbline/kit/codegen";
import { compareDescriptions } from "@plumbline/kit/diff";
import type { Api } from "@plumbline/kit/model";
import { loadDiagramRenderer } from "./render/diagram.js";
import { loadHighlighter } from "./render/highlight.js";
import { emitSiteFiles } from "./site-files.js";
import { createSitePaths } from "./site-links.js";
import { readSuiteCoverage } from "./suite-coverage.js";
import { createConsole, readMockData, type MockData } from "./try-it/create-console.js";

const options = {
  client: {
    type: "string",
    description:
      "The package of the generated client, for samples. Default: the name of this package, with client in the place of site",
  },
  console: {
    type: "boolean",
    default: true,
    description: "Whether pages of operations have a console that sends requests",
  },
  maxMockedOperations: {
    type: "integer",
    // For that number, of GitHub, browsers load 290 kB, and generation takes 20 seconds of a processor.
    default: 300,
    description:
      "The maximum number of operations for which the site contains a mock. Above it, the console sends requests to servers only",
  },
  mockData: {
    type: "string",
    format: "path",
    description: "A JSON file with objects that exist in the mock from the start, by resource",
  },
  previous: {
    type: "string",
    format: "path",
    description: "The description of the previous version, from which a page lists the changes",
  },
} as const;

/** What a site contains beside its description. */
interface SiteInput {
  readonly previous: Api | undefined;
  readonly mockData: MockData;
}

/** Generates a reference site: static pages that need no server, and load nothing but their own files. */
const siteGenerator: Generator<typeof options, SiteInput> = defineGenerator({
  options,
  optionalInputs: ["conformance"],
  read: async (api, { config: { previous, mockData }, readApi, readText }) => ({
    previous: previous === undefined ? undefined : await readApi(previous),
    mockData: mockData === undefined ? {} : readMockData(api, await readText(mockData)),
  }),
  files: async (api, { config, package: name, input, artifacts, source, generateFiles }) => {
    const { previous } = input;
    const { console } = await createConsole(api, { ...config, ...input, generateFiles });
    return emitSiteFiles({
      api,
      paths: createSitePaths(api),
      client: config.client ?? clientPackage(name),
      highlighter: await loadHighlighter(),
      diagrams: await loadDiagramRenderer(),
      suite: readSuiteCoverage(artifacts["conformance"]),
      changes:
        previous === undefined
          ? undefined
          : { from: previous.version, differences: compareDescriptions(previous, api) },
      console,
      source,
    });
  },
  warnings: async (api, { config, input, generateFiles }) =>
    (await createConsole(api, { ...config, ...input, generateFiles })).warnings,
});

export default siteGenerator;

function clientPackage(name: string): string | undefined {
  const derived = name.replace(/(^|[/-])site$/, "$1client");
  return derived === name ? undefined : derived;
}
