import { code, docComment, joinCode, propertyKey, jsonLiteral, type Code } from "@plumbline/kit/codegen";
import { type Api, assertions, attributeValues, callersOf, type Condition, type Schema } from "@plumbline/kit/model";
import { serverType } from "../runtime.js";

/** Emits the types of callers and of the handler context. A caller has the fields that conditions of the description use. */
export function emitCallerTypes(api: Api): Code {
  const owners = new Set(api.resources.flatMap(({ owner }) => owner));
  const usedFields = usedCallerFields(api);
  const callers = callersOf(api);
  const { attributes } = callers;
  const shared = callers.owners.filter(
    (each) => each !== "user" && each !== "client" && (owners.has(each) || usedFields.has(each)),
  );
  const baseFields = new Set(["user", "client", "scopes", ...shared, ...Object.keys(attributes)]);
  const members = [
    ...shared.map((each) => {
      const used = usedFields.get(each);
      return code`readonly ${propertyKey(each)}: { readonly id: ${serverType("EntityId")} }${used === undefined ? code`` : code` & ${used}`};`;
    }),
    ...Object.entries(attributes).map(
      ([name, schema]) => code`readonly ${propertyKey(name)}: ${attributeType(schema)};`,
    ),
    ...(api.scopeGrammar === undefined ? [] : [code`readonly scopes: string;`]),
    ...[...usedFields].flatMap(([field, type]) =>
      baseFields.has(field) ? [] : [code`readonly ${propertyKey(field)}: ${type};`],
    ),
  ];
  return code`${docComment(["The caller of a request, with the fields that the description uses."])}
export interface Caller extends ${serverType("Caller")} {\n${members}\n}

${docComment(["The context of a request, which handlers receive beside their input."])}
export interface RequestContext extends ${serverType("RequestContext")} {
  readonly caller: Caller | undefined;
}`;
}

function attributeType(schema: Schema): Code {
  const values = attributeValues(schema);
  if (values.length === 0 || schema.types.join() === "boolean") return typeOf(schema);
  return joinCode(
    values.map((each) => jsonLiteral(each)),
    code` | `,
  );
}

/** Returns the caller fields that conditions use, with types as far as the conditions determine them. */
function usedCallerFields(api: Api): ReadonlyMap<string, Code> {
  const fields = new Map<string, Code>();
  for (const schema of callerSchemas(api)) {
    for (const property of schema.properties ?? []) fields.set(property.name, typeOf(property.schema));
  }
  return fields;
}

function callerSchemas(api: Api): readonly Schema[] {
  const conditions: (Condition | undefined)[] = [...api.operations, ...api.operationsWithoutPath].flatMap(
    ({ grants, errors, responses }) => [
      ...grants.map(({ when }) => when),
      ...errors.map(({ when }) => when),
      ...responses.map(({ visibility }) => visibility?.when),
    ],
  );
  for (const { schema } of api.schemas)
    for (const each of schema.properties ?? []) conditions.push(each.schema.visibility?.when);
  return conditions.flatMap((when) => when?.caller ?? []);
}

function typeOf(schema: Schema): Code {
  const { types, const: only, enum: values, properties } = schema;
  if (properties !== undefined) {
    const members = properties.map((each) => code`readonly ${propertyKey(each.name)}: ${typeOf(each.schema)};`);
    return code`{ ${joinCode(members, code` `)} }`;
  }
  const typeNames = new Set<string>(types.flatMap((type) => (type === "integer" ? "number" : type)));
  for (const value of only === undefined ? (values ?? []) : [only])
    typeNames.add(value === null ? "null" : typeof value);
  for (const { name, types: restricted } of assertions) {
    const [type, ...others] = new Set(restricted.map((each) => (each === "integer" ? "number" : each)));
    if (schema[name] !== undefined && type !== undefined && others.length === 0) typeNames.add(type);
  }
  const plain = [...typeNames].filter(
    (type) => type === "boolean" || type === "number" || type === "string" || type === "null",
  );
  if (plain.length === 0 || plain.length !== typeNames.size) return code`unknown`;
  return joinCode(
    plain.map((type) => plainTypes[type]),
    code` | `,
  );
}

const plainTypes = {
  boolean: code`boolean`,
  number: code`number`,
  string: code`string`,
  null: jsonLiteral(null),
} as const;
