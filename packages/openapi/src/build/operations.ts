import { NameTable } from "./name-table.js";
import type { SpecNode } from "../read/spec-node.js";
import {
  type RequestBody,
  type RequestBodyRules,
  type MediaTypeObject,
  type ResponseHeader,
  type Json,
  type Method,
  type Operation,
  type Pagination,
  type Parameter,
  type ParameterLocation,
  type ParameterStyle,
  type OperationResponse,
  type Server,
  camelCase,
  isReservedFunctionName,
  pickDefined,
} from "@plumbline/model";
import { readErrors } from "./errors.js";
import { readLimits } from "./limits.js";
import type { OperationNames } from "./read-context.js";
import { readEffects, readReference } from "./resources.js";
import { readGrants, readSecurity } from "./scopes.js";
import type { SchemaReader } from "./schemas.js";
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
}

/** Finds every operation of `paths` and `components.pathItems`, and resolves its name before anything refers to it. */
export function findOperations(root: SpecNode, names: Readonly<Record<string, string>>): readonly OperationNode[] {
  const table = new NameTable("operation", names);
  const paths = (root.get("paths")?.entries() ?? []).filter(([path]) => !path.startsWith("x-"));
  const linked = root.get("components")?.get("pathItems")?.entries() ?? [];
  return [...paths, ...linked.map(([, item]) => ["", item] as const)].flatMap(([path, reference]) => {
    const item = reference.follow();
    if (item === undefined) return [];
    return item.entries().flatMap(([key, child]) => {
      const method = methods.find((each) => each === key);
      const node = method && child.follow();
      if (method === undefined || node === undefined) return [];
      const id = node.text("operationId") ?? `${method} ${path}`;
      const name = table.resolve(node, { key: id, derived: camelCase(id), taken: isReservedFunctionName });
      return [{ name, node, item, path, method }];
    });
  });
}

/** Maps operationIds to the names of operations. */
export function operationNames(found: readonly OperationNode[]): OperationNames {
  return new Map(found.flatMap(({ name, node }) => [[node.text("operationId") ?? name, name] as const]));
}

/** Reads operations. Those without a path are returned as `linked`; their URLs are in responses. */
export function readOperations(
  root: SpecNode,
  found: readonly OperationNode[],
  schemas: SchemaReader,
): { readonly operations: readonly Operation[]; readonly linked: readonly Operation[] } {
  const reader = new OperationReader(root, schemas);
  const all = found.map((each) => reader.read(each));
  return { operations: all.filter(({ path }) => path !== ""), linked: all.filter(({ path }) => path === "") };
}

class OperationReader {
  readonly #root: SpecNode;
  readonly #schemas: SchemaReader;
  /** Media types and headers by node. Many responses refer to the same node, which is read once. */
  readonly #headers = new Map<SpecNode, Omit<ResponseHeader, "name">>();
  readonly #contentsByNode = new Map<SpecNode, readonly MediaTypeObject[]>();

  constructor(root: SpecNode, schemas: SchemaReader) {
    this.#root = root;
    this.#schemas = schemas;
  }

  read({ name, node, item, path, method }: OperationNode): Operation {
    const body = node.get("requestBody");
    const parameters = this.#parameters(node, item);
    const responses = (node.get("responses")?.entries() ?? []).flatMap(([status, response]) =>
      this.#response(status, response),
    );
    const servers = node.get("servers") ?? item.get("servers");
    return {
      name,
      method: method.toUpperCase() as Method,
      path,
      tag: node.get("tags")?.child(0)?.raw?.toString() ?? "default",
      ...pickDefined("summary", node.text("summary") ?? item.text("summary")),
      ...pickDefined("description", node.text("description") ?? item.text("description")),
      deprecated: node.isTrue("deprecated"),
      servers: readServers(servers),
      parameters,
      ...pickDefined("requestBody", body && this.#requestBody(body)),
      responses,
      security: readSecurity(node, this.#root),
      grants: readGrants(node, this.#schemas.read),
      limits: readLimits(node),
      effects: readEffects(node, this.#schemas.read),
      errors: readErrors(node, this.#schemas.read),
      ...pickDefined("pagination", this.#pagination(node, parameters)),
      sources: readSources(node),
      origin: node.origin,
    };
  }

  /** Parameters of the operation override those of the path item with the same name and location. */
  #parameters(operation: SpecNode, item: SpecNode): readonly Parameter[] {
    const found = new Map<string, Parameter>();
    for (const each of [...(item.get("parameters")?.items() ?? []), ...(operation.get("parameters")?.items() ?? [])]) {
      const place = each.follow();
      if (place === undefined) continue;
      const parameter = this.#parameter(place);
      // OpenAPI ignores these header parameters, which it describes elsewhere.
      if (parameter.in === "header" && /^(accept|content-type|authorization)$/i.test(parameter.name)) continue;
      found.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    return [...found.values()];
  }

  #parameter(place: SpecNode): Parameter {
    const where = (place.text("in") ?? "query") as ParameterLocation;
    const [content] = place.get("content")?.entries() ?? [];
    const schema = content === undefined ? place.child("schema") : content[1].child("schema");
    const style = (content === undefined ? (place.text("style") ?? defaultStyle[where]) : "content") as ParameterStyle;
    return {
      name: place.text("name") ?? "",
      in: where,
      required: where === "path" || place.isTrue("required"),
      deprecated: place.isTrue("deprecated"),
      ...pickDefined("description", place.text("description")),
      style,
      explode: place.has("explode") ? place.isTrue("explode") : style === "form",
      allowReserved: place.isTrue("allowReserved"),
      ...pickDefined("mediaType", content?.[0]),
      segments: place.get("x-input")?.number("segments") ?? 1,
      encodedSlash: place.get("x-input")?.isTrue("encodedSlash") ?? false,
      schema: schema === undefined ? { types: [], origin: place.origin } : this.#schemas.read(schema),
      ...pickDefined("reference", readReference(place, this.#schemas.read)),
      sources: readSources(place),
      origin: place.origin,
    };
  }

  #requestBody(place: SpecNode): RequestBody {
    return {
      required: place.isTrue("required"),
      ...pickDefined("description", place.text("description")),
      contents: this.#contents(place),
      input: this.#input(place),
      sources: readSources(place),
      origin: place.origin,
    };
  }

  #input(body: SpecNode): RequestBodyRules {
    const read = (key: string): string | undefined =>
      body.get("x-input")?.text(key) ?? this.#root.get("x-input")?.text(key);
    const merged = read("merged");
    return {
      absent: read("absent") === "clear" ? "clear" : "keep",
      nulls: read("nulls") === "absent" ? "absent" : "validated",
      readOnly: read("readOnly") === "reject" ? "reject" : "ignore",
      unknown: read("unknown") === "reject" ? "reject" : "ignore",
      unchanged: read("unchanged") === "accept" ? "accept" : "validate",
      ...pickDefined("merged", merged),
    };
  }

  #contents(place: SpecNode): readonly MediaTypeObject[] {
    const known = this.#contentsByNode.get(place) ?? this.#readContents(place);
    this.#contentsByNode.set(place, known);
    return known;
  }

  #readContents(place: SpecNode): readonly MediaTypeObject[] {
    return (place.get("content")?.entries() ?? []).flatMap(([mediaType, each]) => {
      const media = each.follow();
      if (media === undefined) return [];
      const schema = media.child("schema");
      const example = media.has("example")
        ? media.object["example"]
        : media.get("examples")?.entries()[0]?.[1].follow()?.object["value"];
      return [
        {
          mediaType: mediaType.split(";")[0]?.trim().toLowerCase() ?? "",
          schema: schema === undefined ? { types: [], origin: media.origin } : this.#schemas.read(schema),
          encoding: Object.fromEntries(
            (media.get("encoding")?.entries() ?? []).map(([name, one]) => [name, readEncoding(one)]),
          ),
          ...pickDefined("example", example as Json | undefined),
        },
      ];
    });
  }

  #response(status: string, reference: SpecNode): readonly OperationResponse[] {
    const place = reference.follow();
    if (place === undefined || status.startsWith("x-")) return [];
    const known = readStatus(status);
    if (known === undefined) {
      reference.report(
        "operations/status",
        `"${status}" is not a status code.`,
        "Write a status such as 200, a range such as 4XX, or default.",
      );
      return [];
    }
    const headers = (place.get("headers")?.entries() ?? []).flatMap(([name, header]) => this.#header(name, header));
    return [
      {
        status: known,
        description: place.text("description") ?? "",
        headers,
        contents: this.#contents(place),
        ...pickDefined(
          "visibility",
          readVisibility(reference.reference === undefined ? place : reference, this.#schemas),
        ),
        sources: [...readSources(reference), ...(reference.reference === undefined ? [] : readSources(place))],
        origin: reference.origin,
      },
    ];
  }

  #header(name: string, reference: SpecNode): readonly ResponseHeader[] {
    const place = reference.follow();
    if (place === undefined) return [];
    const known = this.#headers.get(place) ?? this.#readHeader(place);
    this.#headers.set(place, known);
    return [{ name, ...known }];
  }

  #readHeader(place: SpecNode): Omit<ResponseHeader, "name"> {
    const schema = place.child("schema") ?? place.get("content")?.entries()[0]?.[1].child("schema");
    return {
      required: place.isTrue("required"),
      ...pickDefined("description", place.text("description")),
      schema: schema === undefined ? { types: [], origin: place.origin } : this.#schemas.read(schema),
      sources: readSources(place),
      origin: place.origin,
    };
  }

  /** Reads `x-pagination`. An operation is paginated if it has both query parameters. */
  #pagination(operation: SpecNode, parameters: readonly Parameter[]): Pagination | undefined {
    const place = operation.get("x-pagination") ?? this.#root.get("x-pagination");
    const envelope = place?.get("envelope");
    const text = (from: SpecNode | undefined, key: string) => from?.text(key) ?? "";
    const [page, size] = [text(place, "page"), text(place, "size")];
    const takes = (name: string) => parameters.some((each) => each.in === "query" && each.name === name);
    if (place === undefined || !takes(page) || !takes(size)) return undefined;
    const total = text(envelope, "total");
    return {
      page,
      size,
      envelope: { items: text(envelope, "items"), page: text(envelope, "page"), pages: text(envelope, "pages"), total },
    };
  }
}

const defaultStyle = { path: "simple", query: "form", header: "simple", cookie: "form" } satisfies Record<
  ParameterLocation,
  ParameterStyle
>;

/** Reads the servers of the API, a path item or an operation, with variables replaced by their defaults. */
export function readServers(place: SpecNode | undefined): readonly Server[] {
  return (place?.items() ?? []).map((server) => ({
    url: (server.text("url") ?? "/").replaceAll(
      /\{([^{}]+)\}/g,
      (_, name: string) => server.get("variables")?.get(name)?.text("default") ?? "",
    ),
    ...pickDefined("description", server.text("description")),
  }));
}

function readStatus(text: string): OperationResponse["status"] | undefined {
  if (text === "default") return "default";
  if (/^[1-5][0-9][0-9]$/.test(text)) return Number(text);
  return /^[1-5]XX$/i.test(text) ? (text.toUpperCase() as `${1 | 2 | 3 | 4 | 5}XX`) : undefined;
}

function readEncoding(place: SpecNode): {
  readonly contentType?: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
} {
  return {
    ...pickDefined("contentType", place.text("contentType")),
    ...pickDefined("style", place.text("style") as ParameterStyle | undefined),
    ...pickDefined("explode", place.has("explode") ? place.isTrue("explode") : undefined),
  };
}
