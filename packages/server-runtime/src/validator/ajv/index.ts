import type { ValidatorOptions } from "../../http/index.js";
import { expressValidator, type ExpressOptions, type ExpressValidator } from "../adapters/express/index.js";
import { fastifyValidator, type FastifyOptions, type FastifyValidator } from "../adapters/fastify/index.js";
import { fetchValidator, type FetchOptions } from "../adapters/fetch/index.js";
import { honoValidator, type HonoOptions, type HonoValidator } from "../adapters/hono/index.js";
import type { ProvidedOption } from "../adapters/known-options.js";
import { nodeValidator, type NodeOptions, type NodeValidator } from "../adapters/node/index.js";
import type { ResponseValidationOptions } from "../adapters/responses.js";
import { AjvCompiler, type Localizer } from "./ajv-compiler.js";
import { type AjvInstance, prepareAjv } from "./ajv-instance.js";
import { createAjvOperations, type AjvSource } from "./ajv-operations.js";

export { createNullRemover } from "./absent-nulls.js";
export { matchSlowPatterns } from "./slow-patterns.js";
export type { AjvError, AjvInstance, AjvValidate } from "./ajv-instance.js";
export type { AjvBodyRules, AjvSource } from "./ajv-operations.js";
export type { Localizer } from "./ajv-compiler.js";
export { replacedInputOf as ajvInputOf } from "../adapters/replaced-operations.js";
export type { ContentSchemas, JsonSchema, OperationSchemas } from "../schemas.js";
export type { FetchOptions, NodeOptions, HonoOptions, FastifyOptions, ExpressOptions };

export interface AjvOptions {
  /**
   * Writes messages into errors, such as `localize.de` of `ajv-i18n`. They become the reasons of issues. Pass `() => {}` for Ajv's own messages.
   *
   * @defaultValue the reasons of the compiled validator, except for messages of `ajv-errors` and of custom keywords
   */
  readonly localize?: Localizer;
}

/** Options of an adapter, with the names of the API's operations. */
export type AjvAdapterOptions<Options, Name extends string> = Omit<Options, Exclude<ProvidedOption, "security">> & {
  /** The operations to validate. Other requests pass unchanged. Default: all operations. */
  readonly operations?: readonly Name[];
};

/** A request validator on the user's own Ajv. Routing, decoding, limits, and the statuses 404, 405, 406, 413 and 415 are those of the compiled validator. */
export interface AjvValidator<Name extends string = string> {
  node(options?: AjvAdapterOptions<NodeOptions, Name>): NodeValidator;
  express(options?: AjvAdapterOptions<ExpressOptions, Name>): ExpressValidator;
  fastify(options?: AjvAdapterOptions<FastifyOptions, Name>): FastifyValidator;
  hono(options?: AjvAdapterOptions<HonoOptions, Name>): HonoValidator;
  fetch(options?: AjvAdapterOptions<FetchOptions, Name>): ReturnType<typeof fetchValidator>;
  /**
   * Compiles the schemas of requests, which otherwise happens at the first request of each operation.
   *
   * @param operations names of operations. Default: all
   * @throws TypeError for a schema that Ajv cannot compile
   */
  compile(operations?: readonly Name[]): void;
}

/**
 * Creates a request validator on an Ajv instance. Generated packages export a function with the source filled in.
 *
 * @param ajv an instance for JSON Schema 2020-12, with its formats and keywords
 * @param source the operations and schemas of the generated package
 * @throws TypeError if the instance does not know JSON Schema 2020-12
 */
export function createAjvValidator<Name extends string = string>(
  ajv: AjvInstance,
  source: AjvSource,
  { localize }: AjvOptions = {},
): AjvValidator<Name> {
  prepareAjv(ajv, source.formats);
  source.slowPatterns?.install(ajv);
  const compiler = new AjvCompiler(ajv, localize);
  const { operations, responses, compile } = createAjvOperations(source, compiler);
  const complete = <Options extends ValidatorOptions & ResponseValidationOptions>(
    options: AjvAdapterOptions<Options, Name> | undefined,
  ): Options => {
    const given = (options ?? {}) as Options;
    const own: Required<Pick<Options, "reason" | "responseValidators">> = {
      reason: (issue, detail) => given.reason?.(issue, detail) ?? compiler.messageOf(detail),
      responseValidators: () => Promise.resolve(responses),
    };
    return { ...given, ...source.security, ...own };
  };
  return {
    node: (options) => nodeValidator(operations, complete<NodeOptions>(options)),
    express: (options) => expressValidator(operations, complete<ExpressOptions>(options)),
    fastify: (options) => fastifyValidator(operations, complete<FastifyOptions>(options)),
    hono: (options) => honoValidator(operations, complete<HonoOptions>(options)),
    fetch: (options) => fetchValidator(operations, complete<FetchOptions>(options)),
    compile,
  };
}
