import type { Import, Source } from "./read-source.js";
import { serviceLayers } from "./service-import-rules.js";

/** A group of files, and their allowed imports beside each other. The first matching layer of a file is its layer. */
export interface Layer {
  /** What this matches of a path is the layer's own folder; a file's own folder is always allowed. */
  readonly files: RegExp;
  readonly may: readonly RegExp[];
  /** What may be imported as a type only. */
  readonly mayAsType?: readonly RegExp[];
}

/** An exempt import, and the reason. */
export interface Exemption {
  readonly file: string;
  readonly from: string;
  readonly because: string;
}

const disk = /^node:fs(\/promises)?$/;
const places = /^node:(path|url)$/;
/** Rooms of a package import the entry points of each other. */
const model = /^(@plumbline\/kit\/model|packages\/kit\/src\/model\/index\.ts)$/;
/** What matches patterns. */
const patterns = /^@plumbline\/server-runtime\/http\/patterns$/;
/** What reads descriptions. */
const openapi = /^(@plumbline\/kit\/openapi|packages\/kit\/src\/openapi\/index\.ts)$/;
/** What prints packages. */
const codegen = /^@plumbline\/kit\/codegen(\/(conditions|documents|patterns|samples|validation|values))?$/;
const reading = [model, places, /^node:module$/, /^packages\/kit\/src\/openapi\//];
/** What servers are made of. */
const runtimes = [/^packages\/server-runtime\/src\/(http|validator)\/index\.ts$/];
const checks = /^@plumbline\/server-runtime\/validator(\/patterns)?$/;
/** The runner of suites: its data formats, then its folders in the order in which they build on each other. */
const commandLine = /^@plumbline\/command-line$/;
const running = /^packages\/conformance-runtime\/src\//;
/** What the command is made of. */
const anyStage = [
  /^packages\/plumbline\/src\//,
  model,
  codegen,
  /^@plumbline\/kit\/(openapi(\/(files|lint|lint-worker))?|diff)$/,
  /^node:(path|os|util)$/,
];
const suites = /^packages\/conformance-runtime\/src\/(suite|results|errors)\.ts$/;
const templates = /^packages\/conformance-runtime\/src\/values\//;
const sending = /^packages\/conformance-runtime\/src\/http\//;

/** "A line knows one thing" and "data flows one way", as allowed imports. */
export const layers: readonly Layer[] = [
  // The model of an API, and what walks it: plain data, without libraries. Patterns are matched as in the packages.
  { files: /^packages\/kit\/src\/model\/keywords\/pattern\.ts$/, may: [/^packages\/kit\/src\/model\//, patterns] },
  // What servers fill, and how they read lists, is data of their runtime.
  {
    files: /^packages\/kit\/src\/model\/(api|error-(bodies|format))\.ts$/,
    may: [/^packages\/kit\/src\/model\//],
    mayAsType: [/^@plumbline\/server-runtime$/],
  },
  { files: /^packages\/kit\/src\/model\//, may: [] },
  // YAML and OpenAPI. What opens files is named, and so is what knows a library.
  { files: /^packages\/kit\/src\/openapi\/testing\.ts$/, may: [disk, /^node:os$/, ...reading] },
  {
    files: /^packages\/kit\/src\/openapi\/read\/recorded-inputs\.ts$/,
    may: [disk, /^node:(async_hooks|crypto)$/, ...reading],
  },
  {
    files: /^packages\/kit\/src\/openapi\/read\/(boundary|source|yaml-events|yaml-nodes|yaml-text)\.ts$/,
    may: [disk, /^node:buffer$/, /^js-yaml$/, ...reading],
  },
  { files: /^packages\/kit\/src\/openapi\/overlays\//, may: [/^json-p3$/, ...reading] },
  { files: /^packages\/kit\/src\/openapi\/lint\/vocabulary\.ts$/, may: [disk, ...reading] },
  {
    files: /^packages\/kit\/src\/openapi\/lint\//,
    may: [
      /^node:worker_threads$/,
      /^(@redocly\/openapi-core(\/lib\/.+)?|ajv\/dist\/2020\.js|ajv-formats(\/dist\/formats\.js)?|ajv)$/,
      ...reading,
    ],
  },
  // Parses patterns, to find those with which a text could keep a matcher busy.
  { files: /^packages\/kit\/src\/openapi\/patterns\//, may: [/^@eslint-community\/regexpp$/] },
  // Names that collide get a hash.
  { files: /^packages\/kit\/src\/openapi\/build\/names\//, may: [/^node:crypto$/, ...reading] },
  { files: /^packages\/kit\/src\/openapi\//, may: reading },
  // The kit of generators: text, without the disk. Two files read what is beside them.
  // What renders templates is loaded with the first one.
  {
    files: /^packages\/kit\/src\/codegen\/(template|runtime-version)\.ts$/,
    may: [disk, /^node:(module|path|url)$/, /^handlebars(\/runtime)?$/, /^something computed$/],
  },
  { files: /^packages\/kit\/src\/codegen\/format-file\.ts$/, may: [/^packages\/kit\/src\/codegen\//, /^oxfmt$/] },
  {
    files: /^packages\/kit\/src\/codegen\/testing\.ts$/,
    may: [
      /^packages\/kit\/src\/codegen\//,
      model,
      openapi,
      /^packages\/kit\/src\/openapi\/testing\.ts$/,
      /^node:path$/,
    ],
  },
  // Parses patterns, to build texts that match.
  {
    files: /^packages\/kit\/src\/codegen\/patterns\/(parse-pattern|pattern-samples)\.ts$/,
    may: [model, /^packages\/kit\/src\/codegen\//, /^@eslint-community\/regexpp$/],
  },
  { files: /^packages\/kit\/src\/codegen\//, may: [model] },
  // The differences of two models: without artifacts and output.
  { files: /^packages\/kit\/src\/diff\//, may: [model] },
  // Each generator is a user of the kit. None knows another, the command or the disk.
  {
    files: /^generators\/src\/conformance\/read-settings\.ts$/,
    may: [/^generators\/src\/conformance\//, model, openapi, places],
  },
  {
    files: /^generators\/src\/conformance\/cases\/workflows\/read-(workflows|scenarios)\.ts$/,
    may: [/^generators\/src\/conformance\//, model, openapi, places],
    mayAsType: [/^@plumbline\/conformance-runtime$/],
  },
  // Node decides whether a text is an address; nothing is opened.
  {
    files: /^generators\/src\/conformance\/values\/formats\.ts$/,
    may: [/^generators\/src\/conformance\//, model, /^node:net$/],
  },
  {
    files: /^generators\/src\/conformance\/values\/unique-samples\.ts$/,
    may: [codegen],
    mayAsType: [/^@eslint-community\/regexpp$/, /^@plumbline\/conformance-runtime$/],
  },
  // A suite is data for a runtime, whose types it imports.
  { files: /^generators\/src\/conformance\//, may: [model, codegen], mayAsType: [/^@plumbline\/conformance-runtime$/] },
  // Tools are data for a runtime, whose types it imports.
  { files: /^generators\/src\/mcp\//, may: [model, codegen], mayAsType: [/^@plumbline\/mcp-runtime$/] },
  // Its documents are bundled descriptions, of which one is YAML.
  { files: /^generators\/src\/description\//, may: [model, codegen, openapi] },
  // A mock is data for a runtime, whose types it imports.
  { files: /^generators\/src\/mock\//, may: [model, codegen], mayAsType: [/^@plumbline\/server-runtime\/mock$/] },
  // Loads what edits TypeScript on first use, because not every user has it.
  {
    files: /^generators\/src\/handlers\/codemods\.ts$/,
    may: [model, /^@plumbline\/codemods\/handlers$/],
  },
  {
    files: /^generators\/src\/handlers\//,
    may: [model, codegen],
    mayAsType: [/^@plumbline\/codemods\/handlers$/],
  },
  // Pages are made with libraries: each has one file that knows it. The scripts of pages are files of packages.
  {
    files: /^packages\/site\/src\/render\/(diagram|highlight|html|markdown|templates)\.ts$/,
    may: [
      /^packages\/site\/src\/render\//,
      model,
      codegen,
      /^(@viz-js\/viz|handlebars|markdown-it|sanitize-html|shiki\/.+)$/,
    ],
  },
  {
    files: /^packages\/site\/src\/site-files\.ts$/,
    may: [/^packages\/site\/src\//, model, codegen, /^node:(module|url)$/],
  },
  // Scripts of pages: one file bundles them, and the console is one. It sends requests as clients do, and knows the mock by its types.
  { files: /^packages\/site\/src\/try-it\/bundle-script\.ts$/, may: [/^esbuild$/, /^node:(crypto|url)$/] },
  {
    files: /^packages\/site\/src\/console\//,
    may: [model, /^@plumbline\/(client-runtime|kit\/codegen\/samples)$/],
    mayAsType: [/^@plumbline\/server-runtime\/(http|mock)$/],
  },
  {
    files: /^packages\/site\/src\//,
    may: [/^packages\/site\/src\//, model, codegen, /^@plumbline\/kit\/(codegen\/samples|diff)$/],
  },
  { files: /^generators\/src\/(client|types)\//, may: [model, codegen, /^@plumbline\/kit\/codegen\/openapi-types$/] },
  { files: /^generators\/src\/server\//, may: [model, codegen], mayAsType: [/^@plumbline\/server-runtime$/] },
  { files: /^generators\/src\/[^/]+\//, may: [model, codegen] },
  // Edits TypeScript: texts in, texts out.
  {
    files: /^packages\/codemods\/src\/(impact|migrate)\//,
    may: [/^ts-morph$/, /^packages\/codemods\/src\//, model, /^node:path$/],
    mayAsType: [/^@plumbline\/kit\/diff$/],
  },
  { files: /^packages\/codemods\/src\//, may: [/^ts-morph$/, /^packages\/codemods\/src\//] },
  // The command. Only the writer changes the disk.
  {
    files: /^packages\/plumbline\/src\/write\//,
    may: [disk, places, /^node:(crypto|timers\/promises)$/, model, codegen, /^diff$/],
  },
  { files: /^packages\/plumbline\/src\/commands\/init\/json-text\.ts$/, may: [/^jsonc-parser$/, model] },
  // Loads what edits TypeScript on first use, because not every user has it.
  {
    files: /^packages\/plumbline\/src\/commands\/load-codemods\.ts$/,
    may: [commandLine, ...anyStage, /^@plumbline\/codemods\/(impact|migrate)$/],
  },
  // Runs generated mocks in this process. Only the host listens.
  { files: /^packages\/plumbline\/src\/mock\/evaluate-modules\.ts$/, may: [/^node:vm$/, /^oxc-transform$/] },
  {
    files: /^packages\/plumbline\/src\/mock\/http-host\.ts$/,
    may: [/^node:(http|net)$/, /^@plumbline\/server-runtime(\/node)?$/],
  },
  {
    files: /^packages\/plumbline\/src\/mock\//,
    may: [/^@plumbline\/server-runtime(\/(http|mock(\/controls)?|validator(\/patterns)?))?$/, ...anyStage],
  },
  // A bundled description has samples of requests.
  {
    files: /^packages\/plumbline\/src\/commands\/bundle-command\.ts$/,
    may: [commandLine, ...anyStage, /^@plumbline\/kit\/codegen\/samples$/],
  },
  // Commands display files, start other programs, and prompt.
  {
    files: /^packages\/plumbline\/src\/commands\//,
    may: [disk, commandLine, /^node:(child_process|readline\/promises)$/, ...anyStage],
    mayAsType: [/^@plumbline\/(generators\/conformance|codemods\/migrate|server-runtime\/mock)$/],
  },
  { files: /^packages\/plumbline\/src\/config\/package-name\.ts$/, may: [/^node:module$/] },
  { files: /^packages\/plumbline\/src\/cli\.ts$/, may: [disk, commandLine, ...anyStage] },
  { files: /^packages\/plumbline\/src\/(config\/config|diff-inputs)\.ts$/, may: [disk, ...anyStage] },
  // Cached inputs and outputs, and whether they are unchanged.
  {
    files: /^packages\/plumbline\/src\/incremental\//,
    may: [disk, /^node:(crypto|module|url)$/, ...anyStage],
  },
  // plumbline.yaml names the modules of generators.
  {
    files: /^packages\/plumbline\/src\/generate\/load-generator\.ts$/,
    may: [/^node:(fs|module|url)$/, /^something computed$/, ...anyStage],
  },
  // Files of other revisions come from git.
  { files: /^packages\/plumbline\/src\/git-revision\.ts$/, may: [disk, /^node:child_process$/, ...anyStage] },
  // Requirements are traced to the cases of the suite.
  {
    files: /^packages\/plumbline\/src\/trace-requirements\.ts$/,
    may: [/^@plumbline\/generators\/conformance$/, ...anyStage],
  },
  { files: /^packages\/plumbline\/src\//, may: anyStage },
  // What is published.
  { files: /^packages\/(client|service\/src\/testing)\/src\/gen\//, may: [/^@plumbline\/client-runtime$/] },
  { files: /^packages\/validator\/src\/gen\//, may: [/^@plumbline\/server-runtime\/validator(\/\w+)?$/] },
  { files: /^packages\/client\/src\/index\.ts$/, may: [/^packages\/[^/]+\/src\/gen\/index\.ts$/] },
  {
    files: /^packages\/validator\/src\/index\.ts$/,
    may: [/^packages\/validator\/src\/gen\/operations\.ts$/, /^@plumbline\/server-runtime\/validator$/],
  },
  {
    files: /^packages\/(server|service)\/src\/gen\//,
    may: [/^@plumbline\/server-runtime(\/validator)?(\/\w+)?$/, /^@cloud-compute\/validator\/[\w-]+$/],
  },
  { files: /^packages\/server\/src\/index\.ts$/, may: [/^packages\/[^/]+\/src\/gen\/\w+\.ts$/] },
  {
    files: /^packages\/client-runtime\/src\/opentelemetry\//,
    may: [/^packages\/client-runtime\/src\/observe\//, /^@opentelemetry\/api$/],
  },
  { files: /^packages\/client-runtime\/src\//, may: [] },
  { files: /^packages\/command-line\/src\//, may: [/^node:util$/] },
  { files: /^packages\/server-runtime\/src\/http\//, may: [] },
  {
    files: /^packages\/server-runtime\/src\/validator\//,
    may: [/^packages\/server-runtime\/src\/http\/(patterns\/)?index\.ts$/],
  },
  // Servers. An adapter knows messages; conditions know values; only the steps know everything.
  {
    files: /^packages\/server-runtime\/src\/server\/adapters\//,
    may: [/^packages\/server-runtime\/src\/http\/index\.ts$/, /^packages\/server-runtime\/src\/server\/http\//],
  },
  {
    files: /^packages\/server-runtime\/src\/server\/opentelemetry\//,
    may: [/^packages\/server-runtime\/src\/server\/observe\//, /^@opentelemetry\/api$/],
  },
  { files: /^packages\/server-runtime\/src\/server\/(conditions|errors)\//, may: runtimes },
  {
    files: /^packages\/server-runtime\/src\/server\/(http|state-machines)\//,
    may: [...runtimes, /^packages\/server-runtime\/src\/server\/(conditions|errors)\//],
  },
  {
    files: /^packages\/server-runtime\/src\/server\/\w[\w-]*\/(?<!steps\/)/,
    may: [...runtimes, /^packages\/server-runtime\/src\/server\/(?!adapters\/|steps\/)/],
  },
  { files: /^packages\/server-runtime\/src\/server\//, may: runtimes },
  {
    files: /^packages\/conformance\/src\/gen\/vitest\.ts$/,
    may: [
      /^packages\/conformance\/src\/scenarios\/index\.ts$/,
      /^packages\/conformance\/src\/gen\/(matchers|suite)\.ts$/,
      /^@plumbline\/conformance-runtime\/testing$/,
      /^vitest$/,
    ],
  },
  { files: /^packages\/conformance\/src\/gen\//, may: [/^@plumbline\/conformance-runtime(?:\/matchers)?$/] },
  { files: /^packages\/conformance\/src\/index\.ts$/, may: [/^packages\/conformance\/src\/(gen|scenarios)\/\w+\.ts$/] },
  {
    files: /^packages\/conformance\/src\/scenarios\//,
    mayAsType: [/^@plumbline\/conformance-runtime$/],
    may: [/^node:(crypto|net|http|events|zlib)$/],
  },
  { files: /^packages\/mcp\/src\/gen\//, may: [/^@plumbline\/mcp-runtime$/, /^@cloud-compute\/client$/] },
  { files: /^packages\/mcp\/src\/index\.ts$/, may: [/^packages\/mcp\/src\/gen\/\w+\.ts$/] },
  // Addresses of its files.
  { files: /^packages\/description\/src\//, may: [] },
  {
    files: /^packages\/mock\/src\/gen\//,
    may: [/^@plumbline\/server-runtime\/(mock|validator)$/, /^@cloud-compute\/server$/],
  },
  {
    files: /^packages\/mock\/src\/index\.ts$/,
    may: [/^packages\/mock\/src\/gen\/\w+\.ts$/, /^@plumbline\/server-runtime\/mock$/],
  },
  // Interprets a description. The store knows objects, behavior the description, and only the top level the server.
  {
    files: /^packages\/server-runtime\/src\/mock\/store\//,
    may: [],
    mayAsType: [
      /^packages\/server-runtime\/src\/server\/index\.ts$/,
      /^packages\/server-runtime\/src\/mock\/mock-definition\.ts$/,
    ],
  },
  {
    files: /^packages\/server-runtime\/src\/mock\//,
    may: [
      /^packages\/server-runtime\/src\/mock\//,
      ...runtimes,
      /^packages\/server-runtime\/src\/server\/(adapters\/fetch\/)?index\.ts$/,
      /^msw$/,
    ],
  },
  // Runs suites. Only http-client.ts uses sockets, only the journal and the reports use the disk, and the library validates schemas.
  { files: /^packages\/conformance-runtime\/src\/http\/http-client\.ts$/, may: [sending, /^node:(http|https|zlib)$/] },
  { files: /^packages\/conformance-runtime\/src\/(cleanup\/journal|read-suite)\.ts$/, may: [running, disk, places] },
  {
    files: /^packages\/conformance-runtime\/src\/assert\/(schemas|value-differences)\.ts$/,
    may: [
      /^packages\/conformance-runtime\/src\/assert\//,
      sending,
      templates,
      suites,
      /^ajv\/dist\/2020\.js$/,
      checks,
      /^node:util$/,
    ],
  },
  { files: /^packages\/conformance-runtime\/src\/values\//, may: [suites, checks, /^node:crypto$/] },
  { files: /^packages\/conformance-runtime\/src\/http\//, may: [templates, suites, /^node:timers\/promises$/] },
  { files: /^packages\/conformance-runtime\/src\/assert\//, may: [sending, templates, suites, checks, /^node:util$/] },
  { files: /^packages\/conformance-runtime\/src\/cleanup\//, may: [sending, templates, suites] },
  { files: /^packages\/conformance-runtime\/src\/report\//, may: [templates, suites, /^node:(crypto|util)$/] },
  {
    files: /^packages\/conformance-runtime\/src\/command\//,
    may: [running, disk, commandLine, /^node:(crypto|path)$/],
  },
  { files: /^packages\/conformance-runtime\/src\/testing\//, may: [running, places, commandLine] },
  { files: /^packages\/conformance-runtime\/src\/matchers\//, may: [running, commandLine] },
  { files: /^packages\/conformance-runtime\/src\//, may: [] },
  // Serves tools. The SDK knows the protocol, and the runtime of clients knows HTTP to the API; only serve/ listens.
  { files: /^packages\/mcp-runtime\/src\/toolset\.ts$/, may: [disk, /^@plumbline\/client-runtime$/] },
  {
    files: /^packages\/mcp-runtime\/src\/serve\//,
    may: [/^@modelcontextprotocol\/sdk\/(server|shared)\/\w+\.js$/, /^node:(crypto|http|net)$/],
  },
  {
    files: /^packages\/mcp-runtime\/src\/(tools|call)\//,
    may: [
      /^packages\/mcp-runtime\/src\/(json|toolset|tools\/[\w-]+)\.ts$/,
      /^@modelcontextprotocol\/sdk\/types\.js$/,
      /^@plumbline\/client-runtime$/,
      patterns,
      /^ajv\/dist\/2020\.js$/,
      /^node:crypto$/,
    ],
  },
  {
    files: /^packages\/mcp-runtime\/src\/command\//,
    may: [/^packages\/mcp-runtime\/src\//, commandLine],
  },
  {
    files: /^packages\/mcp-runtime\/src\//,
    may: [/^@modelcontextprotocol\/sdk\/(server\/mcp|types)\.js$/, /^@plumbline\/client-runtime$/],
  },
  ...serviceLayers,
];

/** Every import that the table does not allow, as `file: import`, and every unused exemption. */
export function violations(sources: readonly Source[], exemptions: readonly Exemption[]): readonly string[] {
  const found = sources.flatMap(({ file, imports }) => {
    const layer = layers.find((each) => each.files.test(file));
    if (layer === undefined) return [{ file, from: "has no layer in the table" }];
    return imports.filter((each) => !isAllowed(file, each, layer)).map(({ from }) => ({ file, from }));
  });
  const isExempt = (one: { file: string; from: string }) => exemptions.some((each) => isSame(each, one));
  const idle = exemptions.filter((each) => !found.some((one) => isSame(each, one)));
  return [
    ...found.filter((one) => !isExempt(one)).map(({ file, from }) => `${file}: ${from}`),
    ...idle.map(({ file, from }) => `${file}: ${from} is exempt without need`),
  ];
}

function isAllowed(file: string, { from, onlyTypes }: Import, { files, may, mayAsType = [] }: Layer): boolean {
  const own = files.exec(file)?.[0] ?? file;
  const allowed = onlyTypes ? [...may, ...mayAsType] : may;
  return from.startsWith(own) || allowed.some((each) => each.test(from));
}

function isSame(
  a: { readonly file: string; readonly from: string },
  b: { readonly file: string; readonly from: string },
): boolean {
  return a.file === b.file && a.from === b.from;
}
