import { type Code, code, joinCode, jsonLiteral, propertyKey } from "@plumbline/kit/codegen";
import { listLiteral, objectLiteral } from "@plumbline/kit/codegen/conditions";
import type { CompileContext } from "@plumbline/kit/codegen/validation";
import { type Api, isJsonArray, isJsonObject, type Json } from "@plumbline/kit/model";
import { sampleOf } from "./samples.js";

/** Shorter ones are as long as the name of a constant. In characters of JSON. */
const leastLength = 60;

/** Prints values of a definition. What it contains several times is a constant of its file. */
export class RepeatedValues {
  readonly #context: CompileContext;
  readonly #counts = new Map<string, number>();
  readonly #constants = new Map<string, Code>();
  readonly #names: ReadonlyMap<string, string>;
  #isCounting = true;

  constructor(api: Api, context: CompileContext) {
    this.#context = context;
    // Schemas that the mock infers come last. The name that the description has for one is the better one.
    const schemas = api.schemas.toReversed();
    this.#names = new Map(
      schemas.map(({ name, schema }) => [JSON.stringify(sampleOf(api, schema)), `${name} example`] as const),
    );
  }

  /** Prints what `emit` returns, which prints its values with `literal`. It is called twice: values are counted first. */
  print(emit: () => Code): Code {
    emit();
    this.#isCounting = false;
    return emit();
  }

  /** Prints a value. `hint` is the stem of the constant's name if it is no example of a named schema. */
  literal(value: Json, hint: string): Code {
    if (!isRepeatable(value)) return this.#members(value, hint);
    const text = JSON.stringify(value);
    const stem = this.#names.get(text) ?? hint;
    return this.once(text, stem, () => this.#members(value, stem));
  }

  /** Prints an object that differs from a base in few members: as the base with these. */
  variant(value: Json, base: Json | undefined, hint: string): Code {
    const changes = changedMembers(value, base);
    const isConstant = base !== undefined && (this.#isCounting || (this.#counts.get(JSON.stringify(base)) ?? 0) > 1);
    if (changes === undefined || !isConstant) return this.literal(value, hint);
    const common = this.literal(base, hint);
    if (Object.keys(changes).length === 0) return common;
    const members = this.#entries(changes, hint);
    return code`{ ${joinCode([code`...${common}`, ...members], code`, `)} }`;
  }

  /** Prints what `emit` returns, as a constant if the definition has the same `key` several times. */
  once(key: string, stem: string, emit: () => Code): Code {
    const count = this.#count(key);
    if (this.#isCounting) return count === 1 ? emit() : jsonLiteral(null);
    if (count < 2) return emit();
    const existing = this.#constants.get(key);
    if (existing !== undefined) return existing;
    const members = emit();
    const constant = this.#context.constants.share(stem, (name) => code`const ${name} = ${members};`);
    this.#constants.set(key, constant);
    return constant;
  }

  /** Prints an object whose members from `common` are those of a constant, if others have them, too. */
  spread(
    common: Readonly<Record<string, Json>>,
    stem: string,
    members: Readonly<Record<string, Code | undefined>>,
  ): Code {
    const entries = Object.entries(common).map(([name, value]) => [name, jsonLiteral(value)] as const);
    const literals = { ...Object.fromEntries(entries), ...members };
    const isShared = entries.length > 1 && this.#count(JSON.stringify(common)) > 1;
    if (!isShared || this.#isCounting) return objectLiteral(literals);
    const constant = this.once(JSON.stringify(common), stem, () => jsonLiteral(common));
    const rest = Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [code`${propertyKey(name)}: ${value}`],
    );
    return code`{ ${joinCode([code`...${constant}`, ...rest], code`, `)} }`;
  }

  /** How often the definition has a key. While values are counted: so far. */
  #count(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + (this.#isCounting ? 1 : 0);
    this.#counts.set(key, count);
    return count;
  }

  #members(value: Json, hint: string): Code {
    if (isJsonArray(value)) return listLiteral(value.map((item) => this.literal(item, `${hint} item`)));
    if (!isJsonObject(value)) return jsonLiteral(value);
    const members = this.#entries(value, hint);
    return members.length === 0 ? code`{}` : code`{ ${joinCode(members, code`, `)} }`;
  }

  #entries(value: Readonly<Record<string, Json>>, hint: string): readonly Code[] {
    return Object.entries(value).map(
      ([name, inner]) => code`${propertyKey(name)}: ${this.literal(inner, `${hint} ${name}`)}`,
    );
  }
}

function isRepeatable(value: Json): boolean {
  return typeof value === "object" && value !== null && JSON.stringify(value).length >= leastLength;
}

/** The members that differ from those of a base with the same names. Undefined if most do. */
function changedMembers(value: Json, base: Json | undefined): Readonly<Record<string, Json>> | undefined {
  if (!isJsonObject(value) || !isJsonObject(base) || !isRepeatable(base)) return undefined;
  const names = Object.keys(value);
  if (JSON.stringify(names) !== JSON.stringify(Object.keys(base))) return undefined;
  const changes = Object.entries(value).filter(([name, each]) => JSON.stringify(each) !== JSON.stringify(base[name]));
  return changes.length * 2 > names.length ? undefined : Object.fromEntries(changes);
}
