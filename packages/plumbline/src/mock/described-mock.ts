import type { ArtifactOptions } from "@plumbline/kit/codegen";
import { routePath } from "@plumbline/kit/codegen/validation";
import { type Api, inferResources, type Operation, serverPath } from "@plumbline/kit/model";
import type { HttpRequest, HttpResponse, Server } from "@plumbline/server-runtime";
import { buildRoutes, type Routes } from "@plumbline/server-runtime/http";
import type { Mock, MockOptions, MockSnapshot } from "@plumbline/server-runtime/mock";
import { controlsPath, serverWithControls } from "@plumbline/server-runtime/mock/controls";
import { carryState } from "./carried-state.js";
import { generateMock } from "./generate-mock.js";
import { groupOperations, type OperationGroup } from "./operation-groups.js";
import { checkResources, checkSeedData, type SeedData } from "./seed-data.js";

/** A mock of a description, which generates what requests need. */
export interface DescribedMock {
  readonly api: Api;
  /** Where the paths of the API begin, such as `/v4`. Empty: at the root. */
  readonly basePath: string;
  /** Returns the operation of a request; undefined if the API has none. */
  readonly operationOf: (method: string, target: string) => Operation | undefined;
  /** Whether the API has operations at a path. */
  readonly hasPath: (target: string) => boolean;
  /** Responds to a request. Rejects with a DiagnosticsError for operations that the generators reject. */
  readonly handle: (received: HttpRequest) => Promise<HttpResponse>;
  /** The state of everything that requests have reached. */
  readonly state: () => readonly MockSnapshot[];
}

export interface DescribedMockOptions {
  readonly locate: ArtifactOptions["locate"];
  readonly mock: MockOptions;
  /** Whether to serve controls below `/_mock`. All operations are then generated at once. Default: false. */
  readonly hasControls?: boolean;
  /** The state of the mock before a change of the description. What does not fit the new schemas is dropped. Default: none. */
  readonly previous?: readonly MockSnapshot[];
}

/** Above this number of operations, the mock generates each group of operations when its first request arrives. */
const maxEagerOperations = 150;

/** The description has operations where the controls are. */
export class ControlsPathError extends Error {
  override readonly name = "ControlsPathError";

  constructor(operation: string) {
    super(
      `The path of ${operation} begins with ${controlsPath}, as those of the controls. Serve it without --controls.`,
    );
  }
}

/**
 * Creates the mock of a model. A small API is generated at once, a large one when requests arrive.
 *
 * @throws SeedDataError for data that the description rejects, ControlsPathError for operations where the controls are, DiagnosticsError for
 *   what the generators reject.
 */
export async function createDescribedMock(
  api: Api,
  { locate, mock: options, hasControls = false, previous = [] }: DescribedMockOptions,
): Promise<DescribedMock> {
  const { data = {} } = options;
  const isEager = hasControls || api.operations.length <= maxEagerOperations;
  const groups = isEager ? [wholeGroup(api)] : groupOperations(api);
  checkResources(
    data,
    groups.flatMap(({ resources }) => resources),
  );
  const created = new Map<OperationGroup, Promise<CreatedMock>>();
  const mockOf = async (group: OperationGroup): Promise<CreatedMock> => {
    let making = created.get(group);
    if (making === undefined) created.set(group, (making = create(group)));
    return making;
  };
  const create = async (group: OperationGroup): Promise<CreatedMock> => {
    const groupData = dataOf(data, group);
    const withChecks = previous.length > 0 || Object.keys(groupData).length > 0;
    const generated = await generateMock(group.api(), { locate, withChecks });
    checkSeedData(generated, groupData);
    const mock = generated.createMock({ ...options, data: groupData });
    const before = previous.find(({ store }) =>
      store.objects.some(({ resource }) => group.resources.includes(resource)),
    );
    if (before !== undefined) mock.restore(carryState(before, generated));
    return { mock, server: hasControls ? serverWithControls(mock) : mock.server };
  };
  const [first] = groups;
  if (isEager && first !== undefined) await mockOf(first);
  // What is wrong with the data is reported at the start.
  for (const group of groups) if (Object.keys(dataOf(data, group)).length > 0) await mockOf(group);
  const basePaths = api.servers.length === 0 ? [""] : api.servers.map(({ url }) => serverPath(url));
  if (hasControls) checkPaths(api, basePaths);
  const routes = routesOf(groups, basePaths);
  const mocks = new Set<Mock>();
  return {
    api,
    basePath: basePaths[0] ?? "",
    operationOf: (method, target) => {
      const match = routes.find(method, target);
      return match?.kind === "route" ? match.route.operation : undefined;
    },
    hasPath: (target) => (routes.find("GET", target)?.kind ?? "path") !== "path",
    handle: async (received) => {
      const group = (isEager ? undefined : groupOf(received, routes)) ?? first;
      if (group === undefined) return noOperations;
      const { mock, server } = await mockOf(group);
      mocks.add(mock);
      return server.handle(received) ?? server.notFound(received);
    },
    state: () => [...mocks].map((mock) => mock.snapshot()),
  };
}

interface CreatedMock {
  readonly mock: Mock;
  readonly server: Server;
}

const noOperations: HttpResponse = {
  status: 404,
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ title: "The description has no operations." }),
};

function wholeGroup(api: Api): OperationGroup {
  const { resources } = api.resources.length > 0 ? api : inferResources(api).api;
  return { operations: api.operations, resources: resources.map(({ name }) => name), api: () => api };
}

interface GroupRoute {
  readonly operation: Operation;
  readonly group: OperationGroup;
  readonly definition: Pick<Operation, "method" | "path" | "parameters">;
}

function routesOf(groups: readonly OperationGroup[], basePaths: readonly string[]): Routes<GroupRoute> {
  const routes = groups.flatMap((group) =>
    group.operations.map((operation): GroupRoute => {
      const { method, parameters } = operation;
      return { operation, group, definition: { method, path: routePath(operation), parameters } };
    }),
  );
  return buildRoutes(routes, [...new Set(basePaths)]);
}

/** The group of the operation; of another one with the same path, whose server responds to the wrong method. */
function groupOf({ method, target }: HttpRequest, routes: Routes<GroupRoute>): OperationGroup | undefined {
  const match = routes.find(method, target);
  if (match?.kind !== "method") return match?.kind === "route" ? match.route.group : undefined;
  const other = routes.find(match.allow[0] ?? "GET", target);
  return other?.kind === "route" ? other.route.group : undefined;
}

function checkPaths({ operations }: Api, basePaths: readonly string[]): void {
  const collides = (path: string): boolean =>
    basePaths.some((base) => `${base}${path}/`.startsWith(`${controlsPath}/`));
  const operation = operations.find(({ path }) => collides(path));
  if (operation !== undefined) throw new ControlsPathError(operation.name);
}

function dataOf(data: SeedData, { resources }: OperationGroup): SeedData {
  return Object.fromEntries(Object.entries(data).filter(([resource]) => resources.includes(resource)));
}
