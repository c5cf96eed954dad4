import { code, joinCode, propertyKey, jsonLiteral, identifier, type Code } from "@plumbline/kit/codegen";
import { emitFieldAccess, type HoistedConstants } from "@plumbline/kit/codegen/validation";
import { type NamedSchema, type Schema, pascalCase } from "@plumbline/kit/model";
import { serverFunction, serverType } from "../../runtime.js";
import {
  positionFields,
  positionItems,
  additionalFields,
  scalarSerializer,
  type PositionKinds,
  positionKinds,
} from "./parts.js";
import {
  flattenPosition,
  soleReference,
  positionKey,
  simplifyPosition,
  type FlattenedPosition,
  type SchemaPosition,
} from "./positions.js";
import type { TaggedUnion } from "./unions.js";
import { emitVisibleValue, hasVisibility, type VisibilityContext } from "./visibility.js";

/**
 * Branches that no field selects are merged, and within them those of their fields: the number of combinations can grow exponentially. The
 * outermost are printed first. What lies deeper is sent as the handler returned it.
 */
const maxMergedPositions = 1000;

interface FunctionTask {
  readonly name: Code;
  readonly body: () => readonly Code[];
}

/** The serializers of schemas, each printed once with its dependencies. A schema may contain itself. */
export class SerializerFunctions {
  readonly #schemas: ReadonlyMap<string, Schema>;
  readonly #constants: HoistedConstants;
  readonly #visibility: VisibilityContext;
  readonly #tasks: FunctionTask[] = [];
  readonly #created = new Map<string, Code>();
  readonly #names: Set<string>;
  /** True if some callers do not see some values: then nothing is passed through. */
  readonly #hasVisibility: boolean;
  #merged = 0;

  constructor(schemas: readonly NamedSchema[], pool: HoistedConstants, audience: VisibilityContext) {
    this.#schemas = new Map(schemas.map((each) => [each.name, each.schema] as const));
    this.#names = new Set(schemas.map((each) => `serialize${each.name}`));
    this.#hasVisibility = schemas.some(({ schema }) => hasVisibility(schema));
    this.#constants = pool;
    this.#visibility = audience;
  }

  /** Returns the serializer of a schema. */
  of(schema: Schema, hint: string): Code {
    return this.#function(positionOf([schema]), hint);
  }

  /** Prints every requested function. Printing one may request others. */
  print(): readonly Code[] {
    const functions: Code[] = [];
    for (const { name, body } of this.#tasks) {
      functions.push(
        code`function ${name}(value: unknown, context: ${serverType("SerializationContext")}): unknown {\n${body()}\n}`,
      );
    }
    return functions;
  }

  #function(at: SchemaPosition, hint: string): Code {
    const described = flattenPosition(at, this.#schemas);
    if (described.parts.some((part) => part.visibility?.in !== undefined || part.visibility?.when !== undefined))
      return this.#task(`visible ${positionKey(at)}`, `${hint} seen`, () => [
        code`return ${this.#value(at, code`value`, hint)};`,
      ]);
    return this.#plainFunction(at, described, hint);
  }

  /** Returns the serializer of a value without visibility rules. */
  #plainFunction(at: SchemaPosition, described: FlattenedPosition, hint: string): Code {
    const kinds = positionKinds(described);
    if (kinds.isOpen) return serverFunction("passthrough");
    if (!kinds.isObject && !kinds.isList) return serverFunction(scalarSerializer(described));
    const reference = soleReference(at);
    const key = positionKey(at);
    if (at.schemas.length > 1 && !this.#created.has(key)) {
      if (this.#merged >= maxMergedPositions && !this.#hasVisibility) return serverFunction("passthrough");
      this.#merged += 1;
    }
    return this.#task(key, reference ?? hint, () =>
      this.#body({ at, flattened: described, kinds, hint: reference ?? hint }),
    );
  }

  /** Emits an expression that serializes a value. */
  #value(at: SchemaPosition, value: Code, hint: string): Code {
    const described = flattenPosition(at, this.#schemas);
    return described.parts.reduce(
      (expression, part) => emitVisibleValue(expression, part, hint, this.#visibility),
      this.#plainValue(at, described, { value, hint }),
    );
  }

  #plainValue(
    at: SchemaPosition,
    described: FlattenedPosition,
    { value, hint }: { readonly value: Code; readonly hint: string },
  ): Code {
    const kinds = positionKinds(described);
    if (kinds.isOpen) return value;
    if (!kinds.isObject) return this.#notObject(described, kinds, { value, hint });
    return code`${this.#plainFunction(at, described, hint)}(${value}, context)`;
  }

  /** Emits an expression that serializes an array or a scalar. */
  #notObject(
    described: FlattenedPosition,
    kinds: PositionKinds,
    { value, hint }: { readonly value: Code; readonly hint: string },
  ): Code {
    if (!kinds.isList) return code`${serverFunction(scalarSerializer(described))}(${value})`;
    if (kinds.isAnyList) return value;
    const { places, rest } = positionItems(described);
    const item = rest.length === 0 ? undefined : this.#function(positionOf(rest), `${hint} item`);
    if (places.length === 0)
      return code`${serverFunction("serializeItems")}(${value}, context, ${item ?? serverFunction("passthrough")})`;
    const first = places.map((schemas, index) => this.#function(positionOf(schemas), `${hint} item ${index + 1}`));
    const behind = item === undefined ? code`` : code`, ${item}`;
    return code`${serverFunction("serializeTuple")}(${value}, context, [${joinCode(first, code`, `)}]${behind})`;
  }

  #body(context: BodyContext): readonly Code[] {
    const { flattened, kinds, hint } = context;
    const other = this.#notObject(flattened, kinds, { value: code`value`, hint });
    if (!kinds.isObject) return [code`return ${other};`];
    if (kinds.isAnyObject) return [code`return ${serverFunction("toRecord")}(value) === undefined ? ${other} : value;`];
    return [
      code`const fields = ${serverFunction("toRecord")}(value);`,
      code`if (fields === undefined) return ${other};`,
      ...(flattened.union === undefined ? [] : this.#byTag(flattened.union, context)),
      code`return ${this.#object(flattened, hint)};`,
    ];
  }

  /** Calls the serializer of the branch that a field selects. Other values get the fields outside of the branches. */
  #byTag(union: TaggedUnion, { at, hint }: BodyContext): readonly Code[] {
    const beside: SchemaPosition = { schemas: at.schemas, settled: [...at.settled, union.schema] };
    const rest = flattenPosition(beside, this.#schemas);
    const isAlone = positionKinds(rest).isOpen || (positionFields(rest).length === 0 && additionalFields(rest).isNone);
    const cases = union.branches.map(({ value, schema }) => {
      const where = isAlone ? positionOf([schema]) : simplifyPosition({ ...beside, schemas: [...at.schemas, schema] });
      const serialized = this.#value(where, code`fields`, `${hint} ${schema.ref ?? value}`);
      return code`case ${jsonLiteral(value)}: return ${serialized};`;
    });
    return [code`switch (${emitFieldAccess(code`fields`, union.property)}) {\n${cases}\n}`];
  }

  #object(described: FlattenedPosition, hint: string): Code {
    const fields = positionFields(described);
    const members = fields.map(({ name: field, schemas }) => {
      const value = this.#value(positionOf(schemas), emitFieldAccess(code`fields`, field), `${hint} ${field}`);
      return code`${propertyKey(field)}: ${value},`;
    });
    const others = this.#others(
      described,
      fields.map((field) => field.name),
      hint,
    );
    const all = others === undefined ? members : [...members, others];
    return all.length === 0 ? code`{}` : code`{\n${all}\n}`;
  }

  /** Emits the fields that are not declared by name. */
  #others(described: FlattenedPosition, names: readonly string[], hint: string): Code | undefined {
    const { matching, rest, isNone } = additionalFields(described);
    if (isNone) return undefined;
    const patterns = matching.map(({ pattern, schema }, index) => {
      const test = this.#constants.pattern(`fields of ${hint}`, pattern, schema);
      return code`[${test}, ${this.#function(positionOf([schema]), `${hint} matching ${index + 1}`)}]`;
    });
    const entries = [
      code`named: ${this.#constants.set(`names of ${hint}`, names)}`,
      ...(patterns.length === 0 ? [] : [code`matching: [${joinCode(patterns, code`, `)}]`]),
      ...(rest.length === 0 ? [] : [code`rest: ${this.#function(positionOf(rest), `${hint} other`)}`]),
    ];
    return code`...${serverFunction("serializeAdditional")}(fields, context, { ${joinCode(entries, code`, `)} }),`;
  }

  #task(key: string, hint: string, body: FunctionTask["body"]): Code {
    const existing = this.#created.get(key);
    if (existing !== undefined) return existing;
    const name = identifier(this.#schemas.has(hint) ? `serialize${hint}` : this.#free(hint));
    this.#created.set(key, name);
    this.#tasks.push({ name, body });
    return name;
  }

  #free(hint: string): string {
    const stem = `serialize${(pascalCase(hint) ?? "Value").slice(0, 80)}`;
    let free = stem;
    for (let next = 2; this.#names.has(free); next += 1) free = `${stem}${next}`;
    this.#names.add(free);
    return free;
  }
}

interface BodyContext {
  readonly at: SchemaPosition;
  readonly flattened: FlattenedPosition;
  readonly kinds: PositionKinds;
  readonly hint: string;
}

function positionOf(schemas: readonly Schema[]): SchemaPosition {
  return simplifyPosition({ schemas, settled: [] });
}
