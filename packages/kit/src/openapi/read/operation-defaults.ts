import path from "node:path";
import { isJsonObject, valueAt } from "../../model/index.js";
import {
  objectOf,
  traceAt,
  traceOrigin,
  tracedChildren,
  updateTracedAt,
  type TracedValue,
} from "../overlays/overlay-merge.js";
import { isNotRelative } from "./source.js";
import { parsePointer, unescapeUri, type SourceFile } from "./spec-node.js";

/** The path items of a file, each with the paths that lead to it. */
type PathItems = ReadonlyMap<string, { readonly tokens: readonly string[]; readonly paths: readonly string[] }>;

/** Adds what the root's `x-defaults` states to the operations of a description. */
export interface OperationDefaults {
  /** Returns a file with complete operations. Their nodes keep their sources. The root has to be the first file. */
  readonly apply: (file: SourceFile) => SourceFile;
}

/**
 * Reads `x-defaults` from the root, whose absolute path is given. It completes the path items of the root and those that its paths refer
 * to; a reference from one of these to a third file is not followed.
 */
export function createOperationDefaults(rootPath: string): OperationDefaults {
  let root: SourceFile | undefined;
  let itemsByFile: ReadonlyMap<string, PathItems> = new Map();
  return {
    apply: (file) => {
      if (file.path === rootPath) {
        root = file;
        itemsByFile = hasDefaults(file) ? findPathItems(file) : new Map();
      }
      const items = itemsByFile.get(file.path);
      if (root === undefined || items === undefined) return file;
      const cached = completed.get(file);
      if (cached !== undefined && cached.root === root) return cached.file;
      const complete = completeOperations(file, root, items);
      completed.set(file, { root, file: complete });
      return complete;
    },
  };
}

/** Unchanged files keep their identity between two runs, and so do their completed operations. */
const completed = new WeakMap<SourceFile, { readonly root: SourceFile; readonly file: SourceFile }>();

function hasDefaults({ value }: SourceFile): boolean {
  return isJsonObject(value) && isJsonObject(value["x-defaults"]);
}

function findPathItems(root: SourceFile): ReadonlyMap<string, PathItems> {
  const found = new Map<string, Map<string, { tokens: readonly string[]; paths: string[] }>>();
  const paths = isJsonObject(root.value) && isJsonObject(root.value["paths"]) ? root.value["paths"] : {};
  for (const [template, item] of Object.entries(paths)) {
    const place = pathItemPlace(root, template, item);
    if (place === undefined) continue;
    const items = found.get(place.file) ?? new Map<string, { tokens: readonly string[]; paths: string[] }>();
    found.set(place.file, items);
    const key = JSON.stringify(place.tokens);
    const known = items.get(key);
    if (known === undefined) items.set(key, { tokens: place.tokens, paths: [template] });
    else known.paths.push(template);
  }
  return found;
}

function pathItemPlace(
  root: SourceFile,
  template: string,
  item: unknown,
): { readonly file: string; readonly tokens: readonly string[] } | undefined {
  const reference = isJsonObject(item) ? item["$ref"] : undefined;
  if (typeof reference !== "string") return { file: root.path, tokens: ["paths", template] };
  const [name = "", pointer = ""] = reference.split("#");
  const tokens = parsePointer(pointer);
  if (tokens === undefined || isNotRelative(name)) return undefined;
  return { file: name === "" ? root.path : path.resolve(path.dirname(root.path), unescapeUri(name)), tokens };
}

function completeOperations(file: SourceFile, root: SourceFile, items: PathItems): SourceFile {
  const defaults = tracedChildren(defaultsFor(file, root));
  let graft: TracedValue = { value: file.value, source: { file, tokens: [] } };
  for (const { tokens, paths } of items.values()) {
    const change = (item: TracedValue): TracedValue => completeItem(item, { defaults, paths, root });
    graft = updateTracedAt(graft, [tokens], { change, visit: () => undefined }) ?? graft;
  }
  const { value, source } = graft;
  return {
    ...file,
    value,
    locate: (tokens) => {
      const at = traceAt(source, tokens);
      return { ...traceOrigin(at), ...at.file.locate(at.tokens) };
    },
    overlays: {
      by: [...(file.overlays?.by ?? []), root.path],
      sourceOf: (tokens) => {
        const at = traceAt(source, tokens);
        return at.file.overlays?.sourceOf(at.tokens) ?? traceOrigin(at);
      },
    },
  };
}

/** The value of `x-defaults`, with references as another file has to write them. */
function defaultsFor(file: SourceFile, root: SourceFile): TracedValue {
  const value = isJsonObject(root.value) ? root.value["x-defaults"] : undefined;
  const source = { file: root, tokens: ["x-defaults"] };
  if (file === root) return { value, source };
  const folder = path.dirname(file.path);
  const rewrite = (reference: string): string => {
    const [name = "", pointer] = reference.split("#");
    if (isNotRelative(name)) return reference;
    const target = name === "" ? root.path : path.resolve(path.dirname(root.path), name);
    const relative = target === file.path ? "" : path.relative(folder, target).split(path.sep).join("/");
    return pointer === undefined ? relative : `${relative}#${pointer}`;
  };
  const rewritten: unknown = JSON.parse(JSON.stringify(value), (key, each: unknown) =>
    key === "$ref" && typeof each === "string" ? rewrite(each) : each,
  );
  return { value: rewritten, source };
}

interface ItemContext {
  readonly defaults: ReadonlyMap<string, TracedValue>;
  /** The paths of the item. */
  readonly paths: readonly string[];
  readonly root: SourceFile;
}

const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace"]);

function completeItem(item: TracedValue, context: ItemContext): TracedValue {
  if (!isJsonObject(item.value)) return item;
  const shared = item.value["parameters"];
  const parts = [...tracedChildren(item)].map(([key, part]) => {
    const { value } = part;
    const isOperation = methods.has(key) && isJsonObject(value) && value["x-defaults"] !== false;
    return [key, isOperation ? completeOperation(part, value, { ...context, shared }) : part] as const;
  });
  return objectOf(item, new Map(parts));
}

interface OperationContext extends ItemContext {
  /** The parameters of the path item. */
  readonly shared: unknown;
}

function completeOperation(
  operation: TracedValue,
  value: Readonly<Record<string, unknown>>,
  context: OperationContext,
): TracedValue {
  const { defaults } = context;
  const parts = tracedChildren(operation);
  const none: TracedValue = { value: {}, source: operation.source };
  const own = parts.get("responses") ?? none;
  if (!isJsonObject(own.value)) return operation;
  const headers = defaults.get("headers");
  const responses = new Map(
    [...tracedChildren(own)].map(([status, response]) => [status, withHeaders(response, headers)] as const),
  );
  for (const [status, response] of tracedChildren(defaults.get("responses") ?? none))
    if (!responses.has(status) && isPossible(status, value, context))
      responses.set(status, withHeaders(response, headers));
  parts.set("responses", objectOf(own, new Map([...responses].sort(([a], [b]) => (a < b ? -1 : 1)))));
  return objectOf(operation, parts);
}

/** Adds the headers that a response does not have. A referenced response is complete. */
function withHeaders(response: TracedValue, headers: TracedValue | undefined): TracedValue {
  if (headers === undefined || !isJsonObject(response.value) || "$ref" in response.value) return response;
  const parts = tracedChildren(response);
  const own = parts.get("headers");
  if (own === undefined) parts.set("headers", headers);
  else if (isJsonObject(own.value) && !("$ref" in own.value)) {
    const names = new Set(Object.keys(own.value).map((name) => name.toLowerCase()));
    const added = [...tracedChildren(headers)].filter(([name]) => !names.has(name.toLowerCase()));
    parts.set("headers", objectOf(own, new Map([...tracedChildren(own), ...added])));
  }
  return objectOf(response, parts);
}

/** Statuses that only operations with an error of that status have. */
const ofErrors: ReadonlySet<string> = new Set(["409", "410", "412"]);

/** Whether an operation can have a status: by its errors, or by what it takes. */
function isPossible(
  status: string,
  operation: Readonly<Record<string, unknown>>,
  { paths, root, shared }: OperationContext,
): boolean {
  const has = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
  const errors = operation["x-errors"];
  if (Array.isArray(errors) && errors.some((each) => isJsonObject(each) && String(each["status"]) === status))
    return true;
  const hasBody = operation["requestBody"] !== undefined;
  if (status === "400" || status === "422") return hasBody || has(operation["parameters"]) || has(shared);
  if (status === "401") {
    const inherited = isJsonObject(root.value) ? root.value["security"] : undefined;
    const security = operation["security"] ?? inherited;
    return Array.isArray(security) && security.some((each) => isJsonObject(each) && Object.keys(each).length > 0);
  }
  if (status === "403") return mayBeForbidden(operation["x-grants"], root);
  if (status === "404") return paths.some((template) => template.includes("{"));
  if (status === "413" || status === "415") return hasBody;
  return !ofErrors.has(status);
}

/** Whether a grant can be missing from a caller who knows that the object exists. Who has less than the lowest level does not. */
function mayBeForbidden(grants: unknown, root: SourceFile): boolean {
  if (!Array.isArray(grants)) return false;
  const schemes = valueAt(root.value, ["components", "securitySchemes"]);
  const levels = Object.values(isJsonObject(schemes) ? schemes : {}).flatMap((scheme) =>
    Object.entries((valueAt(scheme, ["x-scopes", "levels"]) ?? {}) as Readonly<Record<string, unknown>>),
  );
  const lowest = new Set(
    levels.flatMap(([level, implied]) => (Array.isArray(implied) && implied.length === 0 ? [level] : [])),
  );
  return grants.some(
    (grant) => !(isJsonObject(grant) && typeof grant["level"] === "string" && lowest.has(grant["level"])),
  );
}
