import { describe, expect, it } from "vitest";
import type { CaseResult } from "../results.js";
import { formatCurlCommand, formatCurlCommands, tokenVariable } from "./curl.js";
import { exampleExchange, exampleCase } from "./example-report.support.js";

const plain = { ids: new Map<string, string>(), headers: true };

function failing(exchanges: CaseResult["exchanges"], shownBy?: number): CaseResult {
  const difference = { message: "", expected: "", received: "", requirements: [] };
  return {
    case: exampleCase("notes/getNote/own"),
    status: "fail",
    missing: [],
    failures: [{ ...difference, ...(shownBy === undefined ? {} : { exchange: shownBy }) }],
    exchanges,
    requests: exchanges.length,
    durationMs: 1,
  };
}

const made = exampleExchange({
  method: "POST",
  url: "http://127.0.0.1:1/v1/notes",
  requestHeaders: { authorization: "Bearer $TOKEN", "content-type": "application/json" },
  requestBody: '{"title":"a"}',
  status: 201,
  body: '{"id":41}',
});

describe("a request as a curl command", () => {
  it("has the method, the address, headers and the body", () => {
    expect(formatCurlCommand(made, plain)).toBe(`curl -sS -i -X POST \\
  http://127.0.0.1:1/v1/notes \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  --data-raw '{"title":"a"}'`);
  });

  it("omits the method when it is curl's default", () => {
    expect(formatCurlCommand(exampleExchange({ requestHeaders: {} }), plain)).toBe(
      "curl -sS -i http://127.0.0.1:1/v1/notes/7",
    );
    expect(formatCurlCommand(exampleExchange({ requestHeaders: {}, method: "HEAD" }), plain)).toBe(
      "curl -sS -I http://127.0.0.1:1/v1/notes/7",
    );
  });

  it("omits headers that curl sends by itself", () => {
    const requestHeaders = { host: "127.0.0.1:1", "content-length": "3", connection: "keep-alive", "x-a": "b" };
    expect(formatCurlCommand(exampleExchange({ requestHeaders }), plain)).toBe(
      "curl -sS -i http://127.0.0.1:1/v1/notes/7 -H 'x-a: b'",
    );
  });

  it("sends no media type when the request had none", () => {
    const sent = exampleExchange({ method: "PUT", requestHeaders: {}, requestBody: "{" });
    expect(formatCurlCommand(sent, plain)).toBe(
      "curl -sS -i -X PUT http://127.0.0.1:1/v1/notes/7 -H 'Content-Type:' --data-raw '{'",
    );
  });

  it("keeps unusual addresses unchanged", () => {
    expect(
      formatCurlCommand(exampleExchange({ requestHeaders: {}, url: "http://127.0.0.1:1/v1/../x?a[]={1}" }), plain),
    ).toBe("curl -sS -i --path-as-is -g 'http://127.0.0.1:1/v1/../x?a[]={1}'");
  });

  it("puts a long body into a file", () => {
    const command = formatCurlCommand(exampleExchange({ method: "PUT", requestBody: "x".repeat(8001) }), plain);
    expect(command).toContain("# body.txt: the 8,001 characters");
    expect(command).toContain("--data-binary @body.txt");
    expect(formatCurlCommand(exampleExchange({ method: "PUT", requestBody: "x".repeat(8000) }), plain)).toContain(
      "--data-raw xxx",
    );
  });

  it("shows no token, even when the exchange has one", () => {
    const open = exampleExchange({
      caller: "a restricted user",
      requestHeaders: { Authorization: "Bearer 0123456789abcdef" },
    });
    expect(formatCurlCommand(open, plain)).toContain('-H "Authorization: Bearer $RESTRICTED_USER_TOKEN"');
    expect(formatCurlCommand(open, plain)).not.toContain("0123456789abcdef");
  });

  it("turns only the names of secrets into variables, in headers and bodies", () => {
    const sent = exampleExchange({
      method: "POST",
      requestHeaders: { authorization: "Basic $SECRET" },
      requestBody: '{"root_pass":"$SECRET","title":"$HOME","note":"$OTHER_ACCOUNT_TOKEN"}',
    });
    const command = formatCurlCommand(sent, plain);
    expect(command).toContain('-H "authorization: Basic $SECRET"');
    expect(command).toContain(
      `--data-raw '{"root_pass":"'"$SECRET"'","title":"$HOME","note":"'"$OTHER_ACCOUNT_TOKEN"'"}'`,
    );
  });
});

describe("the requests of a failure", () => {
  it("end with the failing request, and read the id from an earlier response", () => {
    const read = exampleExchange({ url: "http://127.0.0.1:1/v1/notes/41", status: 404 });
    const later = exampleExchange({ method: "DELETE", url: "http://127.0.0.1:1/v1/notes/41" });
    expect(formatCurlCommands(failing([made, read, later], 1))).toEqual([
      `ID1=$(curl -sS -X POST \\
  http://127.0.0.1:1/v1/notes \\
  -H "authorization: Bearer $TOKEN" \\
  -H 'content-type: application/json' \\
  --data-raw '{"title":"a"}' | tee /dev/stderr | jq -r .id)`,
      `curl -sS -i "http://127.0.0.1:1/v1/notes/$ID1" -H "authorization: Bearer $TOKEN"`,
    ]);
  });

  it("put the id into bodies, too", () => {
    const copied = exampleExchange({
      method: "POST",
      url: "http://127.0.0.1:1/v1/copies",
      requestHeaders: {},
      requestBody: '{"note_id":41,"size":41}',
    });
    expect(formatCurlCommands(failing([made, copied], 1))[1]).toContain(`--data-raw '{"note_id":'"$ID1"',"size":41}'`);
  });

  it("read ids from lists, several from one response, and keep ids of the request itself", () => {
    const list = exampleExchange({
      url: "http://127.0.0.1:1/v1/notes",
      body: '{"data":[{"id":5,"shelf":{"id":"s-9"}}],"page":1}',
    });
    const read = exampleExchange({ url: "http://127.0.0.1:1/v1/shelves/s-9/notes/5/7" });
    expect(formatCurlCommands(failing([list, read], 1))).toEqual([
      `RESPONSE1=$(curl -sS http://127.0.0.1:1/v1/notes -H "authorization: Bearer $TOKEN" | tee /dev/stderr)`,
      `ID1=$(printf %s "$RESPONSE1" | jq -r '.data[0].shelf.id')`,
      `ID2=$(printf %s "$RESPONSE1" | jq -r '.data[0].id')`,
      `curl -sS -i "http://127.0.0.1:1/v1/shelves/$ID1/notes/$ID2/7" -H "authorization: Bearer $TOKEN"`,
    ]);
  });

  it("read an id through several responses", () => {
    const list = exampleExchange({ url: "http://127.0.0.1:1/v1/shelves", body: '[{"id":3}]' });
    const shelf = exampleExchange({ url: "http://127.0.0.1:1/v1/shelves/3", body: '{"id":3,"note_id":8}' });
    const wrong = exampleExchange({ method: "DELETE", url: "http://127.0.0.1:1/v1/notes/8", status: 500 });
    expect(
      formatCurlCommands(failing([list, shelf, wrong], 2)).map((each) => each.replaceAll(/ -H "[^"]*"/g, "")),
    ).toEqual([
      `ID1=$(curl -sS http://127.0.0.1:1/v1/shelves | tee /dev/stderr | jq -r '.[0].id')`,
      `ID2=$(curl -sS "http://127.0.0.1:1/v1/shelves/$ID1" | tee /dev/stderr | jq -r .note_id)`,
      `curl -sS -i -X DELETE "http://127.0.0.1:1/v1/notes/$ID2"`,
    ]);
  });

  it("read a token that an earlier response has", () => {
    const token = exampleExchange({
      method: "POST",
      url: "http://127.0.0.1:1/v1/tokens",
      body: '{"id":6,"token":"$SCOPED_TOKEN"}',
    });
    const read = exampleExchange({ requestHeaders: { authorization: "Bearer $SCOPED_TOKEN" }, status: 401 });
    expect(formatCurlCommands(failing([token, read], 1))).toEqual([
      `SCOPED_TOKEN=$(curl -sS -X POST http://127.0.0.1:1/v1/tokens -H "authorization: Bearer $TOKEN" | tee /dev/stderr | jq -r .token)`,
      `curl -sS -i http://127.0.0.1:1/v1/notes/7 -H "authorization: Bearer $SCOPED_TOKEN"`,
    ]);
  });

  it("omit reads and repeated requests", () => {
    const look = exampleExchange({});
    const rejected = { ...made, status: 429, body: "{}" };
    expect(formatCurlCommands(failing([look, rejected, made, { ...look }], 3))).toHaveLength(2);
  });

  it("say where a secret comes from that reports do not show", () => {
    const login = { ...made, requestBody: '{"password":"$SECRET"}' };
    const [comment, ...commands] = formatCurlCommands(failing([login]));
    expect(comment).toContain("# SECRET: a secret of these requests");
    expect(commands).toHaveLength(1);
    expect(formatCurlCommands(failing([made]))).toHaveLength(1);
  });

  it("are complete when no exchange is marked as failing", () => {
    expect(formatCurlCommands(failing([made, exampleExchange({})]))).toHaveLength(2);
  });
});

it("names the token after the caller", () => {
  expect(["main", "other account", "the other account", "a restricted user (read_only)"].map(tokenVariable)).toEqual([
    "TOKEN",
    "OTHER_ACCOUNT_TOKEN",
    "OTHER_ACCOUNT_TOKEN",
    "RESTRICTED_USER_READ_ONLY_TOKEN",
  ]);
});
