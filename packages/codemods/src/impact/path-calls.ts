import type { Operation, Schema } from "@plumbline/kit/model";
import { ts } from "ts-morph";
import { locations, type ApiPart } from "./api-part.js";
import type { CodeUse, ConstructUse } from "./code-use.js";
import { readText, resolveConstant, unwrap } from "./expressions.js";
import { contentOf, isOfApi, propertiesOf } from "./object-uses.js";
import type { PartReader } from "./part-reader.js";
import type { UseSearch } from "./use-search.js";

/**
 * The uses in `client.GET("/pets", init)` of openapi-fetch, and in `$api.useQuery("get", "/pets", init)` of the libraries beside it. Their types
 * are inferred from what the call passes, so its arguments are read by the description.
 */
export function usesOfPathCall(node: ts.CallExpression, search: UseSearch): readonly CodeUse[] {
  const [first, second, third] = node.arguments;
  if (first === undefined) return [];
  const method = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : "";
  const isDirect = /^[A-Z]+$/.test(method);
  const operation = isDirect
    ? search.names.operationAt(method, readText(first) ?? "")
    : search.names.operationAt(readText(first) ?? "", (second && readText(second)) ?? "");
  if (operation === undefined) return [];
  const part: ApiPart = { kind: "operation", owner: operation.name, path: [] };
  const request = isDirect ? second : third;
  const called = {
    kind: "call",
    part,
    node: isDirect ? first : (second ?? first),
    call: { request, form: "paths", isDeferred: method.endsWith("Mutation") },
  } as const;
  return [called, ...(request === undefined ? [] : usesOfInit(request, operation, search))];
}

/** The uses in the argument of such a call. */
export function usesOfInit(init: ts.Expression, operation: Operation, search: UseSearch): readonly CodeUse[] {
  const { name: owner, requestBody } = operation;
  const properties = propertiesIn(init, search.reader)?.properties ?? [];
  const params = properties.find(({ name }) => name === "params");
  const body = properties.find(({ name }) => name === "body");
  const groups = propertiesIn(params?.value, search.reader)?.properties ?? [];
  const parameters = groups.flatMap(({ name: group, value }) => {
    const location = Object.hasOwn(locations, group) ? locations[group] : undefined;
    if (location === undefined) return [];
    return usesOfValue(value, [{ kind: "parameters", owner, path: [location] }], undefined, search);
  });
  if (body === undefined) return parameters;
  const part: ApiPart = { kind: "body", owner, path: [] };
  const written: CodeUse = { kind: "write", part, node: body.at, value: body.value };
  return [...parameters, written, ...usesOfValue(body.value, [part], requestBody?.contents[0]?.schema, search)];
}

/** The uses of the properties of a value. `parts` are the parts that it stands for: a body has the part of its schema, too. */
function usesOfValue(
  value: ts.Expression | undefined,
  parts: readonly ApiPart[],
  schema: Schema | undefined,
  search: UseSearch,
): readonly CodeUse[] {
  const { reader } = search;
  const node = value && unwrap(value);
  if (node !== undefined && ts.isArrayLiteralExpression(node))
    return node.elements.flatMap((each) => usesOfValue(each, parts, schema?.items ?? schema, search));
  const object = propertiesIn(node, reader);
  if (object === undefined || node === undefined) return [];
  const constant = resolveConstant(node, reader.checker);
  const literal = ts.isObjectLiteralExpression(constant) ? constant : node;
  const { properties, ...content } = object;
  const branch = branchOf(schema, properties, search);
  const valueParts = [...parts, ...branch.parts];
  return [
    ...valueParts.map((part) => ({ kind: "construct" as const, part, node: literal, ...content })),
    ...properties.flatMap(({ name, at, value: each }): readonly CodeUse[] => {
      const nested = valueParts.map((part) => ({ ...part, path: [...part.path, name] }));
      const inner = branch.schemas
        .flatMap(({ properties: fields = [] }) => fields)
        .find((field) => field.name === name)?.schema;
      const writes = nested.map((part) => ({ kind: "write" as const, part, node: at, value: each }));
      const isObject = each !== undefined && /^(Object|Array)Literal/.test(ts.SyntaxKind[unwrap(each).kind] ?? "");
      return isObject ? [...writes, ...usesOfValue(each, nested, inner, search)] : writes;
    }),
  ];
}

interface SchemaBranch {
  readonly parts: readonly ApiPart[];
  readonly schemas: readonly Schema[];
}

/** The named schemas that describe a value: those that it refers to and combines, and of a union the one that a property selects. */
function branchOf(
  schema: Schema | undefined,
  properties: GivenProperties["properties"],
  search: UseSearch,
): SchemaBranch {
  if (schema === undefined) return { parts: [], schemas: [] };
  const { ref, allOf = [], oneOf = [], discriminator } = schema;
  const target = ref === undefined ? undefined : search.names.schema(ref);
  const selector = properties.find(({ name }) => name === discriminator?.propertyName)?.value;
  const selected = selector && readText(unwrap(selector));
  const chosen = discriminator?.mapping.find(({ value }) => value === selected)?.schema;
  const next = [...(target === undefined ? [] : [target]), ...allOf, ...oneOf.filter((each) => each.ref === chosen)];
  const below = next.map((each) => branchOf(each, properties, search));
  return {
    parts: [
      ...(ref === undefined ? [] : [{ kind: "schema" as const, owner: ref, path: [] }]),
      ...below.flatMap(({ parts }) => parts),
    ],
    schemas: [schema, ...below.flatMap(({ schemas }) => schemas)],
  };
}

interface GivenProperties extends Pick<ConstructUse, "names" | "maybe" | "isOpen"> {
  readonly properties: readonly {
    readonly name: string;
    readonly at: ts.Node;
    readonly value: ts.Expression | undefined;
  }[];
}

/** The properties of an object, or those that its type has. Undefined for a value of the API's own type, which changes with it. */
function propertiesIn(value: ts.Expression | undefined, reader: PartReader): GivenProperties | undefined {
  if (value === undefined) return undefined;
  const { checker } = reader;
  const expression = unwrap(value);
  const node = resolveConstant(expression, checker);
  if (ts.isObjectLiteralExpression(node)) return { properties: propertiesOf(node), ...contentOf(node, reader) };
  const type = checker.getTypeAtLocation(node);
  if (!(type.flags & ts.TypeFlags.Object) || reader.ofType(type).length > 0) return undefined;
  const names = new Set(type.getProperties().map(({ name }) => name));
  const userNames = [...names].filter((name) => !isOfApi(type, name, reader));
  const properties = userNames.map((name) => ({ name, at: expression, value: undefined }));
  return { properties, names, maybe: new Set(), isOpen: false };
}
