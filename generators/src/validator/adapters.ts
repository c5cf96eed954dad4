import {
  type TextFile,
  code,
  docComment,
  importValue,
  joinCode,
  jsonLiteral,
  identifier,
  printSourceFile,
  importType,
  type Code,
} from "@plumbline/kit/codegen";
import { customRuntime, hasResponseHeaders, validatorRuntime } from "@plumbline/kit/codegen/validation";
import type { Api } from "@plumbline/kit/model";
import type { CustomNames } from "./custom-checks.js";
import { queryCredentials, requiredSchemes } from "./security.js";

interface ValidatorAdapter {
  readonly file: string;
  readonly stem: string;
  /** The type of what security handlers get, in the runtime. Undefined: a global one. */
  readonly request: string | undefined;
  readonly about: readonly string[];
}

/** The adapters. Each is an entry point of the runtime and of the generated package. */
export const validatorAdapters: readonly ValidatorAdapter[] = [
  describeAdapter(
    "node",
    "Node",
    "a plain `node:http` server",
    "createServer((request, response) => validate(request, response, (error) => …))",
    "NodeRequest",
  ),
  describeAdapter("express", "Express", "an Express app", 'app.use(validator({ basePath: "/v4" }))', "ExpressRequest"),
  describeAdapter(
    "fastify",
    "Fastify",
    "a Fastify app",
    'await app.register(validator({ basePath: "/v4" }))',
    "FastifyRequest",
  ),
  describeAdapter("hono", "Hono", "a Hono app", 'app.use(validator({ basePath: "/v4" }))', "HonoContext"),
  describeAdapter(
    "fetch",
    "Fetch",
    "a fetch-style handler",
    'export default { fetch: validator({ basePath: "/v4" })(handle) }',
  ),
];

/** Emits `express.ts` and the files of the other adapters: middleware that validates every operation. */
export function emitValidatorAdapters(api: Api, custom: CustomNames | undefined): readonly TextFile[] {
  const union = joinCode(
    api.operations.map((operation) => jsonLiteral(operation.name)),
    code` | `,
  );
  const names = code`/** Every operation of the API, by name. */\nexport type OperationName = ${api.operations.length === 0 ? code`never` : union};`;
  return [
    { path: "src/gen/names.ts", text: printSourceFile([names]) },
    ...validatorAdapters.map((adapter) => ({
      path: `src/gen/${adapter.file}.ts`,
      text: printSourceFile(adapterStatements(api, adapter, custom)),
    })),
  ];
}

function adapterStatements(
  api: Api,
  { file, stem, request, about }: ValidatorAdapter,
  custom: CustomNames | undefined,
): readonly Code[] {
  const from = `${validatorRuntime}/${file}`;
  const options = identifier(`${stem}ValidatorOptions`);
  const inherited = code`Omit<${importType(`${stem}Options`, from)}, ${importType("ProvidedOption", validatorRuntime)}>`;
  const create = importValue(`${file}Validator`, from);
  const operations = importValue("operations", "./operations-table.js");
  const responses = code`() => import("./responses.js").then((loaded) => loaded.responses)`;
  const format =
    api.problemDetails === undefined
      ? code``
      : code`errorFormat: ${importValue("toProblemDetails", validatorRuntime)}, `;
  const keys = queryCredentials(api);
  const headers = code`() => import("./response-headers.js").then((loaded) => loaded.responseHeaders)`;
  const isSecured = requiredSchemes(api).length > 0;
  const own = joinCode(
    [
      ...(hasResponseHeaders(api)
        ? [code`, responseHeaders: ${custom === undefined ? headers : code`bound.headers(${headers})`}`]
        : []),
      ...(keys.length === 0 ? [] : [code`, queryCredentials: ${jsonLiteral(keys)}`]),
      ...(isSecured
        ? [code`, securityCheck: () => import("./security.js").then((loaded) => loaded.securityCheck)`]
        : []),
    ],
    code``,
  );
  const bases =
    custom === undefined ? inherited : code`${inherited}, ${importType("CustomChecks", "./custom-checks.js")}`;
  const bind = code`${importValue("bindCustomChecks", customRuntime)}({ ${customOptions(custom)} }, ${importValue("customCheckNames", "./custom-checks.js")})`;
  const body =
    custom === undefined
      ? code`return ${create}(${operations}, { ${format}...options, responseValidators: ${responses}${own} });`
      : code`const { ${customOptions(custom)}, ...rest } = { ...options };
  const bound = ${bind};
  return ${create}(bound.operations(${operations}), { ${format}...rest, responseValidators: bound.responses(${responses})${own} });`;
  return [
    code`export interface ${options} extends ${bases} {
  /** The operations to validate. Other requests pass unchanged. Default: all operations. */
  readonly operations?: readonly ${importType("OperationName", "./names.js")}[];${isSecured ? securityMember(request, from) : code``}
}`,
    code`${docComment(about)}
export function validator(options: ${options}${custom === undefined ? code` = {}` : code``}): ReturnType<typeof ${create}> {
  ${body}
}`,
    inputOfExport(custom),
  ];
}

function securityMember(request: string | undefined, from: string): Code {
  const type = request === undefined ? code`Request` : importType(request, from);
  return code`
  /** Checks credentials, by security scheme, before anything of a request is validated: 401, 403. Default: credentials are not checked. */
  readonly security?: ${importType("SecurityHandlers", "./security.js")}<${type}> | undefined;`;
}

/** The options with functions, of which a validator has those that its description needs. */
function customOptions(custom: CustomNames | undefined): Code {
  const options = (["formats", "keywords"] as const).filter((option) => (custom?.[option] ?? []).length > 0);
  return joinCode(
    options.map((option) => identifier(option)),
    code`, `,
  );
}

/** Exports the `inputOf` that knows the operations of the validator. */
function inputOfExport(custom: CustomNames | undefined): Code {
  return custom === undefined
    ? code`export { inputOf } from ${jsonLiteral(validatorRuntime)};`
    : code`export { customInputOf as inputOf } from ${jsonLiteral(customRuntime)};`;
}

function describeAdapter(
  file: string,
  stem: string,
  what: string,
  example: string,
  request?: string,
): ValidatorAdapter {
  return { file, stem, request, about: [`Validates the requests of ${what}.`, "", "@example", example] };
}
