import type { Operation, Schema } from "@plumbline/model";
import { ts } from "ts-morph";
import { locations, type ApiNames, type ApiPart } from "./api-part.js";
import type { CodeUse } from "./code-use.js";
import { readText, unwrap } from "./expressions.js";
import type { PartReader } from "./part-reader.js";

interface PathCallSearch {
  readonly reader: PartReader;
  readonly names: ApiNames;
}

/**
 * The uses in `client.GET("/pets", init)` of openapi-fetch, and in `$api.useQuery("get", "/pets", init)` of the libraries beside it. Their types
 * are inferred from what the call passes, so its arguments are read by the description.
 */
export function usesOfPathCall(node: ts.CallExpression, search: PathCallSearch): readonly CodeUse[] {
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
    call: { request, form: "paths" },
  } as const;
  return [called, ...(request === undefined ? [] : usesOfInit(request, operation, search))];
}

function usesOfInit(init: ts.Expression, operation: Operation, search: PathCallSearch): readonly CodeUse[] {
  const { name: owner, requestBody } = operation;
  const { params, body } = Object.fromEntries(
    propertiesOf(init, search.reader).properties.map((each) => [each.name, each] as const),
  );
  const groups = params === undefined ? [] : propertiesOf(params.value, search.reader).properties;
  const parameters = groups.flatMap(({ name: group, value }) => {
    const location = Object.hasOwn(locations, group) ? locations[group] : undefined;
    return location === undefined
      ? []
      : usesOfValue(value, [{ kind: "parameters", owner, path: [location] }], undefined, search);
  });
  const schema = requestBody?.contents[0]?.schema;
  if (body === undefined) return parameters;
  const part: ApiPart = { kind: "body", owner, path: [] };
  const written = { kind: "write", part, node: body.node, value: body.value } as const;
  return [...parameters, written, ...usesOfValue(body.value, [part], schema, search)];
}

/** The uses of the properties of a value. `parts` are the parts that it stands for: a body has the part of its schema, too. */
function usesOfValue(
  value: ts.Expression,
  parts: readonly ApiPart[],
  schema: Schema | undefined,
  search: PathCallSearch,
): readonly CodeUse[] {
  const { reader, names } = search;
  const node = unwrap(value);
  if (ts.isArrayLiteralExpression(node))
    return node.elements.flatMap((each) => usesOfValue(each, parts, schema?.items ?? schema, search));
  const { properties, isOpen, isKnown } = propertiesOf(node, reader);
  if (!isKnown) return [];
  const { ref } = schema ?? {};
  const own = ref === undefined ? parts : [...parts, { kind: "schema" as const, owner: ref, path: [] }];
  const content = ref === undefined ? schema : names.schema(ref);
  const written = new Set(properties.map(({ name }) => name));
  return [
    ...own.map((part) => ({ kind: "construct" as const, part, node, names: written, isOpen })),
    ...properties.flatMap(({ name, node: at, value: given }) => {
      const nested = own.map((part) => ({ ...part, path: [...part.path, name] }));
      const uses = nested.map((part) => ({ kind: "write" as const, part, node: at, value: given }));
      const inner = content?.properties?.find((each) => each.name === name)?.schema;
      return ts.isObjectLiteralExpression(unwrap(given)) || ts.isArrayLiteralExpression(unwrap(given))
        ? [...uses, ...usesOfValue(given, nested, inner, search)]
        : uses;
    }),
  ];
}

interface GivenProperties {
  readonly properties: readonly { readonly name: string; readonly node: ts.Node; readonly value: ts.Expression }[];
  /** Whether there may be others. */
  readonly isOpen: boolean;
  /** Whether the value is an object whose properties are known. */
  readonly isKnown: boolean;
}

/** The properties of an object literal, or those that the type of another value has. */
function propertiesOf(value: ts.Expression, { checker }: PartReader): GivenProperties {
  const node = unwrap(value);
  if (ts.isObjectLiteralExpression(node)) {
    const properties = node.properties.flatMap((each) => {
      const name = each.name === undefined ? undefined : readText(each.name);
      if (name === undefined || each.name === undefined) return [];
      if (ts.isPropertyAssignment(each)) return [{ name, node: each.name, value: each.initializer }];
      return ts.isShorthandPropertyAssignment(each) ? [{ name, node: each.name, value: each.name }] : [];
    });
    return { properties, isOpen: properties.length < node.properties.length, isKnown: true };
  }
  const type = checker.getTypeAtLocation(node);
  const isKnown = (type.flags & ts.TypeFlags.Object) !== 0;
  const properties = isKnown ? type.getProperties().map(({ name }) => ({ name, node, value: node })) : [];
  return { properties, isOpen: !isKnown, isKnown };
}
