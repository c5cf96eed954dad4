import { code, join, key, literal, name, type Code } from "../../emit/printer.js";
import { readField } from "../../judging/checks/objects.js";
import type { Pool } from "../../judging/checks/pool.js";
import type { NamedShape, Shape } from "../../model/api.js";
import { pascalCase } from "../../model/names.js";
import { $server, $serverType } from "../runtime.js";
import { fieldsOf, itemsOf, othersOf, scalarOf, type Kinds, kindsOf } from "./parts.js";
import { describe, onlyReference, positionKey, simplified, type Described, type Position } from "./positions.js";
import type { TaggedUnion } from "./unions.js";
import { visibleValue, type Audience } from "./visibility.js";

interface Task {
  readonly own: Code;
  readonly body: () => readonly Code[];
}

/** The serializers of schemas, each printed once with its dependencies. A schema may contain itself. */
export class ShowFunctions {
  readonly #shapes: ReadonlyMap<string, Shape>;
  readonly #pool: Pool;
  readonly #audience: Audience;
  readonly #tasks: Task[] = [];
  readonly #made = new Map<string, Code>();
  readonly #names: Set<string>;

  constructor(shapes: readonly NamedShape[], pool: Pool, audience: Audience) {
    this.#shapes = new Map(shapes.map((each) => [each.name, each.shape] as const));
    this.#names = new Set(shapes.map((each) => `show${each.name}`));
    this.#pool = pool;
    this.#audience = audience;
  }

  /** Returns the serializer of a schema. */
  of(shape: Shape, hint: string): Code {
    return this.#function(position([shape]), hint);
  }

  /** Prints every requested function. Printing one may request others. */
  print(): readonly Code[] {
    const functions: Code[] = [];
    for (const { own, body } of this.#tasks) {
      functions.push(code`function ${own}(value: unknown, viewer: ${$serverType("Viewer")}): unknown {\n${body()}\n}`);
    }
    return functions;
  }

  #function(at: Position, hint: string): Code {
    const described = describe(at, this.#shapes);
    if (described.parts.some((part) => part.visible?.in !== undefined || part.visible?.when !== undefined))
      return this.#task(`visible ${positionKey(at)}`, `${hint} seen`, () => [
        code`return ${this.#value(at, code`value`, hint)};`,
      ]);
    return this.#plainFunction(at, described, hint);
  }

  /** Returns the serializer of a value without visibility rules. */
  #plainFunction(at: Position, described: Described, hint: string): Code {
    const kinds = kindsOf(described);
    if (kinds.isOpen) return $server("asGiven");
    if (!kinds.isObject && !kinds.isList) return $server(scalarOf(described));
    const reference = onlyReference(at);
    return this.#task(positionKey(at), reference ?? hint, () =>
      this.#body({ at, described, kinds, hint: reference ?? hint }),
    );
  }

  /** Emits an expression that serializes a value. */
  #value(at: Position, value: Code, hint: string): Code {
    const described = describe(at, this.#shapes);
    return described.parts.reduce(
      (shown, part) => visibleValue(shown, part, hint, this.#audience),
      this.#plainValue(at, described, { value, hint }),
    );
  }

  #plainValue(
    at: Position,
    described: Described,
    { value, hint }: { readonly value: Code; readonly hint: string },
  ): Code {
    const kinds = kindsOf(described);
    if (kinds.isOpen) return value;
    if (!kinds.isObject) return this.#notObject(described, kinds, { value, hint });
    return code`${this.#plainFunction(at, described, hint)}(${value}, viewer)`;
  }

  /** Emits an expression that serializes an array or a scalar. */
  #notObject(
    described: Described,
    kinds: Kinds,
    { value, hint }: { readonly value: Code; readonly hint: string },
  ): Code {
    if (!kinds.isList) return code`${$server(scalarOf(described))}(${value})`;
    if (kinds.isAnyList) return value;
    const { places, rest } = itemsOf(described);
    const item = rest.length === 0 ? undefined : this.#function(position(rest), `${hint} item`);
    if (places.length === 0) return code`${$server("itemsOf")}(${value}, viewer, ${item ?? $server("asGiven")})`;
    const first = places.map((shapes, index) => this.#function(position(shapes), `${hint} item ${index + 1}`));
    const behind = item === undefined ? code`` : code`, ${item}`;
    return code`${$server("placesOf")}(${value}, viewer, [${join(first, code`, `)}]${behind})`;
  }

  #body(given: Given): readonly Code[] {
    const { described, kinds, hint } = given;
    const other = this.#notObject(described, kinds, { value: code`value`, hint });
    if (!kinds.isObject) return [code`return ${other};`];
    if (kinds.isAnyObject) return [code`return ${$server("fieldsOf")}(value) === undefined ? ${other} : value;`];
    return [
      code`const fields = ${$server("fieldsOf")}(value);`,
      code`if (fields === undefined) return ${other};`,
      ...(described.union === undefined ? [] : this.#byTag(described.union, given)),
      code`return ${this.#object(described, hint)};`,
    ];
  }

  /** Calls the serializer of the branch that a field selects. Other values get the fields outside of the branches. */
  #byTag(union: TaggedUnion, { at, hint }: Given): readonly Code[] {
    const beside: Position = { shapes: at.shapes, settled: [...at.settled, union.shape] };
    const rest = describe(beside, this.#shapes);
    const isAlone = kindsOf(rest).isOpen || (fieldsOf(rest).length === 0 && othersOf(rest).isNone);
    const cases = union.branches.map(({ value, shape }) => {
      const where = isAlone ? position([shape]) : simplified({ ...beside, shapes: [...at.shapes, shape] });
      const show = this.#function(where, `${hint} ${shape.ref ?? value}`);
      return code`case ${literal(value)}: return ${show}(fields, viewer);`;
    });
    return [code`switch (${readField(code`fields`, union.property)}) {\n${cases}\n}`];
  }

  #object(described: Described, hint: string): Code {
    const fields = fieldsOf(described);
    const members = fields.map(({ name: field, shapes }) => {
      const value = this.#value(position(shapes), readField(code`fields`, field), `${hint} ${field}`);
      return code`${key(field)}: ${value},`;
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
  #others(described: Described, names: readonly string[], hint: string): Code | undefined {
    const { matching, rest, isNone } = othersOf(described);
    if (isNone) return undefined;
    const patterns = matching.map(({ pattern, shape }, index) => {
      const test = this.#pool.pattern(`fields of ${hint}`, pattern, shape.origin);
      return code`[${test}, ${this.#function(position([shape]), `${hint} matching ${index + 1}`)}]`;
    });
    const entries = [
      code`named: ${this.#pool.set(`names of ${hint}`, names)}`,
      ...(patterns.length === 0 ? [] : [code`matching: [${join(patterns, code`, `)}]`]),
      ...(rest.length === 0 ? [] : [code`rest: ${this.#function(position(rest), `${hint} other`)}`]),
    ];
    return code`...${$server("othersOf")}(fields, viewer, { ${join(entries, code`, `)} }),`;
  }

  #task(known: string, hint: string, body: Task["body"]): Code {
    const made = this.#made.get(known);
    if (made !== undefined) return made;
    const own = name(this.#shapes.has(hint) ? `show${hint}` : this.#free(hint));
    this.#made.set(known, own);
    this.#tasks.push({ own, body });
    return own;
  }

  #free(hint: string): string {
    const stem = `show${(pascalCase(hint) ?? "Value").slice(0, 80)}`;
    let free = stem;
    for (let next = 2; this.#names.has(free); next += 1) free = `${stem}${next}`;
    this.#names.add(free);
    return free;
  }
}

interface Given {
  readonly at: Position;
  readonly described: Described;
  readonly kinds: Kinds;
  readonly hint: string;
}

function position(shapes: readonly Shape[]): Position {
  return simplified({ shapes, settled: [] });
}
