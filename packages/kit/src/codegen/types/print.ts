import {
  type Api,
  type Discriminator,
  type JsonType,
  type NamedSchema,
  type Property,
  type Schema,
  schemasByName,
  type SchemasByName,
} from "../../model/index.js";
import { conversionsOf, type Conversions } from "../conversions/conversions.js";
import { code, docComment, identifier, importType, type Code } from "../printer.js";
import { binaryTypesByName, isBinary, type BinaryTypes, type BinaryTypesByName } from "./bytes.js";
import { conditionalProperties } from "./conditional.js";
import { convertedType, unconvertedType } from "./converted.js";
import { describeSchema } from "./describe.js";
import { acceptsAnything, mergeObjectSchemas } from "./merge.js";
import {
  anyOfSchemas,
  constrainingBranches,
  impliedTypes,
  inherit,
  isBareObject,
  onlyBranch,
  valuesBySchema,
} from "./schema-parts.js";
import {
  arrayOf,
  fileTypes,
  intersectionOf,
  literalType,
  namedType,
  neverType,
  objectOf,
  recordOf,
  scalarTypes,
  tupleOf,
  unionOf,
  unknownType,
  type TypeMember,
  type TypeExpression,
} from "./typescript.js";

/** What a file in a form is: clients send any `Blob`, servers receive a `File` with its name. */
export type FileType = "Blob" | "File";

/** Prints the types of one API. */
export class TypePrinter {
  readonly #schemas: SchemasByName;
  readonly #bytes: BinaryTypesByName;
  readonly #conversions: Conversions | undefined;
  readonly #fileType: TypeExpression;

  constructor(api: Api, fileType: FileType = "Blob") {
    this.#fileType = fileTypes[fileType];
    this.#conversions = conversionsOf(api);
    this.#bytes = binaryTypesByName(api);
    this.#schemas = schemasByName(api);
  }

  /** Returns the type of a schema. Named types are imported from `from`. */
  type(schema: Schema, from: string, bytes: BinaryTypes = ["string"]): Code {
    const refer = (each: string): Code => importType(each, from);
    return this.#types(bytes, refer).type(schema).text;
  }

  /** Returns the type of a schema as JSON has its values, without conversions. */
  unconvertedType(schema: Schema, from: string): Code {
    const refer = (each: string): Code => importType(each, from);
    return this.#types(["string"], refer).unconverted().type(schema).text;
  }

  /** Returns the declaration of a named type. Objects become interfaces, so that editors show them by name. */
  declaration({ name: typeName, schema }: NamedSchema): Code {
    const bytes = this.#bytes.of(typeName);
    const types = this.#types(bytes, identifier);
    const { text, kind } = types.type(schema, new Set([typeName]));
    const about = docComment(describeSchema(schema));
    return kind === "members"
      ? code`${about}\nexport interface ${identifier(typeName)} ${text}`
      : code`${about}\nexport type ${identifier(typeName)} = ${text};`;
  }

  #types(bytes: BinaryTypes, refer: (name: string) => Code): SchemaTypes {
    return new SchemaTypes({
      schemas: this.#schemas,
      bytes,
      fileType: this.#fileType,
      refer,
      conversions: this.#conversions,
      isRaw: false,
    });
  }
}

/** The context of a type. */
interface PrintContext {
  readonly schemas: SchemasByName;
  readonly bytes: BinaryTypes;
  readonly fileType: TypeExpression;
  /** Returns the reference to a named type. */
  readonly refer: (name: string) => Code;
  readonly conversions: Conversions | undefined;
  /** True where values are as in JSON, although others are converted. */
  readonly isRaw: boolean;
}

class SchemaTypes {
  readonly #context: PrintContext;

  constructor(context: PrintContext) {
    this.#context = context;
  }

  /** `within` has the named schemas whose fields are being printed. */
  type(schema: Schema, within: ReadonlySet<string> = new Set()): TypeExpression {
    const print = (each: Schema): TypeExpression => this.type(each, within);
    if (schema.never) return neverType;
    if (acceptsAnything(schema)) return unknownType;
    const { conversions, isRaw } = this.#context;
    if (!isRaw && conversions?.isRaw(schema, within) === true) return this.unconverted().type(schema, within);
    if (schema.ref !== undefined) {
      const { ref, ...beside } = schema;
      const reference = this.#reference(ref);
      return acceptsAnything(beside) ? reference : intersectionOf([reference, print(beside)]);
    }
    const values = schema.const === undefined ? schema.enum : [schema.const];
    if (values !== undefined) return unionOf(values.map(literalType));
    const only = onlyBranch(schema);
    if (only !== undefined) return print(only);
    const merged = mergeObjectSchemas(schema, this.#context.schemas, within);
    if (merged !== undefined) return this.type(merged.schema, merged.names);
    const { allOf: _, anyOf = [], oneOf = [], ...core } = schema;
    const parts = constrainingBranches(schema).map(print);
    for (const branches of [anyOf, oneOf]) {
      if (branches.every(acceptsAnything)) continue; // conditions only, such as `anyOf: [{required: [a]}, …]`
      parts.push(
        unionOf(branches.map((branch) => this.#tagged(branch, print(inherit(branch, core)), schema.discriminator))),
      );
    }
    if (!acceptsAnything(core) && !(isBareObject(core) && parts.length > 0)) parts.unshift(this.#core(core, print));
    return intersectionOf(parts);
  }

  /** Prints types as JSON has their values. */
  unconverted(): SchemaTypes {
    return new SchemaTypes({ ...this.#context, isRaw: true });
  }

  #reference(name: string): TypeExpression {
    const { conversions, isRaw, refer } = this.#context;
    const reference = refer(name);
    return isRaw && conversions?.mayConvert(name) === true ? unconvertedType(reference) : namedType(reference);
  }

  #scalar(schema: Schema, type: Exclude<JsonType, "array" | "object">): TypeExpression {
    const { conversions, isRaw } = this.#context;
    const converted = isRaw ? undefined : conversions?.scalarOf(schema, type);
    if (conversions !== undefined && converted !== undefined) return convertedType(converted);
    return type === "string" && isBinary(schema) ? this.#bytes() : scalarTypes[type];
  }

  /** Returns the type from the keywords `type`, `items` and `properties`. */
  #core(schema: Schema, print: PrintSchema): TypeExpression {
    const types = schema.types.length > 0 ? schema.types : impliedTypes(schema);
    return unionOf(
      types.map((type) => {
        if (type === "array") return arrayType(schema, print);
        if (type === "object") return objectType(schema, print);
        return this.#scalar(schema, type);
      }),
    );
  }

  /** A branch of a tagged union together with the tag that leads to it, unless the branch says so itself. */
  #tagged(branch: Schema, printed: TypeExpression, discriminator: Discriminator | undefined): TypeExpression {
    const values = discriminator === undefined ? [] : (valuesBySchema(discriminator).get(branch.ref ?? "") ?? []);
    const [value] = values;
    if (discriminator === undefined || value === undefined || branch.properties !== undefined) return printed;
    const { propertyName } = discriminator;
    const target = branch.ref === undefined ? undefined : this.#context.schemas.get(branch.ref);
    const isOwn = target?.required?.includes(propertyName) && constantOf(target, propertyName) === value;
    if (isOwn && values.length === 1) return printed;
    const tag = { name: propertyName, required: true, type: unionOf(values.map(literalType)), comment: [] };
    return intersectionOf([printed, objectOf([tag], undefined)]);
  }

  #bytes(): TypeExpression {
    return unionOf(this.#context.bytes.map((each) => (each === "Blob" ? this.#context.fileType : scalarTypes.string)));
  }
}

type PrintSchema = (schema: Schema) => TypeExpression;

/** Returns a tuple if the length is fixed, and an array of all item types otherwise. */
function arrayType({ prefixItems: prefix, items, minItems, maxItems }: Schema, print: PrintSchema): TypeExpression {
  if (prefix === undefined) return arrayOf(items === undefined ? unknownType : print(items));
  const isClosed = items?.never === true || maxItems === prefix.length;
  const first = prefix.map(print);
  if (isClosed && minItems === prefix.length) return tupleOf(first);
  const rest = isClosed ? [] : [items === undefined ? unknownType : print(items)];
  const all = [...first, ...rest];
  return arrayOf(all.includes(unknownType) ? unknownType : unionOf(all));
}

function objectType(schema: Schema, print: PrintSchema): TypeExpression {
  if (schema.maxProperties === 0) return recordOf(neverType);
  const properties = [...(schema.properties ?? []), ...conditionalProperties(schema)];
  const described = new Set(properties.map(({ name }) => name));
  const required = new Set(schema.required);
  const undescribed = (schema.required ?? []).filter((each) => !described.has(each));
  const members = [
    ...properties.map((each) => memberOf(each, required, print)),
    ...undescribed.map((each): TypeMember => ({ name: each, required: true, type: unknownType, comment: [] })),
  ];
  const { additionalProperties, patternProperties = {} } = schema;
  const additional = additionalProperties === undefined ? [] : [additionalProperties];
  const others = [...additional, ...Object.values(patternProperties)].filter((each) => !each.never);
  if (others.length === 0) return objectOf(members, undefined);
  // An index signature has to fit the named properties as well. Beside these, only `unknown` fits.
  const isOpen = members.length > 0 || others.some(acceptsAnything);
  const [only] = others;
  const alternatives = others.length === 1 && only ? only : anyOfSchemas(others, schema);
  return objectOf(members, isOpen ? unknownType : print(alternatives));
}

function memberOf(property: Property, required: ReadonlySet<string>, print: PrintSchema): TypeMember {
  const { name: member, schema } = property;
  return {
    name: member,
    required: required.has(member),
    type: print(schema),
    comment: describeSchema(schema),
  };
}

function constantOf({ properties = [] }: Schema, property: string): unknown {
  return properties.find(({ name: each }) => each === property)?.schema.const;
}
