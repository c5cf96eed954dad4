import {
  createServer,
  errors,
  type BootInstanceReply,
  type BootInstanceRequest,
  type Call,
  type Caller,
  type CreateInstanceRequest,
  type Handlers,
  type Instance,
  type ListImagesRequest,
  type ListInstancesRequest,
  type PutImageDataRequest,
  type Resources,
  type ServerOptions,
} from "@cloud-compute/server";
import type { Refused, Visible } from "@plumbline/server-runtime";
import { describe, expectTypeOf, it } from "vitest";

declare const all: Handlers;
declare const options: ServerOptions;

interface Row extends Instance {
  readonly hash: string;
}

interface Rows extends Resources {
  readonly Instance: Row;
}

interface Context extends Call {
  readonly database: "open";
}

describe("handlers", () => {
  it("are all asked for, unless some are left out on purpose", () => {
    const whole = () => createServer(all, options);
    expectTypeOf(whole).returns.toHaveProperty("answer");
    // @ts-expect-error There is none for listRegions.
    void ((others: Omit<Handlers, "listRegions">) => createServer(others, options));
    // @ts-expect-error Nor where it has another name.
    void ((others: Omit<Handlers, "listRegions">) => createServer({ ...others, listRegion: all.listRegions }, options));
    const partly = () => createServer({ listRegions: all.listRegions }, { ...options, missing: "not-implemented" });
    expectTypeOf(partly).returns.toHaveProperty("answer");
    // @ts-expect-error There is no operation of that name.
    void (() => createServer({ listRegion: all.listRegions }, { ...options, missing: "not-implemented" }));
  });

  it("are given exact inputs", () => {
    expectTypeOf<BootInstanceRequest["path"]>().toEqualTypeOf<{ readonly computeId: number }>();
    expectTypeOf<BootInstanceRequest["target"]>().toEqualTypeOf<Instance>();
    expectTypeOf<BootInstanceRequest<Rows>["target"]>().toEqualTypeOf<Row>();
    expectTypeOf<ListInstancesRequest["query"]["page"]>().toEqualTypeOf<number>();
    expectTypeOf<ListInstancesRequest["visible"]>().toEqualTypeOf<Visible<number>>();
    expectTypeOf<ListImagesRequest["visible"]>().toEqualTypeOf<Visible<string>>();
    expectTypeOf<CreateInstanceRequest["body"]["booted"]>().toEqualTypeOf<boolean>();
    expectTypeOf<CreateInstanceRequest["refs"]["image"]>().toEqualTypeOf<Resources["Image"] | undefined>();
    expectTypeOf<PutImageDataRequest["body"]>().toEqualTypeOf<ReadableStream<Uint8Array>>();
    expectTypeOf<PutImageDataRequest["link"]>().toEqualTypeOf<Readonly<Record<string, string>>>();
  });

  it("know who calls, where nobody can be anonymous", () => {
    expectTypeOf<Parameters<Handlers["bootInstance"]>[1]["caller"]>().toEqualTypeOf<Caller>();
    expectTypeOf<Parameters<Handlers["listRegions"]>[1]["caller"]>().toEqualTypeOf<Caller | undefined>();
    expectTypeOf<Parameters<Handlers<Context>["bootInstance"]>[1]["database"]>().toEqualTypeOf<"open">();
  });

  it("give exact replies", () => {
    expectTypeOf<{
      readonly status: 200;
      readonly body: Readonly<Record<string, never>>;
    }>().toExtend<BootInstanceReply>();
    expectTypeOf<{ readonly status: 201; readonly body: object }>().not.toExtend<BootInstanceReply>();
    expectTypeOf<{ readonly status: 200 }>().not.toExtend<BootInstanceReply>();
    const wrong: Partial<Handlers> = {
      // @ts-expect-error An instance has more than an id.
      getInstance: () => ({ status: 200, body: { id: 1 } }),
      // @ts-expect-error A reply has a status.
      listRegions: () => ({ body: { data: [], page: 1, pages: 1, results: 0 } }),
    };
    expectTypeOf(wrong).toExtend<Partial<Handlers>>();
  });

  it("throw what is documented, and nothing that is not", () => {
    expectTypeOf(errors.tooManyClones).returns.toEqualTypeOf<Refused>();
    // @ts-expect-error There is no such failure.
    void (() => errors.tooManyBoots());
  });
});

describe("options", () => {
  it("say where a wider context comes from", () => {
    expectTypeOf<ServerOptions<Context>["transaction"]>().not.toBeNullable();
    expectTypeOf<ServerOptions["transaction"]>().extract<undefined>().toEqualTypeOf<undefined>();
  });

  it("say how everything is looked up, and whose it is", () => {
    expectTypeOf<keyof ServerOptions["resources"]["Instance"]>().toEqualTypeOf<"load" | "owner" | "states">();
    expectTypeOf<keyof ServerOptions["resources"]["Backup"]>().toEqualTypeOf<"load" | "parent">();
    expectTypeOf<keyof ServerOptions["resources"]["Region"]>().toEqualTypeOf<"load">();
    expectTypeOf<keyof ServerOptions["resources"]["Profile"]>().toEqualTypeOf<"own" | "states">();
    expectTypeOf<keyof ServerOptions["limits"]["unsettled"]>().toEqualTypeOf<"concurrent-clones">();
    expectTypeOf<keyof ServerOptions["authenticate"]>().toEqualTypeOf<"bearer">();
  });
});
