import {
  type ArtifactOptions,
  code,
  docComment,
  emitPackageFiles,
  type GeneratedFile,
  importType,
  importValue,
  printSourceFile,
  readTemplate,
  runtimeVersionRange,
  type TextFile,
} from "@plumbline/codegen";
import type { Api } from "@plumbline/model";
import { mockRuntime } from "./definition.js";

const readmeTemplate = readTemplate(new URL("../templates/readme.md.hbs", import.meta.url));

/** Emits a publishable package. */
export function emitMockPackage(api: Api, options: ArtifactOptions, server: string): readonly GeneratedFile[] {
  return [
    ...emitPackageFiles(api, options, {
      description: (title) => `A stateful mock of the ${title}`,
      keyword: "mock",
      entries: { ".": "index" },
      dependencies: {
        [mockRuntime]: runtimeVersionRange,
        "@plumbline/validator-runtime": runtimeVersionRange,
      },
      siblings: [server],
      index: indexText,
      readme: {
        template: readmeTemplate,
        data: { server, runtime: mockRuntime, url: exampleUrl(api) },
      },
    }),
    emitMock(server),
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
  type MockGrants,
  type MockSnapshot,
  type MockToken,
  type MockUser,
} from "${mockRuntime}";
`;

function emitMock(server: string): TextFile {
  const handlers = importType("Handlers", server);
  const statements = [
    code`${docComment(["A running mock of the API."])}
export type Mock = ${importType("Mock", mockRuntime)}<${handlers}>;`,
    code`${docComment(["The users, the data, the clock, the handlers and the faults of a mock."])}
export type MockOptions = ${importType("MockOptions", mockRuntime)}<${handlers}>;`,
    code`${docComment([
      "Creates a mock: a server that does what the description says, in memory.",
      "",
      "@example",
      "const mock = createMock();\nconst response = await mock.fetch(new Request(url));",
    ])}
export function createMock(options: MockOptions = {}): Mock {
  return ${importValue("createBaseMock", mockRuntime)}<${handlers}>(${importValue("definition", "./definition.js")}, ${importValue("createServer", server)}, options);
}`,
  ];
  return {
    path: "src/gen/mock.ts",
    text: printSourceFile(statements, ["Mock", "MockOptions", "createMock"]),
  };
}
