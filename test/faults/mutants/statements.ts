import {
  findJsonContent,
  schemasByName,
  type Api,
  type Operation,
  type Parameter,
  type Property,
  type Schema,
  type Source,
  type SourceRef,
} from "@plumbline/kit/model";

/** A schema that states something, with the messages that contain its values. */
export interface SchemaStatement {
  readonly schema: Schema;
  readonly property?: Property;
  readonly place: string;
  readonly requirements: readonly string[];
  /** Where requests contain its values. */
  readonly requests: readonly SchemaUse[];
  /** Where successes contain them. */
  readonly responses: readonly SchemaUse[];
  /** Where errors contain them. */
  readonly errors: readonly SchemaUse[];
  readonly parameters: readonly ParameterUse[];
}

export interface SchemaUse {
  readonly operation: Operation;
  /** The path to the values. `*` is each item of an array or each field of a map. */
  readonly pointer: readonly string[];
}

export interface ParameterUse {
  readonly operation: Operation;
  readonly parameter: Parameter;
}

/** The requirements of a part of the description: the stated ones, and the open ones that its assumptions settle. */
export function requirementsOf(sources: readonly Source[] | undefined): readonly string[] {
  const ids = (sources ?? []).flatMap((source) =>
    "requirement" in source
      ? [source.requirement]
      : source.assumption.settles === undefined
        ? []
        : [source.assumption.settles],
  );
  return [...new Set(ids)];
}

/** A place in the description, such as `spec/schemas.yaml#/Pet`. */
export function placeOf({ file, pointer }: SourceRef): string {
  return `${file}#${pointer}`;
}

/** True if parts without a requirement are statements as well: in a description without requirements. */
export function hasRequirements({ requirements }: Api): boolean {
  return requirements.length > 0;
}

/** The schemas of all messages that state something. */
export function schemaStatements(api: Api): readonly SchemaStatement[] {
  const found = new Map<string, MutableStatement>();
  for (const operation of api.operations) {
    const body = findJsonContent(operation.requestBody?.contents ?? []);
    if (body !== undefined) collect({ api, found, operation, kind: "requests" }, { schema: body.schema, pointer: [] });
    for (const { status, contents } of operation.responses) {
      const content = findJsonContent(contents);
      if (content === undefined) continue;
      const kind =
        typeof status === "number"
          ? status < 400
            ? "responses"
            : "errors"
          : /^[45]|default/.test(status)
            ? "errors"
            : "responses";
      collect({ api, found, operation, kind }, { schema: content.schema, pointer: [] });
    }
    for (const parameter of operation.parameters) {
      const statement = stateAt(found, { schema: parameter.schema, pointer: [] });
      statement.requirements = unite(statement.requirements, requirementsOf(parameter.sources));
      statement.parameters.push({ operation, parameter });
    }
  }
  const all = [...found.values()];
  return hasRequirements(api) ? all.filter(({ requirements }) => requirements.length > 0) : all;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key] };
type MutableStatement = Mutable<SchemaStatement>;

interface Collection {
  readonly api: Api;
  readonly found: Map<string, MutableStatement>;
  readonly operation: Operation;
  readonly kind: "requests" | "responses" | "errors";
}

interface Node {
  readonly schema: Schema;
  readonly property?: Property;
  readonly pointer: readonly string[];
}

function collect(collection: Collection, node: Node, within: readonly string[] = []): void {
  const { api, found, operation, kind } = collection;
  const { schema, pointer } = node;
  const uses = stateAt(found, node)[kind];
  if (!uses.some((each) => each.operation === operation && each.pointer.join("/") === pointer.join("/")))
    uses.push({ operation, pointer });
  const named =
    schema.ref === undefined || within.includes(schema.ref) ? undefined : schemasByName(api).get(schema.ref);
  if (named !== undefined && schema.ref !== undefined)
    collect(collection, { schema: named, pointer }, [...within, schema.ref]);
  const { allOf = [], anyOf = [], oneOf = [], then, else: otherwise } = schema;
  for (const part of [...allOf, ...anyOf, ...oneOf, then, otherwise])
    if (part !== undefined) collect(collection, { schema: part, pointer }, within);
  for (const property of schema.properties ?? [])
    collect(collection, { schema: property.schema, property, pointer: [...pointer, property.name] }, within);
  for (const part of [schema.items, ...(schema.prefixItems ?? []), schema.additionalProperties])
    if (part !== undefined) collect(collection, { schema: part, pointer: [...pointer, "*"] }, within);
}

function stateAt(found: Map<string, MutableStatement>, { schema, property }: Node): MutableStatement {
  const place = placeOf(schema.origin);
  const known = found.get(place);
  const statement: MutableStatement = known ?? {
    schema,
    place,
    requirements: [...requirementsOf(schema.sources)],
    requests: [],
    responses: [],
    errors: [],
    parameters: [],
  };
  found.set(place, statement);
  if (property !== undefined && statement.property === undefined) statement.property = property;
  return statement;
}

function unite(some: readonly string[], others: readonly string[]): string[] {
  return [...new Set([...some, ...others])];
}
