import type { Import, Source } from "./imports.js";

/** Some files, and all that they may import. The first room that a file fits is its room. */
export interface Room {
  readonly name: string;
  readonly files: RegExp;
  readonly may: readonly RegExp[];
  /** What may be imported as a type, beside that. */
  readonly mayAsType?: readonly RegExp[];
}

/** An import against the table, and why it stands. */
export interface Exemption {
  readonly file: string;
  readonly from: string;
  readonly because: string;
}

const src = "generators/src";
const problem = /^generators\/src\/problem\.ts$/;
const reading = /^generators\/src\/spec\/(place|load)\.ts$/;
const model = /^generators\/src\/model\/(?!.*\.(test|support)\.ts$)/;
const types = /^generators\/src\/types\//;
const parts = /^generators\/src\/emit\/(?!writer\.ts$|templates\.ts$)/;
const disk = /^node:fs(\/promises)?$/;
const paths = /^node:(path|url)$/;

/** "A line knows one thing" and "data flows one way" as allowed imports. */
export const rooms: readonly Room[] = [
  // What reads a description: YAML and OpenAPI.
  { name: "readers", files: /^generators\/src\/spec\/(load|requirements|vocabulary)\.ts$/, may: [disk, ...spec()] },
  { name: "spec", files: /^generators\/src\/spec\//, may: spec() },
  // What an API is: places in, plain data out.
  { name: "model", files: /^generators\/src\/model\//, may: [problem, reading, /^generators\/src\/model\//] },
  // Files. The formatter, the parser and the template engine are reached from here only.
  { name: "writer", files: /^generators\/src\/emit\/writer\.ts$/, may: [disk, paths, /^node:crypto$/, parts] },
  { name: "templates", files: /^generators\/src\/emit\/templates\.ts$/, may: [disk] },
  {
    name: "emit",
    files: /^generators\/src\/emit\//,
    may: [parts, /^generators\/src\/model\/names\.ts$/, /^(typescript|ts-morph|oxfmt|handlebars)$/],
    mayAsType: [/^generators\/src\/model\/api\.ts$/],
  },
  // Types, which every artifact in TypeScript carries. One file each knows the libraries.
  { name: "types", files: types, may: [types, parts, model, /^(typescript|openapi-typescript)$/] },
  // The program around it all.
  { name: "problem", files: problem, may: [] },
  { name: "command line", files: /^generators\/src\/(cli|config)\.ts$/, may: [disk, ...program()] },
  { name: "program", files: /^generators\/src\/[^/]+\.ts$/, may: program() },
  // What can be installed.
  { name: "generated", files: /^packages\/[^/]+\/src\/gen\//, may: [/^@plumbline\/client-runtime$/] },
  { name: "door of generated code", files: /^packages\/(client|controls-client)\/src\/index\.ts$/, may: [] },
  { name: "client-runtime", files: /^packages\/client-runtime\/src\//, may: [/^packages\/client-runtime\/src\//] },
];

function spec(): readonly RegExp[] {
  const libraries = /^(@redocly\/openapi-core|ajv\/dist\/2020\.js|ajv-formats|recheck|yaml-ast-parser)$/;
  return [/^generators\/src\/spec\//, problem, paths, /^node:module$/, libraries];
}

function program(): readonly RegExp[] {
  return [/^generators\/src\//, /^node:(path|os|util)$/];
}

/** Every import that the table does not allow, as `file: import`, and every exemption that nothing needs. */
export function violations(sources: readonly Source[], exemptions: readonly Exemption[]): readonly string[] {
  const found = sources.flatMap((source) => {
    const room = roomOf(source.file);
    if (room === undefined) return [{ file: source.file, from: "it has no room in the table" }];
    return source.imports.filter((each) => !isAllowed(each, room, source)).map(({ from }) => ({ file: source.file, from }));
  });
  const matches = (a: Omit<Exemption, "because">, b: Omit<Exemption, "because">): boolean => a.file === b.file && a.from === b.from;
  return [
    ...found.filter((each) => !exemptions.some((exemption) => matches(exemption, each))).map(({ file, from }) => `${file}: ${from}`),
    ...exemptions.filter((each) => !found.some((one) => matches(each, one))).map(({ file, from }) => `${file}: ${from} is exempt without need`),
  ];
}

function isAllowed({ from, onlyTypes }: Import, room: Room, { file }: Source): boolean {
  const here = ownFolder(file);
  if (here !== undefined && from.startsWith(here)) return true;
  return room.may.some((each) => each.test(from)) || (onlyTypes && (room.mayAsType ?? []).some((each) => each.test(from)));
}

/** Generated code and artifacts may import what stands in their own folder. */
function ownFolder(file: string): string | undefined {
  return /^packages\/[^/]+\/src\/gen\//.exec(file)?.[0] ?? gateOf(file) ?? artifactFolder(file);
}

function gateOf(file: string): string | undefined {
  return /^packages\/(?:client|controls-client)\/src\/index\.ts$/.test(file) ? file.replace("index.ts", "gen/index.ts") : undefined;
}

/** Any folder of the generators that is not one of the stages makes an artifact, a new one too. */
function artifactFolder(file: string): string | undefined {
  const folder = /^generators\/src\/([^/]+)\//.exec(file)?.[1];
  if (folder === undefined || ["spec", "model", "emit", "types"].includes(folder)) return undefined;
  return `${src}/${folder}/`;
}

function roomOf(file: string): Room | undefined {
  if (artifactFolder(file) === undefined) return rooms.find((room) => room.files.test(file));
  // TypeScript as text: from the model, with the printer; the disk is the writer's.
  const may = [model, parts, /^generators\/src\/emit\/templates\.ts$/, types, /^generators\/src\/generator\.ts$/];
  return { name: "artifact", files: /^/, may };
}
