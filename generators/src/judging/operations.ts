import { byAreaFile } from "../emit/areas.js";
import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, imported, join, key, literal, name, print, type Code } from "../emit/printer.js";
import type { ArtifactOptions } from "../generator.js";
import type { Api, Body, Content, Operation, Parameter } from "../model/api.js";
import { mediaKind } from "../model/media.js";
import { shapesOf } from "../model/shapes-by-name.js";
import { TypePrinter } from "../types/print.js";
import { NamedChecks } from "./checks.js";
import { positionFunction } from "./checks/functions.js";
import { Pool } from "./checks/pool.js";
import { emitInput, fillsDefaults, inputName, type BytesType } from "./inputs.js";
import { bodyReaderOf, readerOf } from "./readers.js";
import { emitReplies } from "./replies.js";
import { $, $type } from "./runtime.js";
import { shownFields } from "./shown.js";
import { NamedTakes } from "./takes.js";

/**
 * How to validate a body in which values may repeat stored ones: by the schema of the response, or by the caller, who
 * knows what is stored.
 */
export type Unchanged = "shown" | "stored";

/** Emits `operations/AREA.ts` (the validators), `checks.ts` (checks of named schemas) and `operations.ts` (exports all of them). */
export function emitOperations(api: Api, options: ArtifactOptions, how: Judging): readonly TextFile[] {
  const checks = new NamedChecks(api);
  const printer = new TypePrinter(api);
  const around: Around = { api, options, how, printer, checks, takes: new NamedTakes(api, checks) };
  const files = byAreaFile(how.operations);
  const areas = [...files].map(([file, operations]) => {
    const own = operations.flatMap((operation) => [operation.name, inputName(operation)]);
    const pool = new Pool(own, options.locate);
    const statements = operations.flatMap((operation) => emitOperation(operation, { ...around, pool }));
    return { path: `src/gen/operations/${file}.ts`, text: print([...pool.statements, ...statements], banner, own) };
  });
  const pool = new Pool(
    api.shapes.map((shape) => shape.name),
    options.locate,
  );
  const takes = around.takes.print(pool);
  const statements = [...checks.print(pool), ...takes];
  const text = print(statements, banner) + (statements.length === 0 ? "export {};\n" : "");
  return [
    ...areas,
    { path: "src/gen/checks.ts", text },
    ...emitReplies(api, how.operations, { shared: checks.names, locate: options.locate }),
    emitIndex(files, new Set(api.shapes.map((shape) => shape.name))),
    emitTable(how.operations, files),
  ];
}

/** Which operations to validate, and how. */
export interface Judging {
  readonly operations: readonly Operation[];
  readonly unchanged: Unchanged;
  /** What a handler receives of a binary body: all bytes, or a stream. */
  readonly bytes: BytesType;
}

interface Around {
  readonly api: Api;
  readonly how: Judging;
  readonly options: ArtifactOptions;
  readonly printer: TypePrinter;
  readonly checks: NamedChecks;
  readonly takes: NamedTakes;
}

type AroundFile = Around & { readonly pool: Pool };

function emitOperation(operation: Operation, around: AroundFile): readonly Code[] {
  const input = name(inputName(operation));
  const parameters = operation.parameters.map((each) => parameterData(each, operation, around));
  const produces = [
    ...new Set(operation.replies.flatMap((reply) => reply.contents.map((content) => content.mediaType))),
  ];
  const entries = [
    code`name: ${literal(operation.name)}`,
    code`method: ${literal(operation.method)}`,
    code`path: ${literal(pathOf(operation))}`,
    ...(parameters.length === 0 ? [] : [code`parameters: [\n${join(parameters, code`,\n`)},\n]`]),
    ...(operation.body === undefined ? [] : [code`body: ${bodyData(operation, operation.body, around)}`]),
    ...(produces.length === 0 ? [] : [code`produces: ${literal(produces)}`]),
  ];
  const about = [
    operation.summary ?? "",
    "",
    `${operation.method} ${operation.path}`,
    "",
    `From ${around.options.source(operation.origin)}`,
    ...(operation.deprecated ? ["", "@deprecated"] : []),
  ];
  return [
    emitInput(operation, around.printer, { shapes: shapesOf(around.api), bytes: around.how.bytes }),
    code`${comment(about)}
export const ${name(operation.name)}: ${$type("Operation")}<${input}> = /* @__PURE__ */ ${$("operation")}({ ${join(entries, code`, `)} });`,
  ];
}

/** Marks ids that span several path segments: `/images/{+imageId}`. */
function pathOf({ path, parameters }: Operation): string {
  const several = parameters.filter((parameter) => parameter.in === "path" && parameter.segments > 1);
  const matrix = parameters.filter((parameter) => parameter.in === "path" && parameter.style === "matrix");
  const marked = several.reduce((before, each) => before.replace(`{${each.name}}`, `{+${each.name}}`), path);
  return matrix.reduce((before, each) => before.replace(`{${each.name}}`, `{;${each.name}}`), marked);
}

function parameterData(parameter: Parameter, operation: Operation, around: AroundFile): Code {
  const file = around.checks.around(around.pool, "judged", "../checks.js");
  const check = positionFunction(file, parameter.shape, `${operation.name} ${parameter.name}`);
  const entries = [
    code`name: ${literal(parameter.name)}`,
    code`in: ${literal(parameter.in)}`,
    ...(parameter.required ? [code`required: true`] : []),
    ...(parameter.segments > 1 ? [code`segments: ${literal(parameter.segments)}`] : []),
    ...(parameter.encodedSlash ? [code`encodedSlash: true`] : []),
    code`read: ${readerOf(parameter, around.api)}`,
    ...(check === undefined ? [] : [code`check: ${check}`]),
    ...(parameter.shape.default === undefined ? [] : [code`default: ${literal(parameter.shape.default)}`]),
  ];
  return code`{ ${join(entries, code`, `)} }`;
}

function bodyData(operation: Operation, body: Body, around: AroundFile): Code {
  const contents = body.contents.map(
    (content) => code`${key(content.mediaType)}: ${contentData(operation, body, content, around)}`,
  );
  const required = body.required ? code`required: true, ` : code``;
  return code`{ ${required}contents: { ${join(contents, code`, `)} } }`;
}

function contentData(operation: Operation, body: Body, content: Content, around: AroundFile): Code {
  const { nulls } = body.input;
  const file = around.checks.around(around.pool, nulls, "../checks.js");
  const isShown = around.how.unchanged === "shown";
  const shown = isShown
    ? shownFields(operation, content.shape, around.api, around.checks.around(around.pool, "judged", "../checks.js"))
    : undefined;
  // Any bytes are valid: the schema of a binary body only states that it is binary.
  const isRaw = mediaKind(content.mediaType) === "binary";
  const check = isRaw ? undefined : positionFunction(file, content.shape, `${operation.name} body`, shown);
  const how = {
    nulls,
    defaults: fillsDefaults(operation),
    values: !isShown || body.input.unchanged === "judge",
    within: false,
  };
  const read = bodyReaderOf(content, around.api);
  const take = isRaw ? undefined : around.takes.of(content.shape, how, around.pool, "../checks.js");
  const judged = [
    ...(check === undefined ? [] : [code`check: ${check}`]),
    ...(take === undefined ? [] : [code`take: ${take}`]),
  ];
  const isLater = !isShown && body.input.unchanged === "accept" && mediaKind(content.mediaType) === "json";
  const entries = [
    ...(read === undefined ? [] : [code`read: ${read}`]),
    ...(isLater ? [code`stored: { ${join(judged, code`, `)} }`] : judged),
  ];
  return code`{ ${join(entries, code`, `)} }`;
}

/** If an operation and a schema have the same name, the export is the operation. */
function emitIndex(files: ReadonlyMap<string, readonly Operation[]>, shapes: ReadonlySet<string>): TextFile {
  const statements = [...files].flatMap(([area, operations]) => {
    const from = literal(`./operations/${area}.js`);
    const values = operations.map((each) => each.name).filter((each) => shapes.has(each));
    const inputs = operations.map(inputName).filter((each) => shapes.has(each));
    const named = [...values.map((each) => name(each)), ...inputs.map((each) => code`type ${name(each)}`)];
    return [
      code`export * from ${from};`,
      ...(named.length === 0 ? [] : [code`export { ${join(named, code`, `)} } from ${from};`]),
    ];
  });
  const text = print([code`${[...statements, code`export * from "./types.js";`]}`], banner);
  return { path: "src/gen/operations.ts", text };
}

/** Emits the table of all operations. */
function emitTable(operations: readonly Operation[], files: ReadonlyMap<string, readonly Operation[]>): TextFile {
  const areaOf = new Map([...files].flatMap(([file, all]) => all.map((each) => [each.name, file] as const)));
  const members = operations.map((each) => imported(each.name, `./operations/${areaOf.get(each.name) ?? ""}.js`));
  const table = code`/** Every operation of the API. */
export const operations: readonly ${$type("Operation")}[] = [${join(members, code`, `)}];`;
  return { path: "src/gen/table.ts", text: print([table], banner, ["operations"]) };
}
