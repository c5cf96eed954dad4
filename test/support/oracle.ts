import { bundle, createConfig } from "@redocly/openapi-core";
import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { publishedDescription } from "./model.js";

/** An independent validator of the same description. */
export interface Oracle {
  /** Validates a body of the operation with this method and path. */
  readonly body: (method: string, path: string) => ValidateFunction;
  /** Validates the body of its success response. */
  readonly response: (method: string, path: string) => ValidateFunction;
  /** Validates a field of the body of that response. */
  readonly shown: (method: string, path: string, field: string) => ValidateFunction | undefined;
  /** Validates the value of a parameter. */
  readonly parameter: (method: string, path: string, name: string) => ValidateFunction;
}

type Node = Readonly<Record<string, unknown>>;

let oracle: Promise<Oracle> | undefined;

/** The oracle of our description. It compiles each schema once for all test files of a process. */
export function startOracle(): Promise<Oracle> {
  oracle ??= compileOracle();
  return oracle;
}

async function compileOracle(): Promise<Oracle> {
  const { bundle: bundled } = await bundle({ ref: publishedDescription, config: await createConfig({}) });
  const description = bundled.parsed as Node;
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    validateSchema: false,
    logger: false,
  });
  addFormats.default(ajv);
  ajv.addSchema(withoutReadOnly(description) as Node, "https://api.example/request");
  ajv.addSchema(description, "https://api.example/response");
  const known = new Map<string, ValidateFunction>();
  const compile = (form: "request" | "response", tokens: readonly string[]): ValidateFunction => {
    const $ref = `https://api.example/${form}#${tokens.map((token) => `/${encodeURIComponent(token.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")}`;
    const validate = known.get($ref) ?? ajv.compile({ $ref });
    known.set($ref, validate);
    return validate;
  };
  const follow = (
    node: unknown,
    tokens: readonly string[],
  ): { readonly node: Node; readonly tokens: readonly string[] } => {
    const { $ref } = node as { readonly $ref?: string };
    if ($ref === undefined) return { node: node as Node, tokens };
    const to = $ref
      .slice(2)
      .split("/")
      .map((token) => decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~"));
    return follow(at(description, to), to);
  };
  /** Where it is that a way leads, by any references on it. */
  const find = (way: readonly string[]): { readonly node: Node; readonly tokens: readonly string[] } =>
    way.reduce((from, token) => follow(from.node[token], [...from.tokens, token]), {
      node: description,
      tokens: [] as readonly string[],
    });
  const call = (method: string, path: string): readonly string[] => ["paths", path, method.toLowerCase()];
  const successOf = (method: string, path: string): readonly string[] => {
    const { responses } = find(call(method, path)).node as { readonly responses: Node };
    const status = Object.keys(responses).find((each) => each.startsWith("2")) ?? "";
    return [...find([...call(method, path), "responses", status, "content", "application/json"]).tokens, "schema"];
  };
  return {
    response: (method, path) => compile("response", successOf(method, path)),
    body: (method, path) =>
      compile("request", [
        ...find([...call(method, path), "requestBody", "content", "application/json"]).tokens,
        "schema",
      ]),
    shown: (method, path, field) => {
      const { node, tokens } = find(successOf(method, path));
      const { properties = {} } = node as { readonly properties?: Node };
      return Object.hasOwn(properties, field) ? compile("response", [...tokens, "properties", field]) : undefined;
    },
    parameter: (method, path, name) => {
      const own = call(method, path);
      for (const way of [own, own.slice(0, -1)]) {
        const { parameters = [] } = find(way).node as { readonly parameters?: readonly unknown[] };
        for (const index of parameters.keys()) {
          const { node, tokens } = find([...way, "parameters", String(index)]);
          if (node["name"] !== name) continue;
          return compile(
            "request",
            node["schema"] === undefined ? [...tokens, "content", "application/json", "schema"] : [...tokens, "schema"],
          );
        }
      }
      throw new Error(`${method} ${path} has no parameter ${name}`);
    },
  };
}

function at(description: Node, tokens: readonly string[]): unknown {
  return tokens.reduce<unknown>((node, token) => (node as Node)[token], description);
}

/** The part of each schema that requests have: without response-only fields. */
function withoutReadOnly(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutReadOnly);
  if (typeof node !== "object" || node === null) return node;
  const { properties, required } = node as {
    readonly properties?: Readonly<Record<string, Node>>;
    readonly required?: unknown;
  };
  const readOnly = new Set(
    Object.entries(properties ?? {}).flatMap(([name, schema]) => (schema?.["readOnly"] === true ? [name] : [])),
  );
  return Object.fromEntries(
    Object.entries(node).map(([key, value]: [string, unknown]) => {
      if (key === "required" && Array.isArray(required))
        return [key, required.filter((name: string) => !readOnly.has(name))];
      if (key !== "properties" || properties === undefined) return [key, withoutReadOnly(value)];
      const left = Object.entries(properties).filter(([name]) => !readOnly.has(name));
      return [key, Object.fromEntries(left.map(([name, schema]) => [name, withoutReadOnly(schema)]))];
    }),
  );
}
