import { readField, type Reading } from "./read-field.js";
import { isRecord, type Spot } from "./spot.js";
import { fieldOf, isFieldName, type FieldName } from "./vocabulary.js";

/** An object that may have extension fields. */
export interface Host {
  readonly spot: Spot;
  /** Redocly's name of its type, such as Operation or Schema. */
  readonly type: string;
}

/** An extension field, with its location. */
export interface Extension {
  readonly field: FieldName;
  readonly host: Host;
  readonly spot: Spot;
  readonly reading: Reading;
}

export interface Operation {
  /** Its operationId. */
  readonly name?: string;
  readonly method: string;
  /** The path template. Absent under components.pathItems, webhooks and callbacks. */
  readonly path?: string;
  readonly spot: Spot;
  readonly parameters: readonly Spot[];
  readonly body?: Spot;
  readonly replies: readonly { readonly status: string; readonly spot: Spot }[];
}

/** One way in which an operation uses a schema or a parameter. */
export interface Context {
  readonly operation: Operation;
  readonly side: "request" | "reply";
  /** The schema of the complete value, with everything composed into it. */
  readonly self: Spot;
  /** The schemas of the enclosing values, the innermost first. */
  readonly around: readonly Spot[];
}

/** An index over the description for all rules, built while Redocly walks through it. */
export class Survey {
  readonly root: Spot;
  readonly hosts: readonly Host[];
  readonly extensions: readonly Extension[];
  readonly operations: readonly Operation[];
  /** Schemas by name: the last segment of references to them. */
  readonly schemas: ReadonlyMap<string, Spot>;
  /** The named schemas with x-resource. */
  readonly resources: ReadonlyMap<string, Spot>;
  #contexts: Map<string, Context[]> | undefined;
  readonly #byField = new Map<FieldName, Extension[]>();
  readonly #byHost = new Map<string, Extension[]>();
  readonly #byName = new Map<string, Operation>();
  readonly #byKey = new Map<string, Operation[]>();

  constructor(root: Spot, hosts: readonly Host[], schemas: ReadonlyMap<string, Spot>) {
    this.root = root;
    this.hosts = hosts;
    this.schemas = schemas;
    this.extensions = hosts.flatMap(extensionsOf);
    this.resources = new Map([...schemas].filter(([, spot]) => spot.read("x-resource") !== undefined));
    this.operations = operationsOf(root, hosts);
    for (const extension of this.extensions) {
      add(this.#byField, extension.field, extension);
      add(this.#byHost, extension.host.spot.key, extension);
    }
    for (const operation of this.operations) {
      add(this.#byKey, operation.spot.key, operation);
      if (operation.name !== undefined && !this.#byName.has(operation.name))
        this.#byName.set(operation.name, operation);
    }
  }

  /** Returns how operations use the schema or parameter at this node. */
  contextsOf(spot: Spot): readonly Context[] {
    this.#contexts ??= this.#gather();
    return this.#contexts.get(spot.key) ?? [];
  }

  of(field: FieldName): readonly Extension[] {
    return this.#byField.get(field) ?? [];
  }

  /** Returns the extension field of an object, or along its chain of references. */
  on(spot: Spot, field: FieldName): Extension | undefined {
    const found = spot.hops().flatMap((hop) => this.#byHost.get(hop.key) ?? []);
    return found.find((each) => each.field === field);
  }

  operation(name: string): Operation | undefined {
    return this.#byName.get(name);
  }

  /** Returns the operations at this node. There are several if paths share a path item. */
  operationsAt(spot: Spot): readonly Operation[] {
    return this.#byKey.get(spot.key) ?? [];
  }

  /** Computed only if an extension field needs it. Third-party descriptions have none. */
  #gather(): Map<string, Context[]> {
    const contexts = new Map<string, Context[]>();
    for (const operation of this.operations) visitSchemas(operation, contexts);
    return contexts;
  }
}

function visitSchemas(operation: Operation, contexts: Map<string, Context[]>): void {
  const note = (spot: Spot, context: Context): void => add(contexts, spot.key, context);
  const seen = new Set<string>();
  const visit = (raw: Spot, side: Context["side"], self: Spot, around: readonly Spot[]): void => {
    for (const hop of raw.hops()) {
      const guard = [side, hop.key, self.key, around[0]?.key ?? ""].join(" ");
      if (seen.has(guard)) return;
      seen.add(guard);
      note(hop, { operation, side, self, around });
      for (const part of partsOf(hop)) visit(part, side, self, around);
      for (const child of childrenOf(hop)) visit(child, side, child, [self, ...around]);
    }
  };
  for (const parameter of operation.parameters) {
    note(parameter, { operation, side: "request", self: parameter, around: [] });
    for (const schema of schemasOf(parameter)) visit(schema, "request", schema, []);
  }
  if (operation.body) {
    note(operation.body, { operation, side: "request", self: operation.body, around: [] });
    for (const schema of schemasOf(operation.body)) visit(schema, "request", schema, []);
  }
  for (const reply of operation.replies) {
    note(reply.spot, { operation, side: "reply", self: reply.spot, around: [] });
    for (const schema of schemasOf(reply.spot)) visit(schema, "reply", schema, []);
  }
}

/** Returns the schemas of a parameter, a body or a response: its own, or those of its media types. */
export function schemasOf(holder: Spot): readonly Spot[] {
  const own = holder.child("schema");
  const contents = holder.get("content")?.entries() ?? [];
  return [...(own ? [own] : []), ...contents.flatMap(([, media]) => media.follow()?.child("schema") ?? [])];
}

/** Returns the subschemas that apply to the same value. */
export function partsOf(schema: Spot): readonly Spot[] {
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((key) => schema.child(key)?.items() ?? []);
  const single = ["not", "if", "then", "else"].flatMap((key) => schema.child(key) ?? []);
  const dependent =
    schema
      .child("dependentSchemas")
      ?.entries()
      .map(([, spot]) => spot) ?? [];
  return [...lists, ...single, ...dependent].filter((each) => isRecord(each.value));
}

/** Returns the subschemas that apply to values inside. */
function childrenOf(schema: Spot): readonly Spot[] {
  const maps = ["properties", "patternProperties"].flatMap(
    (key) =>
      schema
        .child(key)
        ?.entries()
        .map(([, spot]) => spot) ?? [],
  );
  const lists = schema.child("prefixItems")?.items() ?? [];
  const single = ["items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"].flatMap(
    (key) => schema.child(key) ?? [],
  );
  return [...maps, ...lists, ...single].filter((each) => isRecord(each.value));
}

function extensionsOf(host: Host): readonly Extension[] {
  return Object.keys(host.spot.object)
    .filter(isFieldName)
    .flatMap((field) => {
      const stated = host.spot.child(field);
      if (stated === undefined) return [];
      const spot = field === "x-grants" ? withSharedItems(stated) : stated;
      return [{ field, host, spot, reading: readField(fieldOf(field).schema, spot.value) }];
    });
}

/** The list with each `$ref` replaced by what it leads to; findings in that are located at the `$ref`. */
function withSharedItems(list: Spot): Spot {
  const items = list.items();
  return items.some(({ reference }) => reference !== undefined)
    ? list.pretend(items.map((item) => (item.follow() ?? item).value))
    : list;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

function operationsOf(root: Spot, hosts: readonly Host[]): readonly Operation[] {
  const found = new Map<string, Operation>();
  const take = (item: Spot | undefined, path?: string): void => {
    for (const method of methods) {
      const spot = item?.get(method);
      if (spot && !found.has(spot.key))
        found.set(spot.key, operationOf(spot, { method, ...(item && { item }), ...(path !== undefined && { path }) }));
    }
  };
  for (const [path, item] of root.get("paths")?.entries() ?? []) take(item.follow(), path);
  for (const [, item] of root.get("components")?.get("pathItems")?.entries() ?? []) take(item.follow());
  for (const [, item] of root.get("webhooks")?.entries() ?? []) take(item.follow());
  for (const { spot, type } of hosts) {
    if (type !== "Operation" || found.has(spot.key)) continue;
    found.set(spot.key, operationOf(spot, { method: "post" })); // an operation of a callback
  }
  return [...found.values()];
}

function operationOf(
  spot: Spot,
  around: { readonly method: string; readonly item?: Spot; readonly path?: string },
): Operation {
  const name = spot.text("operationId");
  const body = spot.get("requestBody");
  const parameters = [...(spot.get("parameters")?.items() ?? []), ...(around.item?.get("parameters")?.items() ?? [])];
  return {
    ...(name !== undefined && { name }),
    method: around.method,
    ...(around.path !== undefined && { path: around.path }),
    spot,
    parameters: parameters.flatMap((each) => each.follow() ?? []),
    ...(body && { body }),
    replies: (spot.get("responses")?.entries() ?? []).flatMap(([status, reply]) => {
      const followed = reply.follow();
      return followed && !status.startsWith("x-") ? [{ status, spot: followed }] : [];
    }),
  };
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
