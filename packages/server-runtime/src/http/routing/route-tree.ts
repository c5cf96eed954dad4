import { encodedSlash, isPlain, isPlainBetweenSlashes, slashesIn } from "./path-segment.js";

/** The operations of a path, by method. */
export interface RouteTarget<T> {
  readonly methods: ReadonlyMap<string, T>;
  readonly methodError: { readonly kind: "method"; readonly allow: readonly string[] };
}

interface NewRoute<T> {
  readonly path: string;
  readonly method: string;
  readonly route: T;
  readonly parameter: (name: string) => RouteParameter | undefined;
}

/** How many segments a parameter of a path has, and whether its one segment may have encoded slashes. */
export interface RouteParameter {
  readonly segments?: number;
  readonly encodedSlash?: boolean;
}

// The default number of segments of a parameter that may have several.
const defaultMaxSegments = 2;

/** A node of the tree of paths: its children, and the operations that end here. */
export class RouteNode<T> {
  readonly #statics = new Map<string, RouteNode<T>>();
  /** Segments with text around parameters, such as `{id}.json`. Those with the most text come first. */
  readonly #mixed: { readonly pattern: Pattern; readonly node: RouteNode<T> }[] = [];
  #parameter: RouteNode<T> | undefined;
  /** Whether some operation accepts encoded slashes in the parameter that follows. */
  #hasEncodedSlash = false;
  #matrix: RouteNode<T> | undefined;
  #several: { readonly most: number; readonly node: RouteNode<T> } | undefined;
  #end: RouteEnd<T> | undefined;
  /** The end of a template with a trailing slash, such as `/pets/{id}/`. */
  #slashEnd: RouteEnd<T> | undefined;
  /** True after a static segment: `/compute/instances/` matches `/compute/instances`, and the reverse, unless both are templates. */
  #slashIsOptional = true;

  add({ path, method, route, parameter }: NewRoute<T>): void {
    const parts = path.split("/").filter((segment) => segment !== "");
    const node = parts.reduce<RouteNode<T>>((at, segment) => at.#below(segment, parameter), this);
    const end = path.endsWith("/") ? (node.#slashEnd ??= emptyEnd()) : (node.#end ??= emptyEnd());
    const before = end.target.methods;
    // Two paths may differ by the names of parameters only, or by a query: the linter reports it.
    if (before.has(method)) return;
    end.target = targetOf(new Map([...before, [method, route]]));
    const parameters = [...path.matchAll(/\{([+;]?)([^{}]*)\}/g)];
    const slashes = parameters.map(([, operator, name = ""]) => operator === "+" || acceptsSlash(parameter(name)));
    end.slashes.set(method, slashes);
  }

  /** Walks the tree from the segment at an index. Adds the values of parameters in order, still encoded. */
  walk(path: string, at: number, values: string[]): RouteTarget<T> | undefined {
    if (at > path.length) return targetFor(this.#end ?? (this.#slashIsOptional ? this.#slashEnd : undefined), values);
    const slash = path.indexOf("/", at);
    const end = slash === -1 ? path.length : slash;
    const segment = path.slice(at, end);
    if (segment === "") {
      if (end < path.length) return undefined;
      return targetFor(this.#slashEnd ?? (this.#slashIsOptional ? this.#end : undefined), values);
    }
    return (
      this.#statics.get(segment)?.walk(path, end + 1, values) ??
      this.#walkMixed(segment, { path, next: end + 1, values }) ??
      (this.#parameter && (isPlain(segment) || (this.#hasEncodedSlash && isPlainBetweenSlashes(segment)))
        ? walkWith(this.#parameter, [segment], { path, next: end + 1, values })
        : undefined) ??
      (this.#matrix && isPlain(segment.replaceAll(";", ""))
        ? walkWith(this.#matrix, [segment], { path, next: end + 1, values })
        : undefined) ??
      this.#walkSeveral(path, at, values)
    );
  }

  #below(segment: string, parameterOf: NewRoute<T>["parameter"]): RouteNode<T> {
    const whole = /^\{([+;]?)([^{}]*)\}$/.exec(segment);
    const node = new RouteNode<T>();
    if (whole === null && !segment.includes("{")) return getOrSet(this.#statics, segment, node);
    node.#slashIsOptional = false;
    if (whole === null) return this.#belowMixed(segment, node);
    const [, operator, name = ""] = whole;
    if (operator === ";") return (this.#matrix ??= node);
    if (operator === "") {
      this.#hasEncodedSlash ||= acceptsSlash(parameterOf(name));
      return (this.#parameter ??= node);
    }
    const most = Math.max(parameterOf(name)?.segments ?? defaultMaxSegments, this.#several?.most ?? 0);
    this.#several = { most, node: this.#several?.node ?? node };
    return this.#several.node;
  }

  #belowMixed(segment: string, node: RouteNode<T>): RouteNode<T> {
    const pattern = patternOf(segment);
    const same = this.#mixed.find((each) => each.pattern.form === pattern.form);
    if (same !== undefined) return same.node;
    this.#mixed.push({ pattern, node });
    this.#mixed.sort((a, b) => b.pattern.weight - a.pattern.weight);
    return node;
  }

  #walkMixed(segment: string, on: WalkState): RouteTarget<T> | undefined {
    for (const { pattern, node } of this.#mixed) {
      const found = pattern.match(segment);
      const target = found === undefined ? undefined : walkWith(node, found, on);
      if (target !== undefined) return target;
    }
    return undefined;
  }

  /** Tries the fewest segments first. An encoded slash counts as a separator. */
  #walkSeveral(path: string, at: number, values: string[]): RouteTarget<T> | undefined {
    if (this.#several === undefined) return undefined;
    const { most, node } = this.#several;
    let end = at - 1;
    while (end < path.length) {
      const slash = path.indexOf("/", end + 1);
      end = slash === -1 ? path.length : slash;
      const value = path.slice(at, end);
      const parts = value.split(slashesIn);
      if (parts.length > most || !parts.every((part) => part !== "" && isPlain(part))) return undefined;
      const target = walkWith(node, [value], { path, next: end + 1, values });
      if (target !== undefined) return target;
    }
    return undefined;
  }
}

/** The end of a template: its operations. */
interface RouteEnd<T> {
  target: RouteTarget<T>;
  /** By method, for each parameter of the path: true if its value may have encoded slashes. */
  readonly slashes: Map<string, readonly boolean[]>;
}

function emptyEnd<T>(): RouteEnd<T> {
  return { target: targetOf(new Map()), slashes: new Map() };
}

/** The operations that accept these values: others on the same path may accept no encoded slash. */
function targetFor<T>(end: RouteEnd<T> | undefined, values: readonly string[]): RouteTarget<T> | undefined {
  if (end === undefined) return undefined;
  if (!values.some((value) => encodedSlash.test(value))) return end.target;
  const slashed = values.flatMap((value, index) => (encodedSlash.test(value) ? [index] : []));
  const accepts = ([method]: readonly [string, T]) =>
    slashed.every((index) => end.slashes.get(method)?.[index] === true);
  const methods = [...end.target.methods].filter(accepts);
  return methods.length === 0 ? undefined : targetOf(new Map(methods));
}

function targetOf<T>(methods: ReadonlyMap<string, T>): RouteTarget<T> {
  const allow = [...methods.keys(), ...(methods.has("GET") && !methods.has("HEAD") ? ["HEAD"] : [])];
  return { methods, methodError: { kind: "method", allow } };
}

function acceptsSlash(parameter: ReturnType<NewRoute<unknown>["parameter"]>): boolean {
  return parameter?.encodedSlash === true;
}

interface WalkState {
  readonly path: string;
  readonly next: number;
  readonly values: string[];
}

/** Removes the values if no route matches. */
function walkWith<T>(
  node: RouteNode<T>,
  added: readonly string[],
  { path, next, values }: WalkState,
): RouteTarget<T> | undefined {
  const before = values.length;
  values.push(...added);
  const target = node.walk(path, next, values);
  if (target === undefined) values.length = before;
  return target;
}

function getOrSet<T>(map: Map<string, T>, key: string, otherwise: T): T {
  const there = map.get(key) ?? otherwise;
  map.set(key, there);
  return there;
}

interface Pattern {
  /** The template without names. */
  readonly form: string;
  /** Number of literal characters. */
  readonly weight: number;
  match(segment: string): readonly string[] | undefined;
}

/** Parses `{id}.json`, `{from}...{to}`. Each parameter is the shortest non-empty text before the next literal. */
function patternOf(template: string): Pattern {
  const texts = template.split(/\{[^{}]*\}/);
  const isMatrix = [...template.matchAll(/\{(;?)/g)].map(([, operator]) => operator === ";");
  const [first = "", ...others] = texts;
  const last = others.at(-1) ?? "";
  const match = (segment: string) => {
    if (!segment.startsWith(first) || !segment.endsWith(last)) return undefined;
    const values: string[] = [];
    let at = first.length;
    for (const [index, text] of others.entries()) {
      const end = index === others.length - 1 ? segment.length - last.length : segment.indexOf(text, at + 1);
      if (end <= at) return undefined;
      const value = segment.slice(at, end);
      if (!isPlain(isMatrix[index] === true ? value.replaceAll(";", "") : value)) return undefined;
      values.push(value);
      at = end + text.length;
    }
    return values;
  };
  return { form: template.replaceAll(/\{(;?)[^{}]*\}/g, "{$1}"), weight: texts.join("").length, match };
}
