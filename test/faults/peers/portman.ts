import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Json, Suite } from "@plumbline/conformance-runtime";
import { isJsonObject } from "@plumbline/kit/model";
import { peerFile, run } from "../../bench/peers.js";
import type { RunningService } from "../faulty-service.js";
import type { ProxyRequest } from "../proxy.js";
import { operationsOf, type DocumentNode } from "./description.js";
import { createPortmanConfig, formatsOf, postmanConfig, withoutCycles, type PortmanBody } from "./portman-config.js";
import { acceptingCase } from "./prepared-requests.js";

/** The collection of an operation's requests and tests. */
export interface PortmanCollection {
  readonly file: string;
  /** Pointers to the variables in the valid body, by name. */
  readonly variables: Readonly<Record<string, readonly (string | number)[]>>;
  /** True for an operation with a rate limit: the clock is advanced before each request. */
  readonly isRateLimited: boolean;
}

export interface PortmanOptions {
  readonly suite: Suite;
  readonly document: DocumentNode;
  /** A valid request of each operation. */
  readonly requests: ReadonlyMap<string, ProxyRequest>;
  /** The output folder. */
  readonly folder: string;
}

/** Generates the collection of the description with Portman, with all kinds of its tests, and splits it by operation. */
export async function createCollections(options: PortmanOptions): Promise<ReadonlyMap<string, PortmanCollection>> {
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
  const given = {
    local: write("description.json", withoutCycles(document)),
    portmanConfigFile: write("portman.json", createPortmanConfig(suite, { document, bodies })),
    postmanConfigFile: write("postman.json", postmanConfig),
    output,
    baseUrl: "http://127.0.0.1:1",
    bundleContractTests: "false",
  };
  const args = [
    peerFile("@apideck/portman", "bin/portman"),
    ...Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]),
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
      // The accepted request comes first, since others may use its names; but a deletion comes last.
      const rank = (item: Item): number => (isAccepted(item) === (method === "delete") ? 1 : 0);
      const ordered = own.toSorted((a, b) => rank(a) - rank(b));
      if (own.length === 0) throw new Error(`Portman has no request of ${name}.`);
      const file = write(`${name}.json`, {
        info: { name, schema: collectionSchema },
        event: collection.event,
        item: ordered.map(withNumbers),
      });
      const isRateLimited = suite.operations[name]?.rates !== undefined;
      return [name, { file, variables: bodies.get(name)?.variables ?? {}, isRateLimited }];
    }),
  );
}

interface ValuesOptions {
  readonly document: DocumentNode;
  readonly name: string;
  readonly request: ProxyRequest;
  readonly running: Pick<RunningService, "url" | "controls">;
}

/** The values of a collection's variables, from the valid request of this run. */
export function collectionValues(
  { variables, isRateLimited }: PortmanCollection,
  { document, name, request, running }: ValuesOptions,
): Readonly<Record<string, string>> {
  const { path: template } = operationsOf(document).get(name) ?? { path: "" };
  const body = parsed(request.body);
  const inBody = Object.entries(variables).map(([variable, at]) => [variable, textOf(found(body, at))]);
  return {
    ...Object.fromEntries(inBody),
    ...pathValues(template, request.target),
    baseUrl: running.url,
    ...(isRateLimited ? { controls: running.controls } : {}),
    bearerToken: (request.headers["authorization"] ?? "").replace(/^Bearer /, ""),
  };
}

/** The values of path parameters in a path. A parameter may have several segments. */
export function pathValues(template: string, target: string): Readonly<Record<string, string>> {
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
  const source = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, "(.+)");
  const values = new RegExp(`^${source}$`).exec(target.split("?")[0] ?? "")?.slice(1) ?? [];
  return Object.fromEntries(names.map((name, index) => [`path_${name}`, decodeURIComponent(values[index] ?? "")]));
}

/** The body of a valid request, with variables for references to created objects. */
function fittingBody(suite: Suite, name: string, request: ProxyRequest): PortmanBody | undefined {
  const last = acceptingCase(suite, name).steps.at(-1);
  const template = last !== undefined && "call" in last ? last.body : undefined;
  if (template === undefined) return undefined;
  const variables: Record<string, readonly (string | number)[]> = {};
  const walk = (sent: Json, reported: Json | undefined, at: readonly (string | number)[]): Json => {
    if (isTemplate(reported)) {
      if ("$unique" in reported || "$literal" in reported) return sent;
      const variable = `${typeof sent === "number" ? "number" : "text"}_${at.join("_")}`;
      variables[variable] = at;
      return `{{${variable}}}`;
    }
    if (Array.isArray(sent)) {
      return sent.map((each: Json, index) =>
        walk(each, Array.isArray(reported) ? (reported[index] as Json) : undefined, [...at, index]),
      );
    }
    if (typeof sent !== "object" || sent === null) return sent;
    return Object.fromEntries(
      Object.entries(sent).map(([key, each]) => [
        key,
        walk(each, isJsonObject(reported) ? (reported[key] as Json | undefined) : undefined, [...at, key]),
      ]),
    );
  };
  return { value: walk(parsed(request.body), template, []), variables };
}

function isTemplate(reported: Json | undefined): reported is { readonly [key: string]: Json } {
  if (!isJsonObject(reported)) return false;
  const [key = "", ...more] = Object.keys(reported);
  return more.length === 0 && key.startsWith("$");
}

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

/** Variations have their name in brackets. */
function isAccepted({ name }: Item): boolean {
  return !name.includes("[");
}

/** Removes the quotes around variables of numbers. */
function withNumbers(item: Item): Item {
  const { body } = item.request;
  if (body?.raw === undefined) return item;
  const raw = body.raw.replaceAll(/"(\{\{number_[^}]+\}\})"/g, "$1");
  return { ...item, request: { ...item.request, body: { ...body, raw } } };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function parsed(text: string): Json {
  return text === "" ? null : (JSON.parse(text) as Json);
}

function found(value: Json, at: readonly (string | number)[]): Json {
  return at.reduce<Json>((from, key) => {
    if (Array.isArray(from)) return (from as readonly Json[])[Number(key)] ?? null;
    return isJsonObject(from) ? (from[key] ?? null) : null;
  }, value);
}
