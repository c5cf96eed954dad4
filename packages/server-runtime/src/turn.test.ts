import { expect, it } from "vitest";
import { spreadable, turnOf } from "./turn.js";
import { WebReceived } from "./web-received.js";

it("a call can be spread, and keeps everything", () => {
  const request = new Request("http://localhost/", { headers: { "x-a": "1" } });
  const turn = turnOf(new WebReceived(request, () => "192.0.2.1"), { operation: "get", requestId: "r", now: 5 });
  turn.caller = { user: "ann" };
  const { header, signal, ...rest } = { ...spreadable(turn), database: "db" };
  expect([header("x-a"), header("x-b"), signal]).toEqual(["1", undefined, request.signal]);
  expect(rest).toEqual({
    operation: "get",
    requestId: "r",
    now: 5,
    caller: { user: "ann" },
    admission: { wanted: [] },
    address: "192.0.2.1",
    database: "db",
  });
});
