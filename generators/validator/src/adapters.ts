import {
  generatedBanner,
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
} from "@plumbline/codegen";
import type { Api } from "@plumbline/model";
import { validatorRuntime } from "@plumbline/codegen/validation";

interface ValidatorAdapter {
  readonly file: string;
  readonly stem: string;
  readonly about: readonly string[];
}

/** The adapters. Each is an entry point of the runtime and of the generated package. */
export const validatorAdapters: readonly ValidatorAdapter[] = [
  describeAdapter(
    "node",
    "Node",
    "a plain `node:http` server",
    "createServer((request, response) => validate(request, response, (error) => …))",
  ),
  describeAdapter("express", "Express", "an Express app", 'app.use(validator({ basePath: "/v4" }))'),
  describeAdapter("fastify", "Fastify", "a Fastify app", 'await app.register(validator({ basePath: "/v4" }))'),
  describeAdapter("hono", "Hono", "a Hono app", 'app.use(validator({ basePath: "/v4" }))'),
  describeAdapter(
    "fetch",
    "Fetch",
    "a fetch-style handler",
    'export default { fetch: validator({ basePath: "/v4" })(handle) }',
  ),
];

/** Emits `express.ts` and the files of the other adapters: middleware that validates every operation. */
export function emitValidatorAdapters(api: Api): readonly TextFile[] {
  const union = joinCode(
    api.operations.map((operation) => jsonLiteral(operation.name)),
    code` | `,
  );
  const names = code`/** Every operation of the API, by name. */\nexport type OperationName = ${api.operations.length === 0 ? code`never` : union};`;
  return [
    { path: "src/gen/names.ts", text: printSourceFile([names], generatedBanner) },
    ...validatorAdapters.map(({ file, stem, about }) => ({
      path: `src/gen/${file}.ts`,
      text: printSourceFile(adapterStatements(api, { file, stem, about }), generatedBanner),
    })),
  ];
}

function adapterStatements(api: Api, { file, stem, about }: ValidatorAdapter): readonly Code[] {
  const from = `${validatorRuntime}/${file}`;
  const options = identifier(`${stem}ValidatorOptions`);
  const inherited = importType(`${stem}Options`, from);
  const responses = code`() => import("./responses.js").then((loaded) => loaded.responses)`;
  const format =
    api.problemDetails === undefined
      ? code``
      : code`errorFormat: ${importValue("toProblemDetails", validatorRuntime)}, `;
  return [
    code`export interface ${options} extends Omit<${inherited}, "operations" | "responseValidators"> {
  /** The operations to validate. Other requests pass unchanged. Default: all operations. */
  readonly operations?: readonly ${importType("OperationName", "./names.js")}[];
}`,
    code`${docComment(about)}
export function validator(options: ${options} = {}): ReturnType<typeof ${importValue(`${file}Validator`, from)}> {
  return ${importValue(`${file}Validator`, from)}(${importValue("operations", "./operations-table.js")}, { ${format}...options, responseValidators: ${responses} });
}`,
    code`export { inputOf } from ${jsonLiteral(validatorRuntime)};`,
  ];
}

function describeAdapter(file: string, stem: string, what: string, example: string): ValidatorAdapter {
  return { file, stem, about: [`Validates the requests of ${what}.`, "", "@example", example] };
}
