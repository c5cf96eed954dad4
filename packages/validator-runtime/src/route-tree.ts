import type { ParameterDefinition } from "./operation.js";
import { encodedSlash, isPlain, isPlainAroundSlashes, slashesIn } from "./path-segment.js";

/** The operations of a path, by method. */
export interface Target<T> {
  readonly methods: ReadonlyMap<string, T>;
  readonly refusal: { readonly kind: "method"; readonly allow: readonly string[] };
}

interface Added<T> {
  readonly path: string;
  readonly method: string;
  readonly route: T;
  readonly parameter: (name: string) => Pick<ParameterDefinition, "segments" | "encodedSlash"> | undefined;
}

// The default number of segments of a parameter that may have several.
const usualSegments = 2;

/** A node of the tree of paths: its children, and the operations that end here. */
export class Place<T> {
  readonly #statics = new Map<string, Place<T>>();
  /** Segments with text around parameters, such as `{id}.json`. Those with the most text come first. */
  readonly #mixed: { readonly pattern: Pattern; readonly place: Place<T> }[] = [];
  #parameter: Place<T> | undefined;
  /** Whether some operation accepts encoded slashes in the parameter that follows. */
  #hasEncodedSlash = false;
  #matrix: Place<T> | undefined;
  #several: { readonly most: number; readonly place: Place<T> } | undefined;
  #target: Target<T> | undefined;
  /** By method, for each parameter of the path: true if its value may have encoded slashes. */
  readonly #slashes = new Map<string, readonly boolean[]>();
  /** True if a trailing slash after a static segment is allowed: `/compute/instances/`. */
  #mayHaveSlash = true;

  add({ path, method, route, parameter }: Added<T>): void {
    const parts = path.split("/").filter((segment) => segment !== "");
    const place = parts.reduce<Place<T>>((at, segment) => at.#below(segment, parameter), this);
    const before = place.#target?.methods ?? new Map<string, T>();
    if (before.has(method)) throw new TypeError(`Duplicate route ${method} ${path}.`);
    place.#target = targetOf(new Map([...before, [method, route]]));
    const parameters = [...path.matchAll(/\{([+;]?)([^{}]*)\}/g)];
    const slashes = parameters.map(([, operator, name = ""]) => operator === "+" || acceptsSlash(parameter(name)));
    place.#slashes.set(method, slashes);
  }

  /** Walks the tree from the segment at an index. Adds the values of parameters in order, still encoded. */
  walk(path: string, at: number, values: string[]): Target<T> | undefined {
    if (at > path.length) return this.#targetFor(values);
    const slash = path.indexOf("/", at);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(at, end);
    if (segment === "") return end === path.length && this.#mayHaveSlash ? this.#targetFor(values) : undefined;
    return (
      this.#statics.get(segment)?.walk(path, end + 1, values) ??
      this.#walkMixed(segment, { path, next: end + 1, values }) ??
      (this.#parameter && (isPlain(segment) || (this.#hasEncodedSlash && isPlainAroundSlashes(segment)))
        ? walkWith(this.#parameter, [segment], { path, next: end + 1, values })
        : undefined) ??
      (this.#matrix && isPlain(segment.replaceAll(";", ""))
        ? walkWith(this.#matrix, [segment], { path, next: end + 1, values })
        : undefined) ??
      this.#walkSeveral(path, at, values)
    );
  }

  /** The operations that accept these values: others on the same path may accept no encoded slash. */
  #targetFor(values: readonly string[]): Target<T> | undefined {
    const slashed = values.flatMap((value, index) => (encodedSlash.test(value) ? [index] : []));
    if (slashed.length === 0 || this.#target === undefined) return this.#target;
    const accepts = ([method]: readonly [string, T]) =>
      slashed.every((index) => this.#slashes.get(method)?.[index] === true);
    const methods = [...this.#target.methods].filter(accepts);
    return methods.length === 0 ? undefined : targetOf(new Map(methods));
  }

  #below(segment: string, parameterOf: Added<T>["parameter"]): Place<T> {
    const whole = /^\{([+;]?)([^{}]*)\}$/.exec(segment);
    const place = new Place<T>();
    if (whole === null && !segment.includes("{")) return getOrSet(this.#statics, segment, place);
    place.#mayHaveSlash = false;
    if (whole === null) return this.#belowMixed(segment, place);
    const [, operator, name = ""] = whole;
    if (operator === ";") return (this.#matrix ??= place);
    if (operator === "") {
      this.#hasEncodedSlash ||= acceptsSlash(parameterOf(name));
      return (this.#parameter ??= place);
    }
    const most = Math.max(parameterOf(name)?.segments ?? usualSegments, this.#several?.most ?? 0);
    this.#several = { most, place: this.#several?.place ?? place };
    return this.#several.place;
  }

  #belowMixed(segment: string, place: Place<T>): Place<T> {
    const pattern = patternOf(segment);
    const same = this.#mixed.find((each) => each.pattern.texts.join("{}") === pattern.texts.join("{}"));
    if (same !== undefined) return same.place;
    this.#mixed.push({ pattern, place });
    this.#mixed.sort((a, b) => b.pattern.weight - a.pattern.weight);
    return place;
  }

  #walkMixed(segment: string, on: Walk): Target<T> | undefined {
    for (const { pattern, place } of this.#mixed) {
      const found = pattern.match(segment);
      const target = found?.every(isPlain) === true ? walkWith(place, found, on) : undefined;
      if (target !== undefined) return target;
    }
    return undefined;
  }

  /** Tries the fewest segments first. An encoded slash counts as a separator. */
  #walkSeveral(path: string, at: number, values: string[]): Target<T> | undefined {
    if (this.#several === undefined) return undefined;
    const { most, place } = this.#several;
    let end = at - 1;
    while (end < path.length) {
      const slash = path.indexOf("/", end + 1);
      end = slash === -1 ? path.length : slash;
      const value = path.slice(at, end);
      const parts = value.split(slashesIn);
      if (parts.length > most || !parts.every((part) => part !== "" && isPlain(part))) return undefined;
      const target = walkWith(place, [value], { path, next: end + 1, values });
      if (target !== undefined) return target;
    }
    return undefined;
  }
}

function targetOf<T>(methods: ReadonlyMap<string, T>): Target<T> {
  const allow = [...methods.keys(), ...(methods.has("GET") && !methods.has("HEAD") ? ["HEAD"] : [])];
  return { methods, refusal: { kind: "method", allow } };
}

function acceptsSlash(parameter: ReturnType<Added<unknown>["parameter"]>): boolean {
  return parameter?.encodedSlash === true;
}

interface Walk {
  readonly path: string;
  readonly next: number;
  readonly values: string[];
}

/** Removes the values if no route matches. */
function walkWith<T>(place: Place<T>, added: readonly string[], { path, next, values }: Walk): Target<T> | undefined {
  const before = values.length;
  values.push(...added);
  const target = place.walk(path, next, values);
  if (target === undefined) values.length = before;
  return target;
}

function getOrSet<T>(map: Map<string, T>, key: string, otherwise: T): T {
  const there = map.get(key) ?? otherwise;
  map.set(key, there);
  return there;
}

interface Pattern {
  readonly texts: readonly string[];
  /** Number of literal characters. */
  readonly weight: number;
  match(segment: string): readonly string[] | undefined;
}

/** Parses `{id}.json`, `{from}...{to}`. Each parameter is the shortest non-empty text before the next literal. */
function patternOf(template: string): Pattern {
  const texts = template.split(/\{[^{}]*\}/);
  const [first = "", ...others] = texts;
  const last = others.at(-1) ?? "";
  const match = (segment: string) => {
    if (!segment.startsWith(first) || !segment.endsWith(last)) return undefined;
    const values: string[] = [];
    let at = first.length;
    for (const [index, text] of others.entries()) {
      const end = index === others.length - 1 ? segment.length - last.length : segment.indexOf(text, at + 1);
      if (end <= at) return undefined;
      values.push(segment.slice(at, end));
      at = end + text.length;
    }
    return values;
  };
  return { texts, weight: texts.join("").length, match };
}
