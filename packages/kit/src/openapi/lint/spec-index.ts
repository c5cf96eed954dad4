import { isJsonObject } from "../../model/index.js";
import type { LintNode } from "./lint-node.js";
import { validateExtension, type ExtensionReading, type ExtensionUse } from "./validate-extension.js";
import { findExtensionField, hasVocabularyForm, isExtensionFieldName, type ExtensionFieldName } from "./vocabulary.js";

/** An object that may have extension fields. */
export interface ExtensionHost {
  readonly node: LintNode;
  /** Redocly's name of its type, such as Operation or Schema. */
  readonly type: string;
}

/** An extension field, with its location. */
export interface Extension {
  readonly field: ExtensionFieldName;
  readonly host: ExtensionHost;
  readonly node: LintNode;
  readonly reading: ExtensionReading;
}

/** A value of an extension field that a definition of the vocabulary describes, such as the id of an error. */
export interface LocatedUse extends ExtensionUse {
  readonly extension: Extension;
  readonly at: LintNode;
}

export interface LintOperation {
  /** Its operationId. */
  readonly name?: string | undefined;
  readonly method: string;
  /** The path template. Absent under components.pathItems, webhooks and callbacks. */
  readonly path?: string | undefined;
  readonly node: LintNode;
  readonly parameters: readonly LintNode[];
  readonly body?: LintNode | undefined;
  readonly responses: readonly { readonly status: string; readonly spot: LintNode }[];
}

/** One way in which an operation uses a schema or a parameter. */
export interface SchemaContext {
  readonly operation: LintOperation;
  readonly side: "request" | "response";
  /** The schema of the complete value, with everything composed into it. */
  readonly self: LintNode;
  /** The schemas of the enclosing values, the innermost first. */
  readonly enclosing: readonly LintNode[];
}

export interface SpecIndexOptions {
  readonly ruleset: "strict" | "minimal";
  /** Schemas by name: the last segment of references to them. */
  readonly schemas: ReadonlyMap<string, LintNode>;
}

/** An index over the description for all rules, built while Redocly walks through it. */
export class SpecIndex {
  readonly root: LintNode;
  readonly hosts: readonly ExtensionHost[];
  readonly extensions: readonly Extension[];
  readonly operations: readonly LintOperation[];
  /** Schemas by name: the last segment of references to them. */
  readonly schemas: ReadonlyMap<string, LintNode>;
  /** The named schemas with x-resource. */
  readonly resources: ReadonlyMap<string, LintNode>;
  #contexts: Map<string, SchemaContext[]> | undefined;
  readonly #byField = new Map<ExtensionFieldName, Extension[]>();
  readonly #byHost = new Map<string, Extension[]>();
  readonly #byName = new Map<string, LintOperation>();
  readonly #byKey = new Map<string, LintOperation[]>();

  constructor(root: LintNode, hosts: readonly ExtensionHost[], { schemas, ruleset }: SpecIndexOptions) {
    this.root = root;
    this.hosts = hosts;
    this.schemas = schemas;
    this.extensions = hosts.flatMap((host) => readExtensions(host, ruleset));
    this.resources = new Map([...schemas].filter(([, spot]) => spot.read("x-resource") !== undefined));
    this.operations = readLintOperations(root, hosts);
    for (const extension of this.extensions) {
      add(this.#byField, extension.field, extension);
      add(this.#byHost, extension.host.node.key, extension);
    }
    for (const operation of this.operations) {
      add(this.#byKey, operation.node.key, operation);
      if (operation.name !== undefined && !this.#byName.has(operation.name))
        this.#byName.set(operation.name, operation);
    }
  }

  /** Returns how operations use the schema or parameter at this node. */
  contextsOf(spot: LintNode): readonly SchemaContext[] {
    this.#contexts ??= this.#gather();
    return this.#contexts.get(spot.key) ?? [];
  }

  byField(field: ExtensionFieldName): readonly Extension[] {
    return this.#byField.get(field) ?? [];
  }

  /** Returns the values of these kinds in extension fields. */
  usesOf(...kinds: readonly string[]): readonly LocatedUse[] {
    return this.extensions.flatMap((extension) =>
      extension.reading.uses
        .filter(({ kind }) => kinds.includes(kind))
        .map((use) => ({ ...use, extension, at: extension.node.at(use.path) })),
    );
  }

  /** Returns the extension field of an object, or along its chain of references. */
  extensionOn(spot: LintNode, field: ExtensionFieldName): Extension | undefined {
    const extensions = spot.resolutionChain().flatMap((hop) => this.#byHost.get(hop.key) ?? []);
    return extensions.find((each) => each.field === field);
  }

  operation(name: string): LintOperation | undefined {
    return this.#byName.get(name);
  }

  /** Returns the operations at this node. There are several if paths share a path item. */
  operationsAt(spot: LintNode): readonly LintOperation[] {
    return this.#byKey.get(spot.key) ?? [];
  }

  /** Computed only if an extension field needs it. Third-party descriptions have none. */
  #gather(): Map<string, SchemaContext[]> {
    const contexts = new Map<string, SchemaContext[]>();
    for (const operation of this.operations) visitSchemas(operation, contexts);
    return contexts;
  }
}

function visitSchemas(operation: LintOperation, contexts: Map<string, SchemaContext[]>): void {
  const note = (spot: LintNode, context: SchemaContext): void => add(contexts, spot.key, context);
  const visited = new Set<string>();
  const visit = (raw: LintNode, side: SchemaContext["side"], self: LintNode, context: readonly LintNode[]): void => {
    for (const hop of raw.resolutionChain()) {
      const guard = [side, hop.key, self.key, context[0]?.key ?? ""].join(" ");
      if (visited.has(guard)) return;
      visited.add(guard);
      note(hop, { operation, side, self, enclosing: context });
      for (const part of lintSchemaParts(hop)) visit(part, side, self, context);
      for (const child of lintSchemaChildren(hop)) visit(child, side, child, [self, ...context]);
    }
  };
  for (const parameter of operation.parameters) {
    note(parameter, { operation, side: "request", self: parameter, enclosing: [] });
    for (const schema of schemasOfHolder(parameter)) visit(schema, "request", schema, []);
  }
  if (operation.body) {
    note(operation.body, { operation, side: "request", self: operation.body, enclosing: [] });
    for (const schema of schemasOfHolder(operation.body)) visit(schema, "request", schema, []);
  }
  for (const response of operation.responses) {
    note(response.spot, { operation, side: "response", self: response.spot, enclosing: [] });
    for (const schema of schemasOfHolder(response.spot)) visit(schema, "response", schema, []);
  }
}

/** Returns the schemas of a parameter, a body or a response: its own, or those of its media types. */
export function schemasOfHolder(holder: LintNode): readonly LintNode[] {
  const schema = holder.child("schema");
  const contents = holder.get("content")?.entries() ?? [];
  return [...(schema ? [schema] : []), ...contents.flatMap(([, media]) => media.follow()?.child("schema") ?? [])];
}

/** Returns the subschemas that apply to the same value. */
export function lintSchemaParts(schema: LintNode): readonly LintNode[] {
  const lists = ["allOf", "anyOf", "oneOf"].flatMap((key) => schema.child(key)?.items() ?? []);
  const single = ["not", "if", "then", "else"].flatMap((key) => schema.child(key) ?? []);
  const dependent =
    schema
      .child("dependentSchemas")
      ?.entries()
      .map(([, spot]) => spot) ?? [];
  return [...lists, ...single, ...dependent].filter((each) => isJsonObject(each.value));
}

/** Returns the subschemas that apply to values inside. */
function lintSchemaChildren(schema: LintNode): readonly LintNode[] {
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
  return [...maps, ...lists, ...single].filter((each) => isJsonObject(each.value));
}

/** In a description of others, a field of another form is that of another vendor. */
function readExtensions(host: ExtensionHost, ruleset: SpecIndexOptions["ruleset"]): readonly Extension[] {
  return Object.keys(host.node.object)
    .filter(isExtensionFieldName)
    .filter((field) => ruleset === "strict" || hasVocabularyForm(field, host.node.object[field]))
    .flatMap((field) => {
      const child = host.node.child(field);
      if (child === undefined) return [];
      const stated = child.follow() ?? child;
      const node = field === "x-grants" ? withSharedItems(stated) : stated;
      return [{ field, host, node, reading: validateExtension(findExtensionField(field).schema, node.value) }];
    });
}

/** The list with each `$ref` replaced by what it leads to; findings in that are located at the `$ref`. */
function withSharedItems(list: LintNode): LintNode {
  const items = list.items();
  return items.some(({ reference }) => reference !== undefined)
    ? list.withValue(items.map((item) => (item.follow() ?? item).value))
    : list;
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

function readLintOperations(root: LintNode, hosts: readonly ExtensionHost[]): readonly LintOperation[] {
  const operations = new Map<string, LintOperation>();
  const take = (item: LintNode | undefined, path?: string): void => {
    for (const method of methods) {
      const spot = item?.get(method);
      if (spot && !operations.has(spot.key)) operations.set(spot.key, operationOf(spot, { method, item, path }));
    }
  };
  for (const [path, item] of root.get("paths")?.entries() ?? []) take(item.follow(), path);
  for (const [, item] of root.get("components")?.get("pathItems")?.entries() ?? []) take(item.follow());
  for (const [, item] of root.get("webhooks")?.entries() ?? []) take(item.follow());
  for (const { node, type } of hosts) {
    if (type !== "Operation" || operations.has(node.key)) continue;
    operations.set(node.key, operationOf(node, { method: "post" })); // an operation of a callback
  }
  return [...operations.values()];
}

interface OperationContext {
  readonly method: string;
  readonly item?: LintNode | undefined;
  readonly path?: string | undefined;
}

function operationOf(spot: LintNode, { method, item, path }: OperationContext): LintOperation {
  const parameters = [...(spot.get("parameters")?.items() ?? []), ...(item?.get("parameters")?.items() ?? [])];
  return {
    name: spot.text("operationId"),
    method,
    path,
    node: spot,
    parameters: parameters.flatMap((each) => each.follow() ?? []),
    body: spot.get("requestBody"),
    responses: (spot.get("responses")?.entries() ?? []).flatMap(([status, response]) => {
      const followed = response.follow();
      return followed && !status.startsWith("x-") ? [{ status, spot: followed }] : [];
    }),
  };
}

function add<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
