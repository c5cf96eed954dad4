import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Json, Suite } from "@plumbline/conformance-runtime";
import { peerFile, run } from "../../bench/peers.js";
import { followed, isNode, operationsOf, schemasWithin, withoutCounted, type Node } from "./description.js";
import type { Running } from "../faulty.js";
import type { Asked } from "../proxy.js";
import { acceptingCase } from "./preparing.js";

/** A collection of an operation's requests and tests. */
export interface Collection {
  readonly file: string;
  /** Where in a fitting body the variables are, by name. */
  readonly variables: Readonly<Record<string, readonly (string | number)[]>>;
  /** The operation takes only so many requests in a time: before each the clock is moved. */
  readonly isRated: boolean;
}

export interface PortmanOptions {
  readonly suite: Suite;
  readonly document: Node;
  /** A fitting request of each operation. */
  readonly requests: ReadonlyMap<string, Asked>;
  /** Where files are written. */
  readonly folder: string;
}

/** Has Portman make the collection of the description, with all kinds of tests that it has, and takes it apart by operation. */
export async function collectionsOf(options: PortmanOptions): Promise<ReadonlyMap<string, Collection>> {
  const { suite, document, requests, folder } = options;
  const work = path.join(folder, "portman");
  mkdirSync(work, { recursive: true });
  const bodies = new Map([...requests].map(([name, request]) => [name, fittingBody(suite, name, request)] as const));
  const write = (name: string, value: unknown): string => {
    const file = path.join(work, name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  const output = path.join(work, "collection.json");
  const args = [
    peerFile("@apideck/portman", "bin/portman"),
    ...["--local", write("description.json", withoutCircles(document))],
    ...["--portmanConfigFile", write("portman.json", configOf(suite, { document, bodies }))],
    ...["--postmanConfigFile", write("postman.json", postmanConfig)],
    ...["--output", output, "--baseUrl", "http://127.0.0.1:1", "--bundleContractTests", "false"],
    "--extraUnknownFormats",
    ...formatsOf(document),
  ];
  await run(process.execPath, args, work);
  const collection = JSON.parse(readFileSync(output, "utf8")) as Folder;
  const items = itemsOf(collection);
  return new Map(
    [...requests.keys()].map((name) => {
      const { path: template, method } = operationsOf(document).get(name) ?? { path: "", method: "" };
      const wanted = `${method.toUpperCase()} ${template.replaceAll(/\{([^}]+)\}/g, ":$1")}`;
      const own = items.filter(({ request }) => `${request.method} /${request.url.path.join("/")}` === wanted);
      // The accepted request comes first, as others may take its names; unless it takes away what the others ask for.
      const rank = (item: Item): number => (isAccepted(item) === (method === "delete") ? 1 : 0);
      const ordered = own.toSorted((a, b) => rank(a) - rank(b));
      if (own.length === 0) throw new Error(`Portman has no request of ${name}.`);
      const file = write(`${name}.json`, {
        info: { name, schema: collectionSchema },
        event: collection.event,
        item: ordered.map(withNumbers),
      });
      const isRated = suite.operations[name]?.rates !== undefined;
      return [name, { file, variables: bodies.get(name)?.variables ?? {}, isRated }];
    }),
  );
}

interface ValuesOptions {
  readonly document: Node;
  readonly name: string;
  readonly request: Asked;
  readonly running: Pick<Running, "url" | "controls">;
}

/** The values of a collection's variables: what the fitting request of this run names. */
export function valuesOf(
  { variables, isRated }: Collection,
  { document, name, request, running }: ValuesOptions,
): Readonly<Record<string, string>> {
  const { path: template } = operationsOf(document).get(name) ?? { path: "" };
  const body = parsed(request.body);
  const inBody = Object.entries(variables).map(([variable, at]) => [variable, String(found(body, at))]);
  return {
    ...Object.fromEntries(inBody),
    ...pathValues(template, request.target),
    baseUrl: running.url,
    ...(isRated ? { controls: running.controls } : {}),
    bearerToken: (request.headers["authorization"] ?? "").replace(/^Bearer /, ""),
  };
}

/** What stands in a path for each parameter of its template. A parameter may have several segments. */
export function pathValues(template: string, target: string): Readonly<Record<string, string>> {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const source = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, "(.+)");
  const values = new RegExp(`^${source}$`).exec(target.split("?")[0] ?? "")?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, index) => [`path_${name}`, decodeURIComponent(values[index] ?? "")]));
}

interface Body {
  readonly value: Json;
  readonly variables: Readonly<Record<string, readonly (string | number)[]>>;
}

/** The body of a fitting request, with variables where the case has what it made before. */
function fittingBody(suite: Suite, name: string, request: Asked): Body | undefined {
  const last = acceptingCase(suite, name).steps.at(-1);
  const template = last !== undefined && "call" in last ? last.body : undefined;
  if (template === undefined) return undefined;
  const variables: Record<string, readonly (string | number)[]> = {};
  const walk = (sent: Json, told: Json | undefined, at: readonly (string | number)[]): Json => {
    if (isTemplate(told)) {
      if ("$unique" in told || "$literal" in told) return sent;
      const variable = `${typeof sent === "number" ? "number" : "text"}_${at.join("_")}`;
      variables[variable] = at;
      return `{{${variable}}}`;
    }
    if (Array.isArray(sent)) {
      return sent.map((each: Json, index) =>
        walk(each, Array.isArray(told) ? (told[index] as Json) : undefined, [...at, index]),
      );
    }
    if (typeof sent !== "object" || sent === null) return sent;
    return Object.fromEntries(
      Object.entries(sent).map(([key, each]) => [
        key,
        walk(each as Json, isNode(told) ? (told[key] as Json | undefined) : undefined, [...at, key]),
      ]),
    );
  };
  return { value: walk(parsed(request.body), template, []), variables };
}

function isTemplate(told: Json | undefined): told is { readonly [key: string]: Json } {
  if (!isNode(told)) return false;
  const [key = "", ...more] = Object.keys(told);
  return more.length === 0 && key.startsWith("$");
}

const fields = {
  requiredFields: { enabled: true },
  minimumNumberFields: { enabled: true },
  maximumNumberFields: { enabled: true },
  minLengthFields: { enabled: true },
  maxLengthFields: { enabled: true },
};

/** All that Portman can test by itself: contracts, and variations of who asks, for what, and with which values. */
function configOf(
  { operations: facts }: Suite,
  { document, bodies }: { readonly document: Node; readonly bodies: ReadonlyMap<string, Body | undefined> },
): unknown {
  const all = { openApiOperation: "*::/*" };
  const operations = [...operationsOf(document)].filter(([name]) => bodies.has(name));
  const closed = { schemaValidation: { enabled: true, additionalProperties: false } };
  const open = { schemaValidation: { enabled: true } };
  const refused = (code: number): unknown => ({
    contractTests: [{ statusCode: { enabled: true, code } }, { contentType: { enabled: true } }, closed],
  });
  const has = ({ responses }: Node, code: number): boolean => isNode(responses) && String(code) in responses;
  const variations = operations.flatMap(([openApiOperationId, { operation, path: template }]) => [
    {
      openApiOperationId,
      variations: [
        ...(has(operation, 400)
          ? [
              {
                name: "fuzzing",
                openApiResponse: "400",
                fuzzing: [{ requestBody: [fields] }, { requestQueryParams: [fields] }, { requestHeaders: [fields] }],
                tests: refused(400),
              },
            ]
          : []),
        ...(has(operation, 401) && facts[openApiOperationId]?.public !== true
          ? [
              {
                name: "without a token",
                openApiResponse: "401",
                overwrites: [{ overwriteRequestSecurity: { remove: true } }],
                tests: refused(401),
              },
              {
                name: "with a token that is none",
                openApiResponse: "401",
                overwrites: [{ overwriteRequestSecurity: { bearer: { token: "none-of-ours" } } }],
                tests: refused(401),
              },
            ]
          : []),
        ...(has(operation, 404) && template.includes("{")
          ? [
              {
                name: "of what is not there",
                openApiResponse: "404",
                overwrites: [{ overwriteRequestPathVariables: pathVariables(template, unknownId) }],
                tests: refused(404),
              },
            ]
          : []),
      ],
    },
  ]);
  return {
    version: 1,
    tests: {
      contractTests: [
        ...[
          { statusSuccess: { enabled: true } },
          { contentType: { enabled: true } },
          { jsonBody: { enabled: true } },
        ].map((each) => ({ ...all, ...each })),
        ...operations.map(([openApiOperationId, { operation }]) => ({
          openApiOperationId,
          ...(isClosable(operation, document) ? closed : open),
        })),
        { ...all, headersPresent: { enabled: true } },
        ...operations.map(([openApiOperationId, { operation }]) => ({
          openApiOperationId,
          statusCode: { enabled: true, code: successOf(operation, document) },
        })),
      ],
      variationTests: variations.filter((each) => each.variations.length > 0),
    },
    overwrites: operations.map(([openApiOperationId, { path: template }]) => {
      const body = bodies.get(openApiOperationId);
      return {
        openApiOperationId,
        overwriteRequestPathVariables: pathVariables(template, (name) => `{{path_${name}}}`),
        ...(body === undefined ? {} : { overwriteRequestBody: [{ key: ".", value: body.value, overwrite: true }] }),
      };
    }),
    globals: { stripResponseExamples: true, collectionPreRequestScripts: [movesClock] },
  };
}

const movesClock = `const controls = pm.variables.get("controls");
if (controls) pm.sendRequest({ url: controls + "/clock", method: "POST", header: { "content-type": "application/json" }, body: { mode: "raw", raw: JSON.stringify({ advance: "PT60S" }) } }, () => undefined);`;

function pathVariables(template: string, valueOf: (name: string) => string): readonly unknown[] {
  return [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => ({
    key: name,
    value: valueOf(name),
    overwrite: true,
  }));
}

/** Large enough that nothing has it, and small enough to be a number. */
function unknownId(): string {
  return "987654321";
}

/** Closed, every part of a union or of a whole would refuse what the others have. */
function isClosable({ responses }: Node, document: Node): boolean {
  const [, reply] = Object.entries(followed(responses, document)).find(([status]) => /^2\d\d$/.test(status)) ?? [];
  const { content } = followed(reply, document);
  const reached = [content, schemasWithin(content, document)];
  const text = JSON.stringify(reached);
  return !/"(allOf|anyOf|oneOf|if|not|additionalProperties|patternProperties)":/.test(text);
}

function successOf({ responses }: Node, document: Node): number {
  const [first = 200] = Object.keys(followed(responses, document)).filter((each) => /^2\d\d$/.test(each));
  return Number(first);
}

const postmanConfig = {
  folderStrategy: "Tags",
  requestParametersResolution: "Example",
  exampleParametersResolution: "Example",
  keepImplicitHeaders: true,
  enableOptionalParameters: false,
};

const collectionSchema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly path: readonly string[] };
    readonly body?: { readonly raw?: string };
  };
}

interface Folder {
  readonly event?: unknown;
  readonly item: readonly (Item | (Folder & { readonly name: string }))[];
}

function itemsOf({ item }: Folder): readonly Item[] {
  return item.flatMap((each) => ("item" in each ? itemsOf(each) : [each]));
}

/** Variations have their names in brackets. */
function isAccepted({ name }: Item): boolean {
  return !name.includes("[");
}

/** In JSON a variable has quotes around it, which numbers have not. */
function withNumbers(item: Item): Item {
  const { body } = item.request;
  if (body?.raw === undefined) return item;
  const raw = body.raw.replaceAll(/"(\{\{number_[^}]+\}\})"/g, "$1");
  return { ...item, request: { ...item.request, body: { ...body, raw } } };
}

/** Portman reads no schema that has itself in it, which the filter of lists has. */
function withoutCircles(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutCircles);
  if (!isNode(value)) return value;
  if (value["$ref"] === "#/components/schemas/Filter") return {};
  return Object.fromEntries(Object.entries(withoutCounted(value)).map(([key, each]) => [key, withoutCircles(each)]));
}

/** Without them the judge of Postman refuses schemas with formats that it does not know. */
function formatsOf(value: unknown): readonly string[] {
  const formats = new Set<string>();
  const walk = (each: unknown): void => {
    if (Array.isArray(each)) each.forEach(walk);
    if (!isNode(each)) return;
    if (typeof each["format"] === "string") formats.add(each["format"]);
    Object.values(each).forEach(walk);
  };
  walk(value);
  return [...formats].filter((each) => !["int32", "int64", "float", "double"].includes(each));
}

function parsed(text: string): Json {
  return text === "" ? null : (JSON.parse(text) as Json);
}

function found(value: Json, at: readonly (string | number)[]): Json {
  return at.reduce<Json>((from, key) => {
    if (Array.isArray(from)) return (from as readonly Json[])[Number(key)] ?? null;
    return isNode(from) ? ((from as { readonly [name: string]: Json })[key] ?? null) : null;
  }, value);
}
