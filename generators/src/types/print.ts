import ts from "typescript";
import { comment, code, name, node, typeImported, using, type Code } from "../emit/printer.js";
import type { Api, NamedShape, Shape } from "../model/api.js";
import { withoutItself } from "./circles.js";
import { describeShape } from "./describe.js";
import { typeSchema, type TypeSchema } from "./document.js";
import { typeNode } from "./openapi-typescript.js";

/** Prints the types of one API. */
export class TypePrinter {
  readonly #shapes: ReadonlyMap<string, Shape>;
  readonly #asWritten = new Map<string, TypeSchema>();
  readonly #schemas = new Map<string, TypeSchema>();

  constructor(api: Api) {
    this.#shapes = new Map(api.shapes.map((each) => [each.name, each.shape] as const));
  }

  /** The type of a shape, with the named types that it uses imported from `from`. */
  type(shape: Shape, from: string): Code {
    const names = new Set<string>();
    const schema = typeSchema(shape, this.#shapes);
    collectNames(schema, names);
    return using(
      node(this.#node(schema)),
      [...names].map((each) => typeImported(each, from)),
    );
  }

  /** The declaration of a named type: an interface where it is an object, which is what an editor then shows by name. */
  declaration({ name: typeName, shape }: NamedShape): Code {
    const tree = this.#node(this.#schema(typeName) ?? {});
    const about = comment([...describeShape(shape)]);
    const isEmpty = ts.isTypeLiteralNode(tree) && tree.members.length === 0;
    if (ts.isTypeLiteralNode(tree) && !isEmpty) return code`${about}\nexport interface ${name(typeName)} ${node(tree)}`;
    return code`${about}\nexport type ${name(typeName)} = ${node(tree)};`;
  }

  #node(schema: TypeSchema): ts.TypeNode {
    return typeNode(schema, (each) => this.#schema(each));
  }

  #schema(typeName: string): TypeSchema | undefined {
    const shape = this.#shapes.get(typeName);
    if (shape === undefined) return undefined;
    const known = this.#schemas.get(typeName);
    if (known !== undefined) return known;
    const schema = withoutItself(typeName, this.#written(typeName, shape), (each) => {
      const other = this.#shapes.get(each);
      return other && this.#written(each, other);
    });
    this.#schemas.set(typeName, schema);
    return schema;
  }

  /** As the description has it, even where it is made of itself. */
  #written(typeName: string, shape: Shape): TypeSchema {
    const known = this.#asWritten.get(typeName) ?? typeSchema(shape, this.#shapes);
    this.#asWritten.set(typeName, known);
    return known;
  }
}

function collectNames(schema: TypeSchema, names: Set<string>): void {
  if (schema.$ref !== undefined) names.add(schema.$ref.slice(2));
  const { items, additionalProperties, properties, prefixItems, allOf, anyOf, oneOf } = schema;
  const nested = [
    items,
    typeof additionalProperties === "object" ? additionalProperties : undefined,
    ...Object.values(properties ?? {}),
  ];
  for (const each of [...nested, ...[prefixItems, allOf, anyOf, oneOf].flatMap((list) => list ?? [])]) {
    if (each !== undefined) collectNames(each, names);
  }
}
