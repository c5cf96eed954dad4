import type { Place } from "../spec/place.js";
import type {
  Body,
  BodyInput,
  Content,
  Header,
  Json,
  Method,
  Operation,
  Pagination,
  Parameter,
  ParameterPlace,
  ParameterStyle,
  Reply,
  Server,
} from "./api.js";
import { given } from "./data.js";
import { readFailures } from "./errors.js";
import { readLimits } from "./limits.js";
import { NameTable, camelCase, isTakenFunction } from "./names.js";
import type { OperationNames } from "./reading.js";
import { readEffects, readReference } from "./resources.js";
import { readGrants, readSecurity } from "./scopes.js";
import type { ShapeReader } from "./shapes.js";
import { readSources } from "./sources.js";
import { readVisibility } from "./values.js";

const methods = ["get", "put", "post", "delete", "patch", "head", "options", "trace", "query"] as const;

/** An operation of the description, with its node. */
export interface FoundOperation {
  readonly name: string;
  readonly place: Place;
  readonly item: Place;
  readonly path: string;
  readonly method: (typeof methods)[number];
}

/** Finds every operation of `paths` and `components.pathItems`, and resolves its name before anything refers to it. */
export function findOperations(root: Place, names: Readonly<Record<string, string>>): readonly FoundOperation[] {
  const table = new NameTable("operation", names);
  const paths = (root.get("paths")?.entries() ?? []).filter(([path]) => !path.startsWith("x-"));
  const linked = root.get("components")?.get("pathItems")?.entries() ?? [];
  return [...paths, ...linked.map(([, item]) => ["", item] as const)].flatMap(([path, reference]) => {
    const item = reference.follow();
    if (item === undefined) return [];
    return item.entries().flatMap(([key, child]) => {
      const method = methods.find((each) => each === key);
      const place = method && child.follow();
      if (method === undefined || place === undefined) return [];
      const id = place.text("operationId") ?? `${method} ${path}`;
      const name = table.settle(place, { key: id, derived: camelCase(id), taken: isTakenFunction });
      return [{ name, place, item, path, method }];
    });
  });
}

/** Maps operationIds to the names of operations. */
export function operationNames(found: readonly FoundOperation[]): OperationNames {
  return new Map(found.flatMap(({ name, place }) => [[place.text("operationId") ?? name, name] as const]));
}

/** Reads operations. Those without a path are returned as `linked`; their URLs are in responses. */
export function readOperations(
  root: Place,
  found: readonly FoundOperation[],
  shapes: ShapeReader,
): { readonly operations: readonly Operation[]; readonly linked: readonly Operation[] } {
  const reader = new OperationReader(root, shapes);
  const all = found.map((each) => reader.read(each));
  return { operations: all.filter(({ path }) => path !== ""), linked: all.filter(({ path }) => path === "") };
}

class OperationReader {
  readonly #root: Place;
  readonly #shapes: ShapeReader;
  /** Media types and headers by node. Many responses refer to the same node, which is read once. */
  readonly #headers = new Map<Place, Omit<Header, "name">>();
  readonly #known = new Map<Place, readonly Content[]>();

  constructor(root: Place, shapes: ShapeReader) {
    this.#root = root;
    this.#shapes = shapes;
  }

  read({ name, place, item, path, method }: FoundOperation): Operation {
    const body = place.get("requestBody");
    const parameters = this.#parameters(place, item);
    const replies = (place.get("responses")?.entries() ?? []).flatMap(([status, reply]) => this.#reply(status, reply));
    const servers = place.get("servers") ?? item.get("servers");
    return {
      name,
      method: method.toUpperCase() as Method,
      path,
      area: place.get("tags")?.child(0)?.raw?.toString() ?? "default",
      ...given("summary", place.text("summary") ?? item.text("summary")),
      ...given("description", place.text("description") ?? item.text("description")),
      deprecated: place.flag("deprecated"),
      servers: readServers(servers),
      parameters,
      ...given("body", body && this.#body(body)),
      replies,
      security: readSecurity(place, this.#root),
      grants: readGrants(place, this.#shapes.read),
      limits: readLimits(place),
      effects: readEffects(place, this.#shapes.read),
      failures: readFailures(place, this.#shapes.read),
      ...given("pagination", this.#pagination(place, parameters)),
      sources: readSources(place),
      origin: place.origin,
    };
  }

  /** Parameters of the operation override those of the path item with the same name and location. */
  #parameters(operation: Place, item: Place): readonly Parameter[] {
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

  #parameter(place: Place): Parameter {
    const where = (place.text("in") ?? "query") as ParameterPlace;
    const [content] = place.get("content")?.entries() ?? [];
    const schema = content === undefined ? place.child("schema") : content[1].child("schema");
    const style = (content === undefined ? (place.text("style") ?? defaultStyle[where]) : "content") as ParameterStyle;
    return {
      name: place.text("name") ?? "",
      in: where,
      required: where === "path" || place.flag("required"),
      deprecated: place.flag("deprecated"),
      ...given("description", place.text("description")),
      style,
      explode: place.has("explode") ? place.flag("explode") : style === "form",
      allowReserved: place.flag("allowReserved"),
      ...given("mediaType", content?.[0]),
      segments: place.get("x-input")?.number("segments") ?? 1,
      encodedSlash: place.get("x-input")?.flag("encodedSlash") ?? false,
      shape: schema === undefined ? { types: [], origin: place.origin } : this.#shapes.read(schema),
      ...given("reference", readReference(place, this.#shapes.read)),
      sources: readSources(place),
      origin: place.origin,
    };
  }

  #body(place: Place): Body {
    return {
      required: place.flag("required"),
      ...given("description", place.text("description")),
      contents: this.#contents(place),
      input: this.#input(place),
      sources: readSources(place),
      origin: place.origin,
    };
  }

  #input(body: Place): BodyInput {
    const read = (key: string): string | undefined =>
      body.get("x-input")?.text(key) ?? this.#root.get("x-input")?.text(key);
    const merged = read("merged");
    return {
      absent: read("absent") === "clear" ? "clear" : "keep",
      nulls: read("nulls") === "absent" ? "absent" : "judged",
      readOnly: read("readOnly") === "refuse" ? "refuse" : "ignore",
      unknown: read("unknown") === "refuse" ? "refuse" : "ignore",
      unchanged: read("unchanged") === "accept" ? "accept" : "judge",
      ...given("merged", merged),
    };
  }

  #contents(place: Place): readonly Content[] {
    const known = this.#known.get(place) ?? this.#readContents(place);
    this.#known.set(place, known);
    return known;
  }

  #readContents(place: Place): readonly Content[] {
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
          shape: schema === undefined ? { types: [], origin: media.origin } : this.#shapes.read(schema),
          encoding: Object.fromEntries(
            (media.get("encoding")?.entries() ?? []).map(([name, one]) => [name, readEncoding(one)]),
          ),
          ...given("example", example as Json | undefined),
        },
      ];
    });
  }

  #reply(status: string, reference: Place): readonly Reply[] {
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
        ...given("visible", readVisibility(reference.reference === undefined ? place : reference, this.#shapes)),
        sources: [...readSources(reference), ...(reference.reference === undefined ? [] : readSources(place))],
        origin: reference.origin,
      },
    ];
  }

  #header(name: string, reference: Place): readonly Header[] {
    const place = reference.follow();
    if (place === undefined) return [];
    const known = this.#headers.get(place) ?? this.#readHeader(place);
    this.#headers.set(place, known);
    return [{ name, ...known }];
  }

  #readHeader(place: Place): Omit<Header, "name"> {
    const schema = place.child("schema") ?? place.get("content")?.entries()[0]?.[1].child("schema");
    return {
      required: place.flag("required"),
      ...given("description", place.text("description")),
      shape: schema === undefined ? { types: [], origin: place.origin } : this.#shapes.read(schema),
      sources: readSources(place),
      origin: place.origin,
    };
  }

  /** Reads `x-pagination`. An operation is paginated if it has both query parameters. */
  #pagination(operation: Place, parameters: readonly Parameter[]): Pagination | undefined {
    const place = operation.get("x-pagination") ?? this.#root.get("x-pagination");
    const envelope = place?.get("envelope");
    const text = (from: Place | undefined, key: string) => from?.text(key) ?? "";
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
  ParameterPlace,
  ParameterStyle
>;

/** Reads the servers of the API, a path item or an operation, with variables replaced by their defaults. */
export function readServers(place: Place | undefined): readonly Server[] {
  return (place?.items() ?? []).map((server) => ({
    url: (server.text("url") ?? "/").replaceAll(
      /\{([^{}]+)\}/g,
      (_, name: string) => server.get("variables")?.get(name)?.text("default") ?? "",
    ),
    ...given("description", server.text("description")),
  }));
}

function readStatus(text: string): Reply["status"] | undefined {
  if (text === "default") return "default";
  if (/^[1-5][0-9][0-9]$/.test(text)) return Number(text);
  return /^[1-5]XX$/i.test(text) ? (text.toUpperCase() as `${1 | 2 | 3 | 4 | 5}XX`) : undefined;
}

function readEncoding(place: Place): {
  readonly contentType?: string;
  readonly style?: ParameterStyle;
  readonly explode?: boolean;
} {
  return {
    ...given("contentType", place.text("contentType")),
    ...given("style", place.text("style") as ParameterStyle | undefined),
    ...given("explode", place.has("explode") ? place.flag("explode") : undefined),
  };
}
