import type { Import, Source } from "./imports.js";

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
const diagnostic = /^generators\/src\/diagnostic\.ts$/;
const json = /^generators\/src\/json-object\.ts$/;
const model = /^generators\/src\/model\//;
const types = /^generators\/src\/types\//;
const validation = /^generators\/src\/validation\//;
const printing = /^generators\/src\/emit\/(?!writer[./])/;
const reading = [
  /^generators\/src\/spec\//,
  /^generators\/src\/recorded-inputs\.ts$/,
  diagnostic,
  json,
  places,
  /^node:module$/,
  /^node:worker_threads$/,
  /^(@eslint-community\/regexpp|@redocly\/openapi-core|ajv\/dist\/2020\.js|ajv-formats|js-yaml|json-p3|recheck|yaml-ast-parser)$/,
];
/** The base of the service. */
const generated = [/^@cloud-compute\/(controls-)?server(\/node)?$/, /^@plumbline\/server-runtime$/];
/** What servers are made of. */
const runtimes = [/^@plumbline\/(http|validator)-runtime$/];
/** What runs suites may use all of itself. */
const running = /^packages\/conformance-runtime\/src\//;
const anyStage = [/^generators\/src\//, /^node:(path|os|util)$/];

/** "A line knows one thing" and "data flows one way", as allowed imports. */
export const layers: readonly Layer[] = [
  // YAML and OpenAPI. What opens files is named.
  { files: /^generators\/src\/spec\/(boundary|source|vocabulary)\.ts$/, may: [disk, ...reading] },
  { files: /^generators\/src\/spec\//, may: reading },
  // The model of an API: from locations to plain data, without libraries.
  {
    files: /^generators\/src\/model\//,
    may: [diagnostic, json, /^generators\/src\/spec\/(spec-node|load|source)\.ts$/],
  },
  // Files. Only the writer changes the disk; templates.ts and runtime-version.ts read files of their own package.
  {
    files: /^generators\/src\/emit\/writer[./]/,
    may: [disk, places, /^node:(crypto|timers\/promises)$/, json, printing, /^generators\/src\/emit\/writer\//],
  },
  { files: /^generators\/src\/emit\/(templates|runtime-version)\.ts$/, may: [disk] },
  {
    files: /^generators\/src\/emit\//,
    may: [/^generators\/src\/model\/names\.ts$/, /^(diff|oxfmt|handlebars)$/],
    mayAsType: [/^generators\/src\/model\/api\.ts$/],
  },
  // TypeScript's types of a model; the artifacts carry them.
  { files: /^generators\/src\/types\//, may: [printing, model] },
  // The differences of two models: without artifacts and output.
  { files: /^generators\/src\/diff\//, may: [model, diagnostic] },
  // Compiles the validation of requests and responses, for each artifact with it.
  { files: validation, may: [model, printing, types, diagnostic, /^generators\/src\/generator\.ts$/] },
  // Node decides whether a text is an address; nothing is opened.
  {
    files: /^generators\/src\/conformance\/formats\.ts$/,
    may: [model, /^generators\/src\/conformance\//, /^node:net$/],
    mayAsType: [/^@plumbline\/conformance-runtime$/],
  },
  // A suite is data for a runtime, whose types it imports.
  {
    files: /^generators\/src\/conformance\//,
    may: [model, printing, types, diagnostic, /^generators\/src\/generator\.ts$/],
    mayAsType: [/^@plumbline\/conformance-runtime$/],
  },
  // Commands display files, start other programs, and prompt.
  { files: /^generators\/src\/commands\//, may: [disk, /^node:(child_process|readline\/promises)$/, ...anyStage] },
  // Every other folder generates an artifact from the model, and imports no other artifact.
  {
    files: /^generators\/src\/[^/]+\//,
    may: [model, printing, types, validation, diagnostic, /^generators\/src\/generator\.ts$/],
  },
  // The program around it all.
  { files: diagnostic, may: [] },
  { files: json, may: [] },
  { files: /^generators\/src\/(cli|config|diff-inputs)\.ts$/, may: [disk, ...anyStage] },
  // Cached inputs and outputs, and whether they are unchanged.
  {
    files: /^generators\/src\/(cache|generator-identity|recorded-inputs|input-watcher)\.ts$/,
    may: [disk, /^node:(async_hooks|crypto|module|url)$/, ...anyStage],
  },
  // plumbline.yaml names the modules of custom generators.
  {
    files: /^generators\/src\/custom-generators\.ts$/,
    may: [/^node:(fs|module|url)$/, /^something computed$/, ...anyStage],
  },
  // Packages must not have the names of Node's modules.
  { files: /^generators\/src\/package-name\.ts$/, may: [/^node:module$/] },
  // Files of other revisions come from git.
  { files: /^generators\/src\/git-revision\.ts$/, may: [disk, /^node:child_process$/, ...anyStage] },
  { files: /^generators\/src\/[^/]+\.ts$/, may: anyStage, mayAsType: [/^@plumbline\/conformance-runtime$/] },
  // What is published.
  { files: /^packages\/(client|controls-client)\/src\/gen\//, may: [/^@plumbline\/client-runtime$/] },
  { files: /^packages\/validator\/src\/gen\//, may: [/^@plumbline\/validator-runtime(\/\w+)?$/] },
  { files: /^packages\/(client|controls-client)\/src\/index\.ts$/, may: [/^packages\/[^/]+\/src\/gen\/index\.ts$/] },
  {
    files: /^packages\/validator\/src\/index\.ts$/,
    may: [/^packages\/validator\/src\/gen\/operations\.ts$/, /^@plumbline\/validator-runtime$/],
  },
  {
    files: /^packages\/(server|controls-server)\/src\/gen\//,
    may: [/^@plumbline\/(server|validator)-runtime(\/\w+)?$/],
  },
  { files: /^packages\/(server|controls-server)\/src\/index\.ts$/, may: [/^packages\/[^/]+\/src\/gen\/\w+\.ts$/] },
  { files: /^packages\/(client|http)-runtime\/src\//, may: [] },
  { files: /^packages\/validator-runtime\/src\//, may: [/^@plumbline\/http-runtime$/] },
  // Servers. An adapter knows messages; conditions know values; only the steps know everything.
  {
    files: /^packages\/server-runtime\/src\/adapters\//,
    may: [/^@plumbline\/http-runtime$/, /^packages\/server-runtime\/src\/http\//],
  },
  { files: /^packages\/server-runtime\/src\/(conditions|errors)\//, may: runtimes },
  {
    files: /^packages\/server-runtime\/src\/(http|state-machines)\//,
    may: [...runtimes, /^packages\/server-runtime\/src\/(conditions|errors)\//],
  },
  {
    files: /^packages\/server-runtime\/src\/\w[\w-]*\/(?<!steps\/)/,
    may: [...runtimes, /^packages\/server-runtime\/src\/(?!adapters\/|steps\/)/],
  },
  { files: /^packages\/server-runtime\/src\//, may: runtimes },
  { files: /^packages\/conformance\/src\/gen\//, may: [/^@plumbline\/conformance-runtime$/] },
  { files: /^packages\/conformance\/src\/index\.ts$/, may: [/^packages\/conformance\/src\/(gen|scenarios)\/\w+\.ts$/] },
  {
    files: /^packages\/conformance\/src\/scenarios\//,
    mayAsType: [/^@plumbline\/conformance-runtime$/],
    may: [/^node:(crypto|net|http|events|zlib)$/],
  },
  // Runs suites. Only http-client.ts uses sockets, only the journal and the reports use the disk, and the library validates schemas.
  { files: /^packages\/conformance-runtime\/src\/http-client\.ts$/, may: [running, /^node:(http|https|zlib)$/] },
  { files: /^packages\/conformance-runtime\/src\/(journal|read-suite)\.ts$/, may: [running, disk, places] },
  {
    files: /^packages\/conformance-runtime\/src\/(schemas|ajv-messages)\.ts$/,
    may: [running, /^ajv\/dist\/2020\.js$/, /^@plumbline\/validator-runtime$/],
  },
  {
    files: /^packages\/conformance-runtime\/src\/(command|report)\//,
    may: [running, disk, /^node:(crypto|path|util|process|url)$/],
  },
  { files: /^packages\/conformance-runtime\/src\//, may: [/^node:(crypto|timers\/promises|util)$/] },
  // The service. Areas contain business rules: other folders have SQL, HTTP and files.
  {
    files: /^packages\/service\/src\/areas\//,
    may: [
      ...generated,
      /^packages\/service\/src\/(context|credentials|grants|limit-queries|uploads|unit-of-work)\.ts$/,
      /^packages\/service\/src\/(dns|platform)\//,
      /^packages\/service\/src\/store\/(store|transaction)\.ts$/,
      /^(libphonenumber-js|otpauth|sshpk|yaml)$/,
      /^node:(crypto|net)$/,
    ],
    mayAsType: [/^packages\/service\/src\/resources\.ts$/, /^packages\/service\/src\/store\//],
  },
  {
    files: /^packages\/service\/src\/store\//,
    may: [...generated, disk, places, /^node:crypto$/, /^(kysely|libsql|pg)$/],
  },
  {
    files: /^packages\/service\/src\/dns\//,
    may: [...generated, /^node:(buffer|crypto|dns\/promises|events|net|os|timers\/promises)$/, /^dns-packet$/],
    mayAsType: [/^packages\/service\/src\/store\/rows\.ts$/],
  },
  {
    files: /^packages\/service\/src\/platform\//,
    may: [
      ...generated,
      disk,
      places,
      /^node:(crypto|stream\/promises|stream|timers\/promises|zlib)$/,
      /^kysely$/,
      /^packages\/service\/src\/store\//,
    ],
    mayAsType: [/^packages\/service\/src\/unit-of-work\.ts$/, /^pino$/],
  },
  {
    files: /^packages\/service\/src\/controls\//,
    may: [
      ...generated,
      disk,
      places,
      /^packages\/service\/src\/(areas|platform|store)\//,
      /^packages\/service\/src\/[^/]+\.ts$/,
    ],
    mayAsType: [/^pino$/],
  },
  {
    files: /^packages\/service\/src\/[^/]+\.ts$/,
    may: [...generated, /^packages\/service\/src\//, /^node:/, /^(libsql|pino)$/],
  },
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
