import {
  type ArtifactOptions,
  code,
  docComment,
  emitPackageFiles,
  type GeneratedFile,
  importType,
  importValue,
  joinCode,
  jsonLiteral,
  printSourceFile,
  readTemplate,
  runtimeVersionRange,
  type TextFile,
} from "@plumbline/kit/codegen";
import { serverRuntime } from "@plumbline/kit/codegen/validation";
import type { Api } from "@plumbline/kit/model";
import { mockRuntime } from "./definition.js";

const readmeTemplate = readTemplate(new URL("../../templates/mock/readme.md.hbs", import.meta.url));

/** The server that a mock creates. */
export interface MockServer {
  /** The name of its package. */
  readonly server: string;
  /** Its options with functions of custom formats and keywords. */
  readonly customOptions: readonly string[];
}

/** Emits a publishable package. */
export function emitMockPackage(api: Api, options: ArtifactOptions, created: MockServer): readonly GeneratedFile[] {
  const { server } = created;
  return [
    ...emitPackageFiles(api, options, {
      description: (title) => `A stateful mock of the ${title}`,
      keyword: "mock",
      entries: { ".": "index" },
      dependencies: { [serverRuntime]: runtimeVersionRange },
      siblings: [server],
      index: indexText,
      readme: {
        template: readmeTemplate,
        data: { server, runtime: serverRuntime, url: exampleUrl(api), custom: created.customOptions.join(", ") },
      },
    }),
    emitMock(created),
  ];
}

/** The address of a read without parameters in its path. */
function exampleUrl({ servers, operations }: Api): string {
  const url = servers[0]?.url ?? "";
  const read = operations.find(({ method, path }) => method === "GET" && !path.includes("{"));
  return `${/^https?:/.test(url) ? url.replace(/\/$/, "") : "https://api.example.com"}${read?.path ?? "/"}`;
}

const indexText = `export { createMock, type Mock, type MockOptions } from "./gen/mock.js";
export {
  DroppedConnectionError,
  MockCapacityError,
  type InjectedError,
  type CallerAttributes,
  type MockSnapshot,
  type MockToken,
  type MockUser,
} from "${mockRuntime}";
`;

function emitMock({ server, customOptions }: MockServer): TextFile {
  const handlers = importType("Handlers", server);
  const isCustom = customOptions.length > 0;
  const names = joinCode(customOptions.map(jsonLiteral), code` | `);
  const required = isCustom ? code` & Pick<${importType("ServerOptions", server)}, ${names}>` : code``;
  const statements = [
    code`${docComment(["A running mock of the API."])}
export type Mock = ${importType("Mock", mockRuntime)}<${handlers}>;`,
    code`${docComment(["The users, the data, the clock, the handlers and the faults of a mock."])}
export type MockOptions = ${importType("MockOptions", mockRuntime)}<${handlers}>${required};`,
    code`${docComment([
      "Creates a mock: a server that does what the description says, in memory.",
      "",
      "@example",
      `const mock = createMock(${isCustom ? `{ ${customOptions.join(", ")} }` : ""});\nconst response = await mock.fetch(new Request(url));`,
    ])}
export function createMock(options: MockOptions${isCustom ? code`` : code` = {}`}): Mock {
  return ${importValue("createBaseMock", mockRuntime)}<${handlers}>(${importValue("definition", "./definition.js")}, ${importValue("createServer", server)}, options);
}`,
  ];
  return {
    path: "src/gen/mock.ts",
    text: printSourceFile(statements, ["Mock", "MockOptions", "createMock"]),
  };
}
