import type { Import, Source } from "./imports.js";

/** Some files, and what they may import beside each other. The first room that a file fits is its room. */
export interface Room {
  /** What this matches of a path is the room's own folder; a file's own folder is always allowed. */
  readonly files: RegExp;
  readonly may: readonly RegExp[];
  /** What may be imported as a type only. */
  readonly mayAsType?: readonly RegExp[];
}

/** An import against the table, and why it stands. */
export interface Exemption {
  readonly file: string;
  readonly from: string;
  readonly because: string;
}

const disk = /^node:fs(\/promises)?$/;
const places = /^node:(path|url)$/;
const problem = /^generators\/src\/problem\.ts$/;
const json = /^generators\/src\/json\.ts$/;
const model = /^generators\/src\/model\//;
const types = /^generators\/src\/types\//;
const judging = /^generators\/src\/judging\//;
const printing = /^generators\/src\/emit\/(?!writer[./])/;
const reading = [
  /^generators\/src\/spec\//,
  /^generators\/src\/inputs\.ts$/,
  problem,
  json,
  places,
  /^node:module$/,
  /^node:worker_threads$/,
  /^(@eslint-community\/regexpp|@redocly\/openapi-core|ajv\/dist\/2020\.js|ajv-formats|js-yaml|json-p3|recheck|yaml-ast-parser)$/,
];
/** What the service stands on. */
const generated = [/^@cloud-compute\/(controls-)?server(\/node)?$/, /^@plumbline\/server-runtime$/];
/** What runs suites may use all of itself. */
const running = /^packages\/conformance-runtime\/src\//;
const anyStage = [/^generators\/src\//, /^node:(path|os|util)$/];

/** "A line knows one thing" and "data flows one way", as allowed imports. */
export const rooms: readonly Room[] = [
  // YAML and OpenAPI. What opens files is named.
  { files: /^generators\/src\/spec\/(boundary|source|vocabulary)\.ts$/, may: [disk, ...reading] },
  { files: /^generators\/src\/spec\//, may: reading },
  // What an API is: places come in, plain data goes out, and no library has a say.
  { files: /^generators\/src\/model\//, may: [problem, json, /^generators\/src\/spec\/(place|load|source)\.ts$/] },
  // Files. Only the writer touches the disk; templates.ts and runtimes.ts read what their own package has.
  {
    files: /^generators\/src\/emit\/writer[./]/,
    may: [disk, places, /^node:(crypto|timers\/promises)$/, json, printing, /^generators\/src\/emit\/writer\//],
  },
  { files: /^generators\/src\/emit\/(templates|runtimes)\.ts$/, may: [disk] },
  {
    files: /^generators\/src\/emit\//,
    may: [/^generators\/src\/model\/names\.ts$/, /^(diff|oxfmt|handlebars)$/],
    mayAsType: [/^generators\/src\/model\/api\.ts$/],
  },
  // TypeScript's types of a model; the artifacts carry them.
  { files: /^generators\/src\/types\//, may: [printing, model] },
  // What two models have otherwise: no artifact, and nothing is printed.
  { files: /^generators\/src\/diff\//, may: [model, problem] },
  // What judges requests and replies, in each artifact that does.
  { files: judging, may: [model, printing, types, problem, /^generators\/src\/generator\.ts$/] },
  // Whether a text is an address is Node's to tell; nothing is opened.
  {
    files: /^generators\/src\/conformance\/formats\.ts$/,
    may: [model, /^generators\/src\/conformance\//, /^node:net$/],
    mayAsType: [/^@plumbline\/conformance-runtime$/],
  },
  // A suite is data for a runtime, of which it takes the types.
  {
    files: /^generators\/src\/conformance\//,
    may: [model, printing, types, problem, /^generators\/src\/generator\.ts$/],
    mayAsType: [/^@plumbline\/conformance-runtime$/],
  },
  // Commands show files, begin other programs, and ask.
  { files: /^generators\/src\/commands\//, may: [disk, /^node:(child_process|readline\/promises)$/, ...anyStage] },
  // Every other folder makes an artifact of the model, and knows no other artifact.
  {
    files: /^generators\/src\/[^/]+\//,
    may: [model, printing, types, judging, problem, /^generators\/src\/generator\.ts$/],
  },
  // The program around it all.
  { files: problem, may: [] },
  { files: json, may: [] },
  { files: /^generators\/src\/(cli|config|sides)\.ts$/, may: [disk, ...anyStage] },
  // What was read and made before, and whether it is still the same.
  {
    files: /^generators\/src\/(cache|identity|inputs|watching)\.ts$/,
    may: [disk, /^node:(async_hooks|crypto|module|url)$/, ...anyStage],
  },
  // Which module is a generator of somebody else's, plumbline.yaml says.
  {
    files: /^generators\/src\/named-generators\.ts$/,
    may: [/^node:(fs|module|url)$/, /^something computed$/, ...anyStage],
  },
  // Names of Node's modules are none for packages.
  { files: /^generators\/src\/package-name\.ts$/, may: [/^node:module$/] },
  // Files of other revisions come from git.
  { files: /^generators\/src\/revisions\.ts$/, may: [disk, /^node:child_process$/, ...anyStage] },
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
  { files: /^packages\/(client|validator)-runtime\/src\//, may: [] },
  { files: /^packages\/server-runtime\/src\//, may: [/^@plumbline\/validator-runtime(\/\w+)?$/] },
  { files: /^packages\/conformance\/src\/gen\//, may: [/^@plumbline\/conformance-runtime$/] },
  { files: /^packages\/conformance\/src\/index\.ts$/, may: [/^packages\/conformance\/src\/(gen|scenarios)\/\w+\.ts$/] },
  {
    files: /^packages\/conformance\/src\/scenarios\//,
    mayAsType: [/^@plumbline\/conformance-runtime$/],
    may: [/^node:(crypto|net|http|events|zlib)$/],
  },
  // What runs suites. Sockets are http.ts', the disk is the journal's and the reports', and the library judges schemas.
  { files: /^packages\/conformance-runtime\/src\/http\.ts$/, may: [running, /^node:(http|https|zlib)$/] },
  { files: /^packages\/conformance-runtime\/src\/(journal|read-suite)\.ts$/, may: [running, disk, places] },
  {
    files: /^packages\/conformance-runtime\/src\/(schemas|telling)\.ts$/,
    may: [running, /^ajv\/dist\/2020\.js$/, /^@plumbline\/validator-runtime$/],
  },
  {
    files: /^packages\/conformance-runtime\/src\/(command|report)\//,
    may: [running, disk, /^node:(crypto|path|util|process|url)$/],
  },
  { files: /^packages\/conformance-runtime\/src\//, may: [/^node:(crypto|timers\/promises|util)$/] },
  // The service. Areas are business rules: SQL, HTTP and files are others'.
  {
    files: /^packages\/service\/src\/areas\//,
    may: [
      ...generated,
      /^packages\/service\/src\/(context|credentials|grants|limits|uploads|work)\.ts$/,
      /^packages\/service\/src\/(dns|platform)\//,
      /^packages\/service\/src\/store\/(store|tx)\.ts$/,
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
    mayAsType: [/^packages\/service\/src\/work\.ts$/, /^pino$/],
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

/** Every import that the table does not allow, as `file: import`, and every exemption that nothing needs. */
export function violations(sources: readonly Source[], exemptions: readonly Exemption[]): readonly string[] {
  const found = sources.flatMap(({ file, imports }) => {
    const room = rooms.find((each) => each.files.test(file));
    if (room === undefined) return [{ file, from: "has no room in the table" }];
    return imports.filter((each) => !isAllowed(file, each, room)).map(({ from }) => ({ file, from }));
  });
  const isExempt = (one: { file: string; from: string }) => exemptions.some((each) => isSame(each, one));
  const idle = exemptions.filter((each) => !found.some((one) => isSame(each, one)));
  return [
    ...found.filter((one) => !isExempt(one)).map(({ file, from }) => `${file}: ${from}`),
    ...idle.map(({ file, from }) => `${file}: ${from} is exempt without need`),
  ];
}

function isAllowed(file: string, { from, onlyTypes }: Import, { files, may, mayAsType = [] }: Room): boolean {
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
