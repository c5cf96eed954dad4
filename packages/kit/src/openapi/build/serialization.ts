import {
  maxDeepLevels,
  mediaKind,
  valueKinds,
  type Api,
  type MediaTypeObject,
  type Operation,
  type Parameter,
  type ParameterLocation,
  type ParameterStyle,
  type Schema,
  type SourceRef,
  type ValueKinds,
} from "../../model/index.js";
import type { Description } from "../read/load.js";

/**
 * Settles how values are written where OpenAPI leaves it open, so that clients and servers of one description agree. Warns about that, and about
 * values that no request can carry.
 */
export function settleSerialization(
  api: Api,
  description: Pick<Description, "diagnostics" | "locate">,
): Pick<Api, "operations" | "operationsWithoutPath"> {
  const settler = new SerializationSettler(api, description);
  return {
    operations: api.operations.map((each) => settler.settle(each)),
    operationsWithoutPath: api.operationsWithoutPath.map((each) => settler.settle(each)),
  };
}

const overlay = "in an overlay where you cannot edit the description";
const asJson = `Describe it by "content: {application/json: …}" instead of "schema", ${overlay}.`;

class SerializationSettler {
  readonly #kinds: ValueKinds;
  readonly #isArrayFormChosen: boolean;
  readonly #description: Pick<Description, "diagnostics" | "locate">;
  /** Shared parameters are reported once. */
  readonly #reported = new Set<string>();
  /** Numbers of levels that schemas do not exceed. */
  readonly #levels = new Map<Schema, number>();

  constructor(api: Api, description: Pick<Description, "diagnostics" | "locate">) {
    this.#kinds = valueKinds(api);
    this.#isArrayFormChosen = api.nestedArrays !== undefined;
    this.#description = description;
  }

  settle(operation: Operation): Operation {
    const parameters = operation.parameters.map((each) => this.#parameter(each));
    this.#checkExplodedObjects(parameters);
    this.#checkSegments(operation);
    const { requestBody } = operation;
    if (requestBody === undefined) return { ...operation, parameters };
    return {
      ...operation,
      parameters,
      requestBody: { ...requestBody, contents: requestBody.contents.map((each) => this.#content(each)) },
    };
  }

  #parameter(parameter: Parameter): Parameter {
    const { in: place, name, schema, mediaType, origin } = parameter;
    if (parameter.style === "content") {
      const isText = mediaKind(mediaType ?? "") !== "json";
      if (isText && this.#hasMembers(schema))
        this.#warn(
          origin,
          `The ${nouns[place]} "${name}" is sent as text, which has no arrays or objects.`,
          `Describe it by "application/json", ${overlay}.`,
        );
      return parameter;
    }
    this.#checkNull(parameter);
    return { ...parameter, ...this.#written(parameter, `The ${nouns[place]} "${name}"`) };
  }

  #content(content: MediaTypeObject): MediaTypeObject {
    if (mediaKind(content.mediaType) !== "form") return content;
    const fields = new Map(this.#kinds.fieldsOf(content.schema));
    const encoding = Object.entries(content.encoding).map(([name, each]) => {
      const schema = fields.get(name);
      if (schema === undefined || (each.style === undefined && each.explode === undefined))
        return [name, each] as const;
      const { style = "form", explode = style === "form" } = each;
      const written = this.#written(
        { in: "query", schema, style, explode, origin: schema.origin },
        `The field "${name}"`,
        `Leave out its encoding to send it as JSON, ${overlay}.`,
      );
      return [name, { ...each, ...written }] as const;
    });
    return { ...content, encoding: Object.fromEntries(encoding) };
  }

  /** The style that can write the value: `deepObject` for what the stated style of a query cannot. */
  #written(
    { in: place, schema, style, explode, origin }: Pick<Parameter, "in" | "schema" | "style" | "explode" | "origin">,
    subject: string,
    fix = asJson,
  ): { readonly style: ParameterStyle; readonly explode: boolean } {
    const nesting = this.#kinds.nestingOf(schema);
    const isDeep = style === "deepObject";
    if (isDeep && this.#isDeeper(schema, maxDeepLevels))
      this.#warn(origin, `${subject} nests deeper than ${maxDeepLevels} levels, which servers do not read.`, fix);
    if (isDeep || nesting === "flat") return { style, explode };
    const repeatsNames = explode && (place === "query" || place === "cookie" || style === "matrix");
    if (nesting === "lists" && repeatsNames) return { style, explode };
    if (place !== "query") {
      this.#warn(
        origin,
        `${subject} cannot be sent: the style "${style}" writes no arrays or objects within others.`,
        asJson,
      );
      return { style, explode };
    }
    if (!this.#isArrayFormChosen)
      this.#warn(
        origin,
        `${subject} is sent in the style "deepObject": "${style}" writes no arrays or objects within others.`,
        `Write "style: deepObject", ${overlay}, or choose the form of arrays by "nestedArrays" in plumbline.yaml.`,
      );
    return { style: "deepObject", explode: true };
  }

  /** An exploded object has the names of its properties on the wire, where other parameters have theirs. */
  #checkExplodedObjects(parameters: readonly Parameter[]): void {
    const exploded = parameters.filter(
      ({ in: place, style, explode, schema }) =>
        (place === "query" || place === "cookie") &&
        explode &&
        style !== "deepObject" &&
        style !== "content" &&
        this.#kinds.has(schema, "object"),
    );
    const maps = new Set<ParameterLocation>();
    for (const parameter of exploded) {
      const { in: place, name, schema, origin } = parameter;
      const fields = this.#kinds.fieldsOf(schema).map(([field]) => field);
      const others = parameters.filter((each) => each !== parameter && each.in === place);
      const isTaken = (field: string): boolean =>
        others.some(
          (each) =>
            each.name === field ||
            (exploded.includes(each) && this.#kinds.fieldsOf(each.schema).some(([other]) => other === field)),
        );
      const conflict = fields.find(isTaken);
      const fix = `Write "explode: false"${place === "query" ? ' or "style: deepObject"' : ""}, ${overlay}.`;
      if (conflict !== undefined)
        this.#warn(
          origin,
          `The property "${conflict}" of "${name}" is sent by the name of another parameter, and read as that.`,
          fix,
        );
      if (this.#kinds.restOf(schema) === undefined) continue;
      if (maps.has(place))
        this.#warn(
          origin,
          `Nothing distinguishes the properties of "${name}" from those of another exploded object.`,
          fix,
        );
      maps.add(place);
    }
  }

  /** A segment is split at the text between two parameters. */
  #checkSegments({ path, parameters }: Operation): void {
    for (const [, first = "", text = "", second = ""] of path.matchAll(/\{([^{}]+)\}([^/{}]*)(?=\{([^{}]+)\})/g)) {
      const parameter = parameters.find((each) => each.in === "path" && each.name === first);
      if (parameter === undefined || (text !== "" && encodeURIComponent(text) !== text)) continue;
      if (text !== "" && !this.#kinds.mayContain(parameter.schema, text)) continue;
      this.#warn(
        parameter.origin,
        `A value of "${first}" ${text === "" ? "is not separated from that" : `that has "${text}" ends there, and the rest is read as the value`} of "${second}".`,
        text === ""
          ? `Separate the parameters in the path, ${overlay}.`
          : `State a "pattern" without "${text}", ${overlay}.`,
      );
    }
  }

  #checkNull({ in: place, name, required, schema, origin }: Parameter): void {
    const isList = this.#kinds.has(schema, "array");
    const allowsNull = (each: Schema): boolean => this.#kinds.scalarsOf(each).has("null");
    if (isList && allowsNull(this.#kinds.itemOf(schema)))
      this.#warn(origin, `A null within the ${nouns[place]} "${name}" cannot be sent.`, asJson);
    else if (required && allowsNull(schema))
      this.#warn(
        origin,
        `A null cannot be sent, and the ${nouns[place]} "${name}" is required.`,
        `Remove null from its types, ${overlay}.`,
      );
  }

  #hasMembers(schema: Schema): boolean {
    return this.#kinds.has(schema, "array") || this.#kinds.has(schema, "object");
  }

  #isDeeper(schema: Schema, levels: number): boolean {
    if (!this.#hasMembers(schema)) return false;
    if (levels === 0) return true;
    if ((this.#levels.get(schema) ?? Infinity) <= levels) return false;
    const inner = [
      ...(this.#kinds.has(schema, "array") ? [this.#kinds.itemOf(schema)] : []),
      ...(this.#kinds.has(schema, "object")
        ? [...this.#kinds.fieldsOf(schema).map(([, each]) => each), ...[this.#kinds.restOf(schema) ?? []].flat()]
        : []),
    ];
    if (inner.some((each) => this.#isDeeper(each, levels - 1))) return true;
    this.#levels.set(schema, levels);
    return false;
  }

  #warn(origin: SourceRef, message: string, fix: string): void {
    const key = [origin.file, origin.pointer, message].join("\n");
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#description.diagnostics.push({
      code: "unsupported/parameter",
      severity: "warning",
      origin: this.#description.locate(origin),
      message,
      fix,
    });
  }
}

const nouns = { path: "path parameter", query: "query parameter", header: "header", cookie: "cookie" } satisfies Record<
  ParameterLocation,
  string
>;
