import {
  createServer,
  errors,
  type BootInstanceResponse,
  type BootInstanceHandlerInput,
  type RequestContext,
  type Caller,
  type CreateInstanceHandlerInput,
  type Handlers,
  type Instance,
  type ListImagesHandlerInput,
  type ListInstancesHandlerInput,
  type PutImageDataHandlerInput,
  type Resources,
  type ServerOptions,
} from "@cloud-compute/server";
import type { OperationError, ListScope } from "@plumbline/server-runtime";
import { describe, expectTypeOf, it } from "vitest";

declare const all: Handlers;
declare const options: ServerOptions;

interface Row extends Instance {
  readonly hash: string;
}

interface Rows extends Resources {
  readonly Instance: Row;
}

interface Context extends RequestContext {
  readonly database: "open";
}

describe("handlers", () => {
  it("are all required, unless some are omitted on purpose", () => {
    const whole = () => createServer(all, options);
    expectTypeOf(whole).returns.toHaveProperty("handle");
    // @ts-expect-error Missing handler of listRegions.
    void ((others: Omit<Handlers, "listRegions">) => createServer(others, options));
    // @ts-expect-error Nor where it has another name.
    void ((others: Omit<Handlers, "listRegions">) => createServer({ ...others, listRegion: all.listRegions }, options));
    const partly = () =>
      createServer({ listRegions: all.listRegions }, { ...options, missingHandlers: "not-implemented" });
    expectTypeOf(partly).returns.toHaveProperty("handle");
    // @ts-expect-error Unknown operation.
    void (() => createServer({ listRegion: all.listRegions }, { ...options, missingHandlers: "not-implemented" }));
  });

  it("receive exact inputs", () => {
    expectTypeOf<BootInstanceHandlerInput["path"]>().toEqualTypeOf<{ readonly computeId: number }>();
    expectTypeOf<BootInstanceHandlerInput["target"]>().toEqualTypeOf<Instance>();
    expectTypeOf<BootInstanceHandlerInput<Rows>["target"]>().toEqualTypeOf<Row>();
    expectTypeOf<ListInstancesHandlerInput["query"]["page"]>().toEqualTypeOf<number>();
    expectTypeOf<ListInstancesHandlerInput["listScope"]>().toEqualTypeOf<ListScope<number, "account">>();
    expectTypeOf<ListImagesHandlerInput["listScope"]>().toEqualTypeOf<ListScope<string, "account">>();
    expectTypeOf<CreateInstanceHandlerInput["body"]["booted"]>().toEqualTypeOf<boolean>();
    expectTypeOf<CreateInstanceHandlerInput["refs"]["image"]>().toEqualTypeOf<Resources["Image"] | undefined>();
    expectTypeOf<PutImageDataHandlerInput["body"]>().toEqualTypeOf<ReadableStream<Uint8Array>>();
    expectTypeOf<PutImageDataHandlerInput["route"]>().toEqualTypeOf<Readonly<Record<string, string>>>();
  });

  it("know the caller where the operation requires one", () => {
    expectTypeOf<Parameters<Handlers["bootInstance"]>[1]["caller"]>().toEqualTypeOf<Caller>();
    expectTypeOf<Parameters<Handlers["listRegions"]>[1]["caller"]>().toEqualTypeOf<Caller | undefined>();
    expectTypeOf<Parameters<Handlers<Context>["bootInstance"]>[1]["database"]>().toEqualTypeOf<"open">();
  });

  it("return exact responses", () => {
    expectTypeOf<{
      readonly status: 200;
      readonly body: Readonly<Record<string, never>>;
    }>().toExtend<BootInstanceResponse>();
    expectTypeOf<{ readonly status: 201; readonly body: object }>().not.toExtend<BootInstanceResponse>();
    expectTypeOf<{ readonly status: 200 }>().not.toExtend<BootInstanceResponse>();
    const wrong: Partial<Handlers> = {
      // @ts-expect-error An instance has more than an id.
      getInstance: () => ({ status: 200, body: { id: 1 } }),
      // @ts-expect-error A response has a status.
      listRegions: () => ({ body: { data: [], page: 1, pages: 1, results: 0 } }),
    };
    expectTypeOf(wrong).toExtend<Partial<Handlers>>();
  });

  it("throw documented errors only", () => {
    expectTypeOf(errors.tooManyClones).returns.toEqualTypeOf<OperationError>();
    // @ts-expect-error Unknown error.
    void (() => errors.tooManyBoots());
  });
});

describe("options", () => {
  it("require the source of a wider context", () => {
    expectTypeOf<ServerOptions<Context>["transaction"]>().not.toBeNullable();
    expectTypeOf<ServerOptions["transaction"]>().extract<undefined>().toEqualTypeOf<undefined>();
  });

  it("require every lookup, and every owner", () => {
    expectTypeOf<keyof ServerOptions["resources"]["Instance"]>().toEqualTypeOf<"load" | "owner" | "states">();
    expectTypeOf<keyof ServerOptions["resources"]["Backup"]>().toEqualTypeOf<"load" | "parent">();
    expectTypeOf<keyof ServerOptions["resources"]["Region"]>().toEqualTypeOf<"load">();
    expectTypeOf<keyof ServerOptions["resources"]["Profile"]>().toEqualTypeOf<"own" | "states">();
    expectTypeOf<keyof ServerOptions["limits"]["countInProgress"]>().toEqualTypeOf<"concurrent-clones">();
    expectTypeOf<keyof ServerOptions["authenticate"]>().toEqualTypeOf<"bearer">();
  });
});
