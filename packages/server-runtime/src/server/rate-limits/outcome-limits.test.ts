import { describe, expect, it } from "vitest";
import { OperationError } from "../errors/errors.js";
import type { BaseServerOptions } from "../options.js";
import type { RequestContext } from "../request/request-context.js";
import { describeApi, createTestServer, type TestServer } from "../test-server.support.js";
import { createMemoryStore } from "./memory-store.js";

const known = {
  "wrong-code": { status: 400, field: "code", reason: "Wrong" },
  "no-code": { status: 400, field: "code", reason: "None" },
  "too-many": { status: 429, field: null, reason: "Too many" },
};

const guesses = { kind: "rate", id: "guesses", max: 3, windowSeconds: 60, error: "too-many" } as const;
const codes = { kind: "rate", id: "codes", max: 3, windowSeconds: 60, error: "no-code" } as const;
const texts = { kind: "rate", id: "texts", max: 2, windowSeconds: 60, error: "too-many" } as const;

const api = describeApi({
  lines: { login: "POST /login", verify: "POST /verify", send: "POST /send" },
  known,
  limits: {
    login: { outcomes: [{ limit: guesses, errors: ["wrong-code"], effects: [] }] },
    verify: { outcomes: [{ limit: codes, errors: ["wrong-code"], effects: [], isReached: true }] },
    send: {
      outcomes: [{ limit: texts, errors: [], effects: ["code-sent"] }],
      renewed: [{ limit: codes, effects: ["code-sent"] }],
    },
  },
});

interface Phone {
  readonly ask: TestServer["ask"];
  /** `status`, and the reason of an error. */
  guess(path: "login" | "verify", code: string, token?: string): Promise<string>;
  send(isNew: boolean, token?: string): Promise<number>;
  readonly log: TestServer["log"];
  /** The messages that were sent, and the codes that were invalidated. */
  readonly diary: string[];
}

function phone(given: BaseServerOptions = {}): Phone {
  const diary: string[] = [];
  const checkCode = ({ body }: Readonly<Record<string, unknown>>): unknown => {
    if ((body as { readonly code: string }).code !== "right") throw new OperationError("wrong-code");
    return { status: 200, body: {} };
  };
  const send = ({ body }: Readonly<Record<string, unknown>>): unknown => {
    const { isNew } = body as { readonly isNew: boolean };
    diary.push("sent");
    return { status: 200, body: {}, effects: isNew ? ["code-sent"] : [] };
  };
  const reached = {
    codes: (caller: { readonly user: unknown } | undefined) => diary.push(`void ${String(caller?.user)}`),
  };
  const { limits, ...rest } = given;
  const options: BaseServerOptions = { limits: { onReached: reached, ...limits }, ...rest };
  const { ask, log } = createTestServer(api, { login: checkCode, verify: checkCode, send }, options);
  return {
    ask,
    log,
    diary,
    guess: async (path, code, token = "ann") => {
      const { status, text } = await ask(`POST /v1/${path}`, { body: { code }, token });
      const { errors } = JSON.parse(text) as { readonly errors?: readonly { readonly reason: string }[] };
      return [status, ...(errors ?? []).map(({ reason }) => reason)].join(" ");
    },
    send: async (isNew, token = "ann") => (await ask("POST /v1/send", { body: { isNew }, token })).status,
  };
}

describe("a rate of wrong guesses", () => {
  it("counts only these, by user, until they leave the window", async () => {
    let now = 0;
    const { guess, ask } = phone({ clock: () => now });
    for (let each = 0; each < 9; each += 1) expect(await guess("login", "right")).toBe("200");
    for (let each = 0; each < 3; each += 1) expect(await guess("login", "wrong")).toBe("400 Wrong");
    now = 1;
    expect(await guess("login", "right")).toBe("429 Too many");
    expect((await ask("POST /v1/login", { body: { code: "right" } })).headers).toMatchObject({ "retry-after": "60" });
    expect(await guess("login", "right", "bob")).toBe("200");
    now = 60_000;
    expect(await guess("login", "right")).toBe("200");
  });

  it("allows the maximum of concurrent guesses", async () => {
    const { guess } = phone();
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess("login", "wrong")));
    expect(answers.toSorted()).toEqual([
      ...Array.from({ length: 3 }, () => "400 Wrong"),
      ...Array.from({ length: 17 }, () => "429 Too many"),
    ]);
  });

  it("is reached by the last allowed request, and restarts with a new secret", async () => {
    const { guess, send, diary } = phone();
    expect([await guess("verify", "wrong"), await guess("verify", "wrong")]).toEqual(["400 Wrong", "400 Wrong"]);
    expect(diary).toEqual([]);
    expect(await guess("verify", "wrong")).toBe("400 Wrong");
    expect(diary).toEqual(["void ann"]);
    expect(await guess("verify", "right")).toBe("400 None");
    expect(await guess("verify", "right", "bob")).toBe("200");
    await send(false);
    expect(await guess("verify", "right")).toBe("400 None");
    await send(true);
    expect(await guess("verify", "wrong")).toBe("400 Wrong");
    expect(await guess("verify", "right")).toBe("200");
  });

  it("has Retry-After only if waiting helps", async () => {
    const { guess, ask } = phone();
    for (let each = 0; each < 3; each += 1) await guess("verify", "wrong");
    expect((await ask("POST /v1/verify", { body: { code: "right" } })).headers).not.toHaveProperty("retry-after");
  });

  it("runs limits.onReached in a transaction of its own, and logs its errors", async () => {
    const begun: (number | undefined)[] = [];
    const transaction = <T>(_: RequestContext, run: (added: object) => Promise<T>): Promise<T> => {
      begun.push(begun.length);
      return run({ number: begun.length });
    };
    const reached = { codes: () => Promise.reject(new Error("no disk")) };
    const { guess, log } = phone({ transaction, limits: { onReached: reached } });
    for (let each = 0; each < 3; each += 1) expect(await guess("verify", "wrong")).toBe("400 Wrong");
    expect(begun).toHaveLength(4);
    expect(log.map(({ message }) => message)).toEqual(["no disk"]);
    expect(await guess("verify", "right")).toBe("400 None");
  });
});

describe("a rate of effects", () => {
  it("rejects only requests that would exceed it, and rolls them back", async () => {
    const kept: string[][] = [];
    const box: { diary: string[] } = { diary: [] };
    const transaction = async <T>(_: RequestContext, run: (added: object) => Promise<T>): Promise<T> => {
      const before = box.diary.length;
      try {
        return await run({});
      } catch (error) {
        box.diary.splice(before);
        throw error;
      } finally {
        kept.push([...box.diary]);
      }
    };
    const { send, diary } = phone({ transaction });
    box.diary = diary;
    expect([await send(false), await send(true), await send(false), await send(true)]).toEqual([200, 200, 200, 200]);
    expect(await send(true)).toBe(429);
    expect(diary).toHaveLength(4);
    expect(await send(false)).toBe(200);
    expect(await send(true, "bob")).toBe(200);
  });
});

describe("a store", () => {
  it("requires a store with undo", () => {
    const { consume } = createMemoryStore();
    expect(() => phone({ limits: { store: { consume } } })).toThrow(
      "Missing methods `undo` and `reset` of `limits.store`. A limit that counts requests by their outcome requires them.",
    );
  });

  it("removes the hit that was counted, and resets a key", () => {
    const store = createMemoryStore();
    const at = (now: number): boolean => store.consume({ key: "a", max: 2, windowSeconds: 10, now }).isAllowed;
    expect([at(0), at(4000), at(5000)]).toEqual([true, true, false]);
    store.undo({ key: "a", now: 0 });
    store.undo({ key: "unknown", now: 0 });
    expect([at(5000), at(10_000), at(14_000)]).toEqual([true, false, true]);
    store.reset("a");
    expect([at(14_000), at(14_000), at(14_000)]).toEqual([true, true, false]);
  });
});
