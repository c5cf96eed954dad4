// A separate program, so that it runs on any Node: speed.js ROUNDS BUNDLE…
// Prints the microseconds of a call, by kind of response and bundle, as JSON.
import path from "node:path";
import { pathToFileURL } from "node:url";

type Fetch = () => Promise<Response>;

const [rounds = "1", ...files] = process.argv.slice(2);
const body = JSON.stringify({ id: 5, label: "web", tags: ["a", "b"], specs: { vcpus: 2, memory: 4096 } });
const bytes = new TextEncoder().encode(body);
const headers = new Headers({ "content-type": "application/json" });

/** Responses: one that fetch creates, or a minimal stub, with which every step of a client is visible. */
const replies: Readonly<Record<string, Fetch>> = {
  response: async () => new Response(body, { headers }),
  stub: async () => stub as unknown as Response,
};
const stub = {
  ok: true,
  status: 200,
  statusText: "OK",
  type: "basic",
  redirected: false,
  url: "",
  headers,
  body: {},
  bodyUsed: false,
  json: async () => JSON.parse(body) as unknown,
  text: async () => body,
  bytes: async () => bytes,
  arrayBuffer: async () => bytes.buffer,
  blob: async () => new Blob([bytes]),
  clone: () => stub,
};

// Before the clients are loaded: some keep the fetch that they find.
let answer: Fetch = replies["stub"] as Fetch;
globalThis.fetch = () => answer();

const calls: { readonly name: string; readonly call: (id: number) => Promise<unknown> }[] = [];
for (const file of files) {
  const { call } = (await import(pathToFileURL(file).href)) as { readonly call: (id: number) => Promise<unknown> };
  calls.push({ name: path.basename(file), call });
}

// Short turns, so that other load of the machine affects all alike; the first ones warm up the compiler of Node.
const callsPerRound = 200;
const warmUp = 20;
const found: Record<string, Record<string, number[]>> = {};
for (const [response, fetch] of Object.entries(replies)) {
  answer = fetch;
  const times = (found[response] = Object.fromEntries(calls.map(({ name }): [string, number[]] => [name, []])));
  for (let round = -warmUp; round < Number(rounds); round += 1) {
    for (const { name, call } of calls) {
      const started = performance.now();
      for (let id = 0; id < callsPerRound; id += 1) await call(id);
      const microseconds = ((performance.now() - started) * 1000) / callsPerRound;
      if (!JSON.stringify(await call(5)).includes('"label":"web"'))
        throw new Error(`${name} did not get the response.`);
      if (round >= 0) times[name]?.push(microseconds);
    }
  }
}
console.log(JSON.stringify(found));
