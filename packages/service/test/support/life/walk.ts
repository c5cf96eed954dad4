import * as api from "@cloud-compute/client";
import { isApiError, type ApiError, type CallOptions, type Client } from "@cloud-compute/client";
import * as controls from "../../../src/testing/index.js";
import type { Program } from "../program.js";
import type { Random } from "../random.js";
import type { Tally } from "./tally.js";

/** A user of the service, and their token. */
export interface Person {
  readonly username: string;
  readonly account: string;
  readonly restricted: boolean;
  token: string;
  /** The secret for two-factor codes, if there is one. */
  secret: string | undefined;
}

/** An action of a person, which may depend on existing objects. */
export type Act = (walk: Walk) => Promise<unknown>;

/** The names under which the clients export their operations: the functions of all of them have one name. */
const names = new Map<unknown, string>(
  [...Object.entries(controls), ...Object.entries(api)].map(([name, value]) => [value, name]),
);

function nameOf(operation: unknown): string {
  const name = names.get(operation);
  if (name === undefined) throw new Error("A client exports no such operation.");
  return name;
}

/** An operation of a generated client. */
type Operation<Request, Data> = (client: Client, request: Request, options?: CallOptions) => PromiseLike<Data>;

export interface Walking {
  readonly program: Program;
  readonly person: Person;
  readonly random: Random;
  readonly tally: Tally;
  /** Objects that other people have seen, so that this person requests them, too. */
  readonly seen: Seen;
  /** The nameserver that transfers zones. */
  readonly nameserver: string;
}

export interface Seen {
  instances: readonly api.Instance[];
  domains: readonly api.Domain[];
  clusters: readonly api.Cluster[];
  images: readonly api.Image[];
  /** Upload addresses, the newest last. */
  readonly uploads: string[];
}

/** A person who acts step by step. Rejections are normal, and unexpected outcomes are recorded. */
export class Walk {
  readonly random: Random;
  readonly person: Person;
  readonly seen: Seen;
  readonly nameserver: string;
  readonly #program: Program;
  readonly #tally: Tally;
  #client: Client;

  constructor({ program, person, random, tally, seen, nameserver }: Walking) {
    this.random = random;
    this.person = person;
    this.seen = seen;
    this.nameserver = nameserver;
    this.#program = program;
    this.#tally = tally;
    this.#client = program.as(person.token);
  }

  /** Whether a random event happens, with a probability in percent. */
  chance(percent: number): boolean {
    return this.random.below(100) < percent;
  }

  /** A random item. Undefined for an empty list. */
  some<T>(of: readonly T[]): T | undefined {
    return of.length === 0 ? undefined : this.random.one(of);
  }

  /** Sends a request. Returns the data of the response, or undefined for an error. */
  async ask<Request, Data>(operation: Operation<Request, Data>, request: Request): Promise<Data | undefined> {
    const answer = await this.#sent(nameOf(operation), request, () =>
      operation(this.#client, request, { timeout: patience }),
    );
    if (answer.status === 401) await this.#newToken();
    return answer.data;
  }

  /** The same for the test controls, without a time limit. */
  async control<Request, Data>(
    operation: (client: controls.Client, request: Request) => PromiseLike<Data>,
    request: Request,
  ): Promise<Data | undefined> {
    const name = `controls: ${nameOf(operation)}`;
    return (await this.#sent(name, request, () => operation(this.#program.controls, request))).data;
  }

  /** Sends data to the address of an image, which may come from an earlier start of the program. */
  async put(address: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const here = new URL(new URL(address).pathname, this.#program.url);
    const send = () => fetch(here, { method: "PUT", body, headers: { "content-type": "application/octet-stream" } });
    await this.#sent("putImageData", body.length, async () => {
      const response = await send();
      await response.text();
      if (!response.ok) throw Object.assign(new Error("rejected"), { status: response.status });
    });
  }

  /** Starts sending data, and aborts. */
  async cut(address: string, body: Uint8Array<ArrayBuffer>): Promise<void> {
    const here = new URL(new URL(address).pathname, this.#program.url);
    const stop = new AbortController();
    const stream = new ReadableStream<Uint8Array>({
      start: (sink) => sink.enqueue(body),
      // The data were taken, and more are asked for.
      pull: () => stop.abort(),
    });
    const init = { method: "PUT", body: stream, signal: stop.signal, duplex: "half" } as const;
    await fetch(here, init).then(
      (response) => response.text(),
      () => {},
    );
  }

  async instances(): Promise<readonly api.Instance[]> {
    return this.#known("instances", () => this.ask(api.listInstances, all));
  }

  async domains(): Promise<readonly api.Domain[]> {
    return this.#known("domains", () => this.ask(api.listDomains, all));
  }

  async clusters(): Promise<readonly api.Cluster[]> {
    return this.#known("clusters", () => this.ask(api.listClusters, all));
  }

  /** Private images. */
  async images(): Promise<readonly api.Image[]> {
    return this.#known("images", async () => {
      const listed = await this.ask(api.listImages, all);
      return listed && { data: listed.data.filter(({ is_public: isPublic }) => !isPublic) };
    });
  }

  async instance(): Promise<number | undefined> {
    return this.some(await this.instances())?.id;
  }

  /** Existing objects: a current list, or now and then an earlier one, perhaps of another account. */
  async #known<Name extends "instances" | "domains" | "clusters" | "images">(
    name: Name,
    list: () => Promise<{ readonly data: Seen[Name] } | undefined>,
  ): Promise<Seen[Name]> {
    if (this.chance(10)) return this.seen[name];
    const listed = await list();
    if (listed === undefined) return [];
    this.seen[name] = listed.data;
    return listed.data;
  }

  async #newToken(): Promise<void> {
    const made = await this.control(controls.createUserToken, { path: { username: this.person.username }, body: {} });
    if (made === undefined) return;
    this.person.token = made.token;
    this.#client = this.#program.as(made.token);
  }

  async #sent<Data>(
    name: string,
    request: unknown,
    send: () => PromiseLike<Data>,
  ): Promise<{ readonly data?: Data; readonly status?: number }> {
    const began = performance.now();
    try {
      const data = await send();
      this.#tally.done(name, performance.now() - began);
      return { data };
    } catch (error) {
      // Without a response the status is missing or 0.
      const status = (error as { readonly status?: number }).status || undefined;
      const reported = { status, why: whyOf(error), took: performance.now() - began, request };
      this.#tally.rejected(name, reported);
      return status === undefined ? {} : { status };
    }
  }
}

function whyOf(error: unknown): string {
  if (!isApiError(error)) return String(error);
  const { code, errors } = error as ApiError & { readonly errors?: readonly { readonly reason: string }[] };
  return code === "http" ? (errors ?? []).map(({ reason }) => reason).join("; ") : `${code}: ${String(error.cause)}`;
}

/** The longest page. */
export const all = { query: { page_size: 500 } } as const;

/** Milliseconds before a request is aborted. The tally reports shorter ones that are still too long. */
const patience = 240_000;
