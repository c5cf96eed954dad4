import { banner } from "../emit/banner.js";
import type { TextFile } from "../emit/files.js";
import { code, comment, imported, join, literal, name, print, typeImported, type Code } from "../emit/printer.js";
import type { Api } from "../model/api.js";
import { runtime } from "../judging/runtime.js";

interface Host {
  readonly file: string;
  readonly stem: string;
  readonly about: readonly string[];
}

/** The adapters. Each is an entry point of the runtime and of the generated package. */
export const hosts: readonly Host[] = [
  host(
    "node",
    "Node",
    "a plain `node:http` server",
    "createServer((request, response) => validate(request, response, (error) => …))",
  ),
  host("express", "Express", "an Express app", 'app.use(validator({ basePath: "/v4" }))'),
  host("fastify", "Fastify", "a Fastify app", 'await app.register(validator({ basePath: "/v4" }))'),
  host("hono", "Hono", "a Hono app", 'app.use(validator({ basePath: "/v4" }))'),
  host("fetch", "Fetch", "a fetch-style handler", 'export default { fetch: validator({ basePath: "/v4" })(handle) }'),
];

/** Emits `express.ts` and the files of the other adapters: middleware that validates every operation. */
export function emitHosts(api: Api): readonly TextFile[] {
  const union = join(
    api.operations.map((operation) => literal(operation.name)),
    code` | `,
  );
  const names = code`/** Every operation of the API, by name. */\nexport type OperationName = ${api.operations.length === 0 ? code`never` : union};`;
  return [
    { path: "src/gen/names.ts", text: print([names], banner) },
    ...hosts.map(({ file, stem, about }) => ({
      path: `src/gen/${file}.ts`,
      text: print(hostStatements(file, stem, about), banner),
    })),
  ];
}

function hostStatements(file: string, stem: string, about: readonly string[]): readonly Code[] {
  const from = `${runtime}/${file}`;
  const options = name(`${stem}ValidatorOptions`);
  const inherited = typeImported(`${stem}Options`, from);
  const replies = code`() => import("./replies.js").then((loaded) => loaded.replies)`;
  return [
    code`export interface ${options} extends Omit<${inherited}, "operations" | "replies"> {
  /** The operations to validate. Other requests pass unchanged. Default: all operations. */
  readonly operations?: readonly ${typeImported("OperationName", "./names.js")}[];
}`,
    code`${comment(about)}
export function validator(options: ${options} = {}): ReturnType<typeof ${imported(`${file}Validator`, from)}> {
  return ${imported(`${file}Validator`, from)}(${imported("operations", "./table.js")}, { ...options, replies: ${replies} });
}`,
    code`export { inputOf } from ${literal(runtime)};`,
  ];
}

function host(file: string, stem: string, what: string, example: string): Host {
  return { file, stem, about: [`Validates the requests of ${what}.`, "", "@example", example] };
}
