import {
  createClient,
  type CallError,
  type Client,
  type GetInstanceError,
  type Instance,
  type ListTagsError,
  type TagPage,
  type UpdateInstanceError,
} from "@cloud-compute/client";
import {
  changedBy,
  createTagMutation,
  deleteTagMutation,
  getImageQuery,
  getInstanceQuery,
  listInstancesQuery,
  listTagsInfiniteQuery,
  listTagsQuery,
  swr,
  swrInfinite,
  swrMutation,
  updateInstanceMutation,
} from "@cloud-compute/client/query";
import {
  InfiniteQueryObserver,
  QueryClient,
  QueryClientProvider,
  infiniteQueryOptions,
  mutationOptions,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { act, create, type ReactTestRenderer } from "react-test-renderer";
import useSWR, { SWRConfig, useSWRConfig } from "swr";
import useSWRInfinite from "swr/infinite";
import useSWRMutation from "swr/mutation";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { startServiceInProcess } from "../support/service-in-process.js";

interface Sent {
  readonly client: Client;
  /** Each request so far, as `GET /tags`. */
  readonly requests: string[];
}

/** A client of the reference service. */
async function start(): Promise<Sent> {
  const { url, token } = await startServiceInProcess([]);
  const requests: string[] = [];
  const onRequest = ({
    method,
    operation,
  }: {
    readonly method: string;
    readonly operation: { readonly path: string };
  }) => void requests.push(`${method} ${operation.path}`);
  return { client: createClient({ baseUrl: url, token, onRequest }), requests };
}

/** Calls a hook in a component until the test ends. Returns what it returned last, each time. */
async function render<T>(
  hook: () => T,
  wrap: (props: { readonly children?: ReactNode }) => ReactNode,
): Promise<() => T> {
  let last: T | undefined;
  const Component = (): ReactNode => {
    last = hook();
    return null;
  };
  const element = createElement(wrap, {}, createElement(Component));
  const rendered: ReactTestRenderer[] = [];
  await perform(async () => rendered.push(create(element)));
  onTestFinished(() => perform(async () => rendered[0]?.unmount()));
  return () => last as T;
}

/** Does something that may change components. */
async function perform(action: () => Promise<unknown>): Promise<void> {
  await act(async () => {
    await action();
  });
}

/** Waits, while components may change, until a condition holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await perform(() => new Promise((resolve) => setImmediate(resolve)));
}

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

function queryClientOf(): QueryClient {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  onTestFinished(() => queryClient.clear());
  return queryClient;
}

describe("TanStack Query", () => {
  it("shows data, and loads them again after a mutation", async () => {
    const { client, requests } = await start();
    const queryClient = queryClientOf();
    const hooks = await render(
      () => ({
        tags: useQuery(listTagsQuery(client)),
        instances: useQuery(listInstancesQuery(client)),
        creation: useMutation(createTagMutation(client)),
      }),
      ({ children }) => createElement(QueryClientProvider, { client: queryClient }, children),
    );
    await until(() => hooks().tags.isSuccess && hooks().instances.isSuccess);
    expect(hooks().tags.data?.data).toEqual([]);

    await perform(() => hooks().creation.mutateAsync({ body: { label: "blue" } }));
    await until(() => hooks().tags.data?.data.length === 1);
    expect(hooks().tags.data?.data.map(({ label }) => label)).toEqual(["blue"]);
    // Instances have not changed.
    expect(requests.filter((each) => each.endsWith("/instances"))).toHaveLength(1);
    expect(requests.filter((each) => each === "GET /tags")).toHaveLength(2);
  });

  it("also loads them again after an error", async () => {
    const { client, requests } = await start();
    const queryClient = queryClientOf();
    const { queryKey } = listTagsQuery(client);
    await queryClient.fetchQuery(listTagsQuery(client));
    expect(queryClient.getQueryState(queryKey)).toMatchObject({ isInvalidated: false });
    const mutation = queryClient.getMutationCache().build(queryClient, deleteTagMutation(client));
    await expect(mutation.execute({ path: { label: "unknown" } })).rejects.toMatchObject({ status: 404 });
    expect(queryClient.getQueryState(queryKey)).toMatchObject({ isInvalidated: true });
    expect(requests).toEqual(["GET /tags", "DELETE /tags/{label}"]);
  });

  it("loads pages", async () => {
    const { client } = await start();
    for (let count = 0; count < 60; count++)
      await createTagMutation(client).mutationFn({ body: { label: `tag-${count}` } });
    const observer = new InfiniteQueryObserver(
      queryClientOf(),
      listTagsInfiniteQuery(client, { query: { page_size: 25 } }),
    );
    onTestFinished(observer.subscribe(() => {}));
    await observer.refetch();
    while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
    expect(observer.getCurrentResult().data?.pages.map(({ data }) => data.length)).toEqual([25, 25, 10]);

    const second = new InfiniteQueryObserver(
      queryClientOf(),
      listTagsInfiniteQuery(client, { query: { page: 2, page_size: 25 } }),
    );
    onTestFinished(second.subscribe(() => {}));
    expect(await second.refetch()).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
    expect((await second.fetchPreviousPage()).data?.pageParams).toEqual([1, 2]);
  });

  it("cancels requests of queries that nothing shows", async () => {
    const { client } = await start();
    const queryClient = queryClientOf();
    let sent: (signal: AbortSignal | null | undefined) => void;
    const sending = new Promise<AbortSignal | null | undefined>((resolve) => (sent = resolve));
    const query = listTagsQuery(client, {}, { fetch: (_, init) => (sent(init?.signal), new Promise(() => {})) });
    const pending = expect(queryClient.fetchQuery(query)).rejects.toThrow("CancelledError");
    const signal = await sending;
    await queryClient.cancelQueries();
    expect(signal?.aborted).toBe(true);
    await pending;
  });

  it("has keys by package, resource, operation and request", async () => {
    const { client } = await start();
    expect(getImageQuery(client, { path: { imageId: "private/1" } }).queryKey).toEqual([
      "@cloud-compute/client",
      "Image",
      "getImage",
      { path: { imageId: "private/1" } },
    ]);
    const { meta, mutationKey } = updateInstanceMutation(client);
    expect(mutationKey).toEqual(["@cloud-compute/client", "updateInstance"]);
    expect(meta.invalidates).toEqual([
      ["@cloud-compute/client", "Event"],
      ["@cloud-compute/client", "Instance"],
    ]);
  });

  it("knows the types of data, errors and variables", () => {
    const types = (client: Client, queryClient: QueryClient): void => {
      const query = useQuery(getInstanceQuery(client, { path: { computeId: 5 } }));
      expectTypeOf(query.data).toEqualTypeOf<Instance | undefined>();
      expectTypeOf(query.error).toEqualTypeOf<CallError<GetInstanceError> | null>();
      // @ts-expect-error -- without a response, there is no body
      void query.error?.body.errors;
      const chosen = useQuery({ ...listTagsQuery(client), select: ({ data }) => data.length, enabled: false });
      expectTypeOf(chosen.data).toEqualTypeOf<number | undefined>();
      const mutation = useMutation({ ...updateInstanceMutation(client), onSuccess: ({ label }) => label });
      expectTypeOf(mutation.data).toEqualTypeOf<Instance | undefined>();
      expectTypeOf(mutation.error).toEqualTypeOf<CallError<UpdateInstanceError> | null>();
      // @ts-expect-error -- the body is missing
      mutation.mutate({ path: { computeId: 5 } });
      expectTypeOf(queryClient.getQueryData(queryOptions(listTagsQuery(client)).queryKey)).toEqualTypeOf<
        TagPage | undefined
      >();
      expectTypeOf(infiniteQueryOptions(listTagsInfiniteQuery(client)).initialPageParam).toEqualTypeOf<number>();
      const pages = useInfiniteQuery(listTagsInfiniteQuery(client));
      expectTypeOf(pages.error).toEqualTypeOf<CallError<ListTagsError> | null>();
      mutationOptions(createTagMutation(client));
    };
    expect(types).toBeTypeOf("function");
  });
});

describe("SWR", () => {
  const wrap = ({ children }: { readonly children?: ReactNode }): ReactNode =>
    createElement(
      SWRConfig,
      { value: { provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false } },
      children,
    );

  it("shows data, and loads them again after a mutation", async () => {
    const { client } = await start();
    const hooks = await render(
      () => ({
        tags: useSWR(...swr(listTagsQuery(client))),
        nothing: useSWR(...swr<Instance, unknown>(undefined)),
        creation: useSWRMutation(...swrMutation(createTagMutation(client))),
        mutate: useSWRConfig().mutate,
      }),
      wrap,
    );
    expectTypeOf(hooks().tags.data).toEqualTypeOf<TagPage | undefined>();
    await until(() => hooks().tags.data !== undefined);
    expect(hooks().nothing).toMatchObject({ data: undefined, isLoading: false });
    await perform(() => hooks().creation.trigger({ body: { label: "blue" } }));
    expect(hooks().tags.data?.data).toEqual([]);
    await perform(() => hooks().mutate(changedBy(updateInstanceMutation(client))));
    expect(hooks().tags.data?.data).toEqual([]);
    await perform(() => hooks().mutate(changedBy(createTagMutation(client))));
    expect(hooks().tags.data?.data.map(({ label }) => label)).toEqual(["blue"]);
  });

  it("loads pages", async () => {
    const { client } = await start();
    for (let count = 0; count < 30; count++)
      await createTagMutation(client).mutationFn({ body: { label: `tag-${count}` } });
    const hook = await render(
      () => useSWRInfinite(...swrInfinite(listTagsInfiniteQuery(client, { query: { page_size: 25 } }))),
      wrap,
    );
    expectTypeOf(hook().data).toEqualTypeOf<TagPage[] | undefined>();
    await until(() => hook().data !== undefined);
    await perform(() => hook().setSize(5));
    await until(() => hook().data?.length === 2);
    expect(hook().data?.map(({ data }) => data.length)).toEqual([25, 5]);
  });

  it("returns errors", async () => {
    const { client } = await start();
    const hook = await render(() => useSWR(...swr(getInstanceQuery(client, { path: { computeId: 999 } }))), wrap);
    await until(() => hook().error !== undefined);
    expect(hook().error).toMatchObject({ status: 404 });
  });
});
