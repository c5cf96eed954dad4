import {
  itemFormat,
  mediaKind,
  mediaTypeEssence,
  type RequestBody,
  type RequestBodyRules,
  type MediaTypeObject,
  type ResponseHeader,
  type Json,
  type Limit,
  type Method,
  type Operation,
  type Parameter,
  type ParameterLocation,
  type ParameterStyle,
  type SentRequest,
  type OperationResponse,
  camelCase,
  isReservedFunctionName,
  pickDefined,
} from "../../model/index.js";
import type { SpecNode } from "../read/spec-node.js";
import { readGrants } from "./callers.js";
import { readDeprecation } from "./deprecation.js";
import { readErrors } from "./errors.js";
import { readLimits } from "./limits.js";
import { readLists } from "./lists.js";
import { distinctMediaTypes } from "./media-types.js";
import { readWithNames, type NameKind, type NameResolver } from "./names/name-table.js";
import { parseQuery, readServers, splitPath } from "./paths.js";
import { definedFields } from "./plain-data.js";
import type { OperationNames } from "./read-context.js";
import { readEffects, readReference } from "./resources.js";
import type { SchemaReader } from "./schemas.js";
import { readSecurity } from "./scopes.js";
import { readSources } from "./sources.js";
import { readVisibility } from "./value-rules.js";

const methods = ["get", "put", "post", "delete", "patch", "head", "options", "trace", "query"] as const;

/** An operation of the description, with its node. */
export interface OperationNode {
  readonly name: string;
  readonly node: SpecNode;
  readonly item: SpecNode;
  readonly path: string;
  readonly method: (typeof methods)[number];
  /** The operationId, unless the GET operation of the path has the same. */
  readonly id?: string;
}

/** How operations are named. Where several share an operationId, all but one are named as if they had none. */
export const operationNameKind: NameKind = {
  noun: "operation",
  name: "operation",
  derive: camelCase,
  isReserved: isReservedFunctionName,
  byOwnKey: ({ ownKey }) => camelCase(ownKey) ?? "",
};

/** Finds every operation of `paths` and `components.pathItems`, and resolves its name before anything refers to it. */
export function findOperations(root: SpecNode, names: NameResolver): readonly OperationNode[] {
  const paths = (root.get("paths")?.entries() ?? []).filter(([path]) => !path.startsWith("x-"));
  const linked = root.get("components")?.get("pathItems")?.entries() ?? [];
  const operations = [...paths, ...linked.map(([, item]) => ["", item] as const)].flatMap(([path, reference]) => {
    return operationsOf(reference.follow()).map(({ node, item, method }) => {
      const id = method === "head" && sharesIdWithGet(node, item) ? undefined : node.text("operationId");
      return { node, item, path, method, ...pickDefined("id", id) };
    });
  });
  return readWithNames(names, () =>
    operations.map((each) => {
      const { node, path, method, id } = each;
      const ownKey = path === "" ? node.key : `${method} ${path}`;
      const shared = node.text("operationId");
      const key = id ?? (shared === undefined ? `${method} ${path}` : `head ${shared}`);
      const isShared = id === undefined && shared !== undefined;
      const reason = isShared ? `the GET operation has the operationId "${shared}"` : undefined;
      return { ...each, name: names.resolve({ place: node, key, ownKey, isMain: true, reason }) };
    }),
  );
}

/** The operations of a path item. */
function operationsOf(item: SpecNode | undefined): readonly Pick<OperationNode, "node" | "item" | "method">[] {
  return (item?.entries() ?? []).flatMap(([field, child]) => {
    const method = methods.find((each) => each === field);
    const node = method && child.follow();
    return item === undefined || method === undefined || node === undefined ? [] : [{ node, item, method }];
  });
}

/** Frameworks give HEAD the operationId of the GET operation that it belongs to. */
function sharesIdWithGet(head: SpecNode, item: SpecNode): boolean {
  const id = head.text("operationId");
  return id !== undefined && item.get("get")?.text("operationId") === id;
}

/** Maps operationIds to the names of operations. */
export function operationNames(nodes: readonly OperationNode[]): OperationNames {
  return new Map(nodes.map(({ name, id }) => [id ?? name, name] as const));
}

/** Reads operations. Those without a path are returned as `linked`; their URLs are in responses. */
export function readOperations(
  root: SpecNode,
  nodes: readonly OperationNode[],
  schemas: SchemaReader,
): { readonly operations: readonly Operation[]; readonly linked: readonly Operation[] } {
  const reader = new OperationReader(root, schemas);
  const all = nodes.map((each) => reader.read(each));
  return { operations: all.filter(({ path }) => path !== ""), linked: all.filter(({ path }) => path === "") };
}

/** Reads webhooks, and the callbacks of operations. */
export function readSentRequests(
  root: SpecNode,
  nodes: readonly OperationNode[],
  schemas: SchemaReader,
): readonly SentRequest[] {
  const reader = new OperationReader(root, schemas);
  const webhooks = (root.get("webhooks")?.entries() ?? []).map(([name, item]) => [`webhook ${name}`, item] as const);
  const callbacks = nodes.flatMap(({ name, node }) =>
    (node.get("callbacks")?.entries() ?? []).flatMap(([callback, reference]) => {
      const addresses = reference.follow()?.entries() ?? [];
      return addresses.map(
        ([address, item]) =>
          [`callback ${callback} of ${name}${addresses.length > 1 ? ` at ${address}` : ""}`, item] as const,
      );
    }),
  );
  return [...webhooks, ...callbacks].flatMap(([name, reference]) =>
    operationsOf(reference.follow()).map((each) => {
      const read = reader.read({ ...each, name, path: "" });
      return definedFields<SentRequest>({
        name,
        method: read.method,
        summary: read.summary,
        description: read.description,
        deprecated: read.deprecated,
        deprecation: read.deprecation,
        parameters: read.parameters,
        requestBody: read.requestBody,
        responses: read.responses,
        sources: read.sources,
        origin: read.origin,
      });
    }),
  );
}

class OperationReader {
  readonly #root: SpecNode;
  readonly #schemas: SchemaReader;
  #sharedLimits: readonly Limit[] | undefined;
  /** Media types and headers by node. Many responses refer to the same node, which is read once. */
  readonly #headers = new Map<SpecNode, Omit<ResponseHeader, "name">>();
  readonly #contentsByNode = new Map<SpecNode, readonly MediaTypeObject[]>();

  constructor(root: SpecNode, schemas: SchemaReader) {
    this.#root = root;
    this.#schemas = schemas;
  }

  read({ name, node, item, path, method }: OperationNode): Operation {
    const body = node.get("requestBody");
    const [route] = splitPath(path);
    const parameters = this.#parametersOf({ node, item, path });
    const responses = readable(node.get("responses")?.entries() ?? []).flatMap(([status, response]) =>
      this.#response(status, response),
    );
    const servers = node.get("servers") ?? item.get("servers");
    return definedFields<Operation>({
      name,
      method: method.toUpperCase() as Method,
      path: route,
      tag: node.get("tags")?.child(0)?.raw?.toString() ?? "default",
      summary: node.text("summary") ?? item.text("summary"),
      description: node.text("description") ?? item.text("description"),
      deprecated: node.isTrue("deprecated"),
      deprecation: readDeprecation(node, this.#schemas),
      servers: readServers(servers),
      parameters,
      requestBody: body && this.#requestBody(body),
      responses,
      security: readSecurity(node, this.#root),
      grants: readGrants(node, this.#schemas.read),
      limits: this.#limits(node),
      effects: readEffects(node, this.#schemas.read),
      errors: readErrors(node, this.#schemas.read),
      ...readLists(node, this.#root, parameters),
      sources: readSources(node),
      origin: node.origin,
    });
  }

  /** Limits of the root apply to every operation, and count all of them together. One of the operation with the same id is the same. */
  #limits(node: SpecNode): readonly Limit[] {
    const limits = readLimits(node);
    this.#sharedLimits ??= readLimits(this.#root);
    return [...this.#sharedLimits.filter(({ id }) => !limits.some((each) => each.id === id)), ...limits];
  }

  /** Parameters of the operation override those of the path item with the same name and location. */
  #parameters(operation: SpecNode, item: SpecNode): readonly Parameter[] {
    const parameters = new Map<string, Parameter>();
    for (const each of [...(item.get("parameters")?.items() ?? []), ...(operation.get("parameters")?.items() ?? [])]) {
      const place = each.follow();
      if (place === undefined) continue;
      const where = place.text("in") as ParameterLocation | undefined;
      // The linter reports what is left out: `in: querystring` too.
      if (where === undefined || !Object.hasOwn(styles, where) || place.text("name") === undefined) continue;
      const parameter = this.#parameter(place, where);
      // OpenAPI ignores these header parameters, which it describes elsewhere.
      if (parameter.in === "header" && /^(accept|content-type|authorization)$/i.test(parameter.name)) continue;
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    return [...parameters.values()];
  }

  /**
   * The parameters, corrected where the path and they contradict each other: those of the template that nothing declares
   * are texts, those that the template lacks are left out, and a query in the path is a list of parameters with one
   * value each. The linter reports it.
   */
  #parametersOf({ node, item, path }: Pick<OperationNode, "node" | "item" | "path">): readonly Parameter[] {
    const declared = this.#parameters(node, item);
    if (path === "") return declared;
    const [route, query] = splitPath(path);
    const names = [...route.matchAll(/\{[+;]?([^{}]+)\}/g)].map(([, name = ""]) => name);
    const parameters = declared.filter((each) => each.in !== "path" || names.includes(each.name));
    const isDeclared = (where: ParameterLocation, name: string): boolean =>
      parameters.some((each) => each.in === where && each.name === name);
    const missing = [...new Set(names)].filter((name) => !isDeclared("path", name));
    const fixed = [...new Map(parseQuery(query))].filter(([name]) => !isDeclared("query", name));
    return [
      ...parameters,
      ...missing.map((name) => undeclaredParameter({ name, in: "path" }, node)),
      ...fixed.map(([name, value]) => undeclaredParameter({ name, in: "query", value }, node)),
    ];
  }

  #parameter(place: SpecNode, where: ParameterLocation): Parameter {
    const [content] = place.get("content")?.entries() ?? [];
    const schema = content === undefined ? place.child("schema") : content[1].child("schema");
    const stated = content === undefined ? readStyle(place, where) : "content";
    const style = stated === "cookie" && this.#root.text("openapi")?.startsWith("3.2") !== true ? "form" : stated;
    return definedFields<Parameter>({
      name: place.text("name") ?? "",
      in: where,
      required: where === "path" || place.isTrue("required"),
      deprecated: place.isTrue("deprecated"),
      description: place.text("description"),
      style,
      explode: place.has("explode") ? place.isTrue("explode") : style === "form" || style === "cookie",
      allowReserved: place.isTrue("allowReserved"),
      mediaType: content?.[0],
      segments: place.get("x-input")?.number("segments") ?? 1,
      encodedSlash: place.get("x-input")?.isTrue("encodedSlash") ?? false,
      schema: schema === undefined ? { types: [], origin: place.origin } : this.#schemas.read(schema),
      reference: readReference(place, this.#schemas.read),
      sources: readSources(place),
      origin: place.origin,
    });
  }

  #requestBody(place: SpecNode): RequestBody {
    return definedFields<RequestBody>({
      required: place.isTrue("required"),
      description: place.text("description"),
      contents: this.#contents(place),
      input: this.#input(place),
      sources: readSources(place),
      origin: place.origin,
    });
  }

  #input(body: SpecNode): RequestBodyRules {
    const read = (key: string): string | undefined =>
      body.get("x-input")?.text(key) ?? this.#root.get("x-input")?.text(key);
    const merged = read("merged");
    return definedFields<RequestBodyRules>({
      absent: read("absent") === "clear" ? "clear" : "keep",
      nulls: read("nulls") === "absent" ? "absent" : "validated",
      readOnly: read("readOnly") === "reject" ? "reject" : "ignore",
      unknown: read("unknown") === "reject" ? "reject" : "ignore",
      unchanged: read("unchanged") === "accept" ? "accept" : "validate",
      merged,
    });
  }

  #contents(place: SpecNode): readonly MediaTypeObject[] {
    const contents = this.#contentsByNode.get(place) ?? this.#readContents(place);
    this.#contentsByNode.set(place, contents);
    return contents;
  }

  #readContents(place: SpecNode): readonly MediaTypeObject[] {
    return distinctMediaTypes(place.get("content")?.entries() ?? []).flatMap(([mediaType, each]) => {
      const media = each.follow();
      if (media === undefined) return [];
      const schema = media.child("schema");
      const itemSchema = media.child("itemSchema");
      const examples = readExamples(media.get("examples"));
      const example = media.has("example") ? media.object["example"] : Object.values(examples ?? {})[0];
      return [
        {
          mediaType: mediaTypeEssence(mediaType),
          schema: schema === undefined ? { types: [], origin: media.origin } : this.#schemas.read(schema),
          ...(itemSchema && this.#items(mediaTypeEssence(mediaType), itemSchema)),
          encoding: Object.fromEntries(
            (media.get("encoding")?.entries() ?? []).map(([name, one]) => [name, readEncoding(one)]),
          ),
          ...pickDefined("example", example as Json | undefined),
          ...pickDefined("examples", examples),
        },
      ];
    });
  }

  /** The data of events are text. With `data: {contentMediaType: application/json, contentSchema: …}`, their JSON has a schema, too. */
  #items(mediaType: string, itemSchema: SpecNode): Pick<MediaTypeObject, "itemSchema" | "itemData"> {
    const event = itemFormat(mediaType) === "events" ? itemSchema.follow() : undefined;
    const data = event?.get("properties")?.child("data")?.follow();
    const content = data?.child("contentSchema");
    if (event === undefined || content === undefined || mediaKind(data?.text("contentMediaType") ?? "") !== "json")
      return { itemSchema: this.#schemas.read(itemSchema) };
    const schema = this.#schemas.read(event);
    const properties = schema.properties?.map((property) =>
      property.name === "data" ? { ...property, schema: this.#schemas.read(content) } : property,
    );
    return { itemSchema: { ...schema, ...pickDefined("properties", properties) }, itemData: "json" };
  }

  #response(status: string, reference: SpecNode): readonly OperationResponse[] {
    const place = reference.follow();
    if (place === undefined || status.startsWith("x-")) return [];
    const parsedStatus = readStatus(status);
    if (parsedStatus === undefined) return []; // the linter reports it
    const headers = (place.get("headers")?.entries() ?? []).flatMap(([name, header]) => this.#header(name, header));
    return [
      definedFields<OperationResponse>({
        status: parsedStatus,
        description: place.text("description") ?? "",
        headers,
        contents: this.#contents(place),
        visibility: readVisibility(reference.reference === undefined ? place : reference, this.#schemas),
        sources: [...readSources(reference), ...(reference.reference === undefined ? [] : readSources(place))],
        origin: reference.origin,
      }),
    ];
  }

  #header(name: string, reference: SpecNode): readonly ResponseHeader[] {
    const place = reference.follow();
    if (place === undefined) return [];
    const header = this.#headers.get(place) ?? this.#readHeader(place);
    this.#headers.set(place, header);
    return [{ name, ...header }];
  }

  #readHeader(place: SpecNode): Omit<ResponseHeader, "name"> {
    const schema = place.child("schema") ?? place.get("content")?.entries()[0]?.[1].child("schema");
    return definedFields<Omit<ResponseHeader, "name">>({
      required: place.isTrue("required"),
      description: place.text("description"),
      schema: schema === undefined ? { types: [], origin: place.origin } : this.#schemas.read(schema),
      sources: readSources(place),
      origin: place.origin,
    });
  }
}

/** The styles of each location, the default first. */
const styles: Readonly<Record<ParameterLocation, readonly [ParameterStyle, ...ParameterStyle[]]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form", "cookie"],
};

/** The style of a parameter or a part, or the default where it is none of the location's. */
function readStyle(place: SpecNode, where: ParameterLocation): ParameterStyle {
  const style = place.text("style");
  return styles[where].find((each) => each === style) ?? styles[where][0];
}

/** A parameter that only the path has: a text, or one value. */
function undeclaredParameter(
  { value, ...known }: { readonly name: string; readonly in: "path" | "query"; readonly value?: string | undefined },
  { origin }: SpecNode,
): Parameter {
  return {
    ...known,
    required: true,
    deprecated: false,
    style: styles[known.in][0],
    explode: known.in === "query",
    allowReserved: false,
    segments: 1,
    encodedSlash: false,
    schema: { types: ["string"], ...pickDefined("enum", value === undefined ? undefined : [value]), origin },
    sources: [],
    origin,
  };
}

/** Reads a status. Ignores words after it, as in `204 NO_CONTENT`. */
function readStatus(text: string): OperationResponse["status"] | undefined {
  if (text === "default") return "default";
  const [, status = ""] = /^\s*([1-5](?:[0-9][0-9]|XX))(?![A-Za-z0-9])/i.exec(text) ?? [];
  if (status === "") return undefined;
  return /^\d+$/.test(status) ? Number(status) : (status.toUpperCase() as `${1 | 2 | 3 | 4 | 5}XX`);
}

/** The responses without those whose status another one has in its plain form. */
function readable(responses: readonly (readonly [string, SpecNode])[]): typeof responses {
  const keys = new Map<unknown, string>();
  for (const [key] of responses) {
    const status = readStatus(key);
    if (!keys.has(status) || String(status) === key) keys.set(status, key);
  }
  return responses.filter(([key]) => key.startsWith("x-") || keys.get(readStatus(key)) === key);
}

function readEncoding(place: SpecNode): MediaTypeObject["encoding"][string] {
  return definedFields<MediaTypeObject["encoding"][string]>({
    contentType: place.text("contentType"),
    style: place.has("style") ? readStyle(place, "query") : undefined,
    explode: place.has("explode") ? place.isTrue("explode") : undefined,
    hasHeaders: place.has("headers") ? (true as const) : undefined,
  });
}

/** The values of named examples. Examples without a value, such as those at a URL, are left out. */
function readExamples(place: SpecNode | undefined): Readonly<Record<string, Json>> | undefined {
  const values = (place?.entries() ?? []).flatMap(([name, each]) => {
    const example = each.follow()?.object;
    const value = example?.["value"] ?? example?.["dataValue"];
    return value === undefined ? [] : [[name, value as Json] as const];
  });
  return values.length === 0 ? undefined : Object.fromEntries(values);
}
