import {
  addScan,
  createClient,
  createLetter,
  describeLetters,
  getLetter,
  getScan,
  hasLetter,
  isApiError,
  listLetters,
  paginateList,
  replaceLetter,
  toResult,
  updateLetter,
  watchLetter,
  withResponse,
} from "@letters/client";
import { deleteLetterMutation } from "@letters/client/query";

/** Calls the API at a URL in each way. Returns a line for each call as JSON: the same in every consumer. */
export async function runScenario(baseUrl) {
  const lines = [];
  const report = (what, value) => lines.push(`${what}: ${JSON.stringify(value) ?? "nothing"}`);
  await callAll(baseUrl, report).catch((error) => report(`${error}`, `${error.cause}`));
  return JSON.stringify(lines);
}

async function callAll(baseUrl, report) {
  // A token that is a text, and nothing to wait for before the request: SWC once moved a read before its variable.
  const client = createClient({ baseUrl, token: "t" });
  const created = await withResponse(createLetter(client, { body: { text: "Dear Ann" } }));
  const path = { letterId: created.data.id };
  report(`POST ${created.status}`, created.data.text);
  report("GET", (await getLetter(client, { path })).text);
  report("HEAD", await hasLetter(client, { path }));
  report("PUT", (await replaceLetter(client, { path, body: { text: "Dear Bob" } })).text);
  report("PATCH", (await updateLetter(client, { path, body: { urgent: true } })).urgent);
  report("OPTIONS", await describeLetters(client));

  const waiting = createClient({
    baseUrl,
    token: async () => "t",
    onRequest: ({ headers }) => headers.set("x-a", "b"),
  });
  const file = new File(["a picture"], "a.png", { type: "image/png" });
  report("upload", await addScan(waiting, { path, body: { title: "Page 1", file } }));
  report("download", (await getScan(waiting, { path })).type);
  for await (const { data } of await watchLetter(waiting, { path })) report("stream", data);

  const letters = [path.letterId];
  for (const text of ["Dear Cid", "Dear Dan"]) letters.push((await createLetter(client, { body: { text } })).id);
  for await (const { text } of paginateList(listLetters, client)) report("page", text);
  for (const letterId of letters)
    report("DELETE", await deleteLetterMutation(client).mutationFn({ path: { letterId } }));

  const never = () => new Promise(() => {});
  const html = async () => new Response("<p>", { headers: { "content-type": "text/html" } });
  const errors = {
    // With a signal: React answers a repeated GET of one render from memory.
    "no letter": () => getLetter(client, { path }, { timeout: 60_000 }),
    "an invalid body": () => createLetter(client, { body: { text: "" } }),
    "no token": () => getLetter(createClient({ baseUrl }), { path }),
    "no server": () => getLetter(client, { path }, { baseUrl: "http://127.0.0.1:1" }),
    "no response": () => getLetter(client, { path }, { fetch: never, timeout: 1 }),
    "a signal": () => getLetter(client, { path }, { signal: AbortSignal.abort() }),
    "no JSON": () => getLetter(client, { path }, { fetch: html }),
    "no request": () => getLetter(client, { path: { letterId: Number.NaN } }),
  };
  for (const [why, call] of Object.entries(errors)) {
    const { error } = await toResult(call());
    report(why, isApiError(error) && [error.code, error.status, ...error.errors.map(({ reason }) => reason)]);
  }
}
