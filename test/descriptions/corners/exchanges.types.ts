// What the types of exchanges.yaml have to be.
import {
  createClient,
  emptyContent,
  getKinds,
  getReplies,
  getWildcard,
  mergePatch,
  onlyDefault,
  onlyHeaders,
  range,
  sendBytes,
  sendForm,
  sendParts,
  sendSeveral,
  sendText,
  type About,
  type Changed,
  type Credentials,
  type Edge,
  type Event,
  type GetRepliesError,
  type Node,
  type Problem,
  type RangeError,
  type Values,
} from "./client/src/index.js";
import type { RawBody, WithParts } from "@plumbline/client-runtime";
import { exactly } from "./exactly.js";

type Body<Call extends (client: never, request: never) => unknown> =
  NonNullable<Parameters<Call>[1]> extends { readonly body?: infer Given } ? Given : never;
type Reply<Call extends (...args: never[]) => unknown> = Awaited<ReturnType<Call>>;
type FailedWith<Failure, Status> = Extract<Failure, { readonly status: Status }> extends { readonly body: infer Given }
  ? Given
  : "impossible";

type Parts = { title: string; photo: Blob; more?: Blob[]; about?: About; tags?: string[] };
exactly<Body<typeof sendParts>, WithParts<Parts, "photo">>(true);
exactly<Body<typeof sendForm>, { name: string; tags?: string[]; commas?: number[]; about?: About; deep?: About }>(true);
exactly<Body<typeof sendText>, string | undefined>(true);
exactly<Reply<typeof sendText>, string>(true);
exactly<Body<typeof sendBytes>, RawBody>(true);
exactly<Reply<typeof sendBytes>, Blob>(true);
exactly<Body<typeof sendSeveral>, string | About>(true);
exactly<Reply<typeof sendSeveral>, About>(true);
exactly<Body<typeof mergePatch>, About>(true);
exactly<Reply<typeof getWildcard>, About>(true);
exactly<Reply<typeof getKinds>, About | string | undefined>(true);
exactly<Reply<typeof onlyHeaders>, undefined>(true);
exactly<Reply<typeof emptyContent>, undefined>(true);
exactly<Reply<typeof getReplies>, About | undefined>(true);
exactly<Reply<typeof onlyDefault>, About>(true);
exactly<Reply<typeof range>, About>(true);

exactly<FailedWith<GetRepliesError, 404>, string>(true);
exactly<FailedWith<GetRepliesError, 304>, unknown>(true);
exactly<Extract<GetRepliesError, { readonly body: Problem }>["status"] & (304 | 404), never>(true);
exactly<RangeError["status"] & (499 | 500 | 599), 500 | 599>(true);
exactly<RangeError["body"], Problem>(true);

exactly<
  Values,
  {
    text: string | null;
    maybe: Node | null;
    tag: "fixed";
    pair: [string, number];
    open: (string | number)[];
    list: string[] | string;
    conditional: { kind: "a" | "b"; a?: string; b?: string };
    dependent: { card?: string; address?: string };
    patterns: { [key: string]: string };
    sealed: Node;
    encoded: string;
    local: { deep: boolean };
    node: Node;
    many: string | number | boolean | Record<string, unknown> | unknown[] | null;
  }
>(true);
exactly<NonNullable<Node["edges"]>[number], Edge>(true);
exactly<Edge["to"], Node>(true);

// Nothing calls a callback or a webhook, but what they carry has a type where it has a name.
exactly<Event, { at: string }>(true);
exactly<Changed, { what: "about" }>(true);

exactly<keyof Credentials, "key" | "cookie" | "query" | "user" | "token">(true);
createClient({ credentials: { key: "k", cookie: "c", user: { user: "ada", password: "p" } } });
// @ts-expect-error a login is no text
createClient({ credentials: { user: "ada" } });
