import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ts } from "ts-morph";
import { parse, stringify } from "yaml";

type Text = Record<string, unknown>;

/** Every identifier of the TypeScript files in a folder, in order: of declarations, local variables, imports, types and properties. */
export function identifiersIn(folder: string): readonly string[] {
  const names = new Set<string>();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), "utf8");
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) names.add(node.text);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  }
  return [...names].toSorted();
}

/** Names of the language, of its library and of every object. */
export const languageNames: readonly string[] = [
  ...`Array Awaited Capitalize ConstructorParameters Exclude Extract InstanceType Iterable NoInfer NonNullable Omit OmitThisParameter
  Parameters Partial Pick PropertyKey Readonly ReadonlyArray ReadonlyMap ReadonlySet Record Required ReturnType ThisType Uncapitalize
  any as async await break case class const constructor default delete do else enum eval export extends false finally for from function get
  hasOwnProperty if implements import in infer instanceof interface is isPrototypeOf keyof let module never new null of package private
  prototype public readonly require return satisfies set static super switch then this throw toJSON toString true try type typeof undefined
  unique unknown using valueOf var void while with yield`.split(/\s+/),
  ...Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Za-z]\w*$/.test(name)),
];

/** The beginnings and the endings of names, by their words: `checkPet`, `PetBody` and the like of `checkPetBody`. */
export function partsOf(names: readonly string[]): readonly string[] {
  const parts = names.flatMap((name) => {
    const words = name.split(/(?=[A-Z])/);
    return words.flatMap((_, index) => [words.slice(index).join(""), words.slice(0, index + 1).join("")]);
  });
  return [...new Set(parts)].toSorted();
}

/** Adds a schema, an operation, a tag, parameters, headers and properties of each name to a description. */
export function withNames(text: string, names: readonly string[]): string {
  const description = parse(text) as { paths: Text; components: { schemas: Text } };
  const { paths, components } = description;
  const added = names.filter((name) => !Object.hasOwn(components.schemas, name));
  for (const [index, name] of added.entries())
    components.schemas[name] = schemaOf(name, index, (by) => added[index + by] ?? "Pet");
  for (const [index, name] of names.entries())
    paths[`/names/${index}/{${pathParameter(name)}}`] = {
      [methods[index % methods.length] ?? "get"]: operationOf(name, index),
    };
  return stringify(description, { aliasDuplicateObjects: false });
}

const methods = ["post", "put", "patch", "get", "delete"];

function schemaOf(name: string, index: number, other: (by: number) => string): unknown {
  const kinds = [
    {
      type: "object",
      properties: {
        [name]: { type: "string", default: "x" },
        id: { type: "string", readOnly: true },
        secret: { type: "string", writeOnly: true },
        next: reference(other(3)),
      },
    },
    { type: "string", pattern: "^a" },
    reference(other(1)),
    { type: "array", items: { type: "object", properties: { [name]: { enum: [1, 2], default: 1 } } } },
    {
      oneOf: [
        { type: "object", required: ["a"], properties: { a: { const: name } } },
        { type: "object", required: ["b"], properties: { b: { type: "string", format: "date-time" } } },
      ],
    },
    { allOf: [reference("Pet"), { type: "object", properties: { [name]: { type: "string", default: "y" } } }] },
  ];
  return kinds[index % kinds.length];
}

function operationOf(name: string, index: number): unknown {
  const inline = { type: "object", properties: { [name]: reference(name), x: { type: "string", default: "x" } } };
  const json = (schema: unknown): unknown => ({ "application/json": { schema } });
  return {
    operationId: name,
    tags: [name],
    parameters: [
      { name: pathParameter(name), in: "path", required: true, schema: { type: "string" } },
      { name, in: "query", schema: { type: "integer", minimum: 1 } },
      { name, in: "header", schema: reference(name) },
    ],
    ...(index % methods.length < 3
      ? { requestBody: { content: json(index % 2 === 0 ? inline : reference(name)) } }
      : {}),
    responses: {
      "200": {
        description: "ok",
        headers: { [name]: { schema: { type: "string" } } },
        content: json(index % 3 === 0 ? inline : reference(name)),
      },
      "400": { description: "no", content: json({ type: "object", properties: { [name]: { type: "string" } } }) },
    },
  };
}

/** The linter expects letters and digits in templates. */
function pathParameter(name: string): string {
  return /^\w+$/.test(name) ? name : "other";
}

function reference(name: string): unknown {
  return { $ref: `#/components/schemas/${name}` };
}
