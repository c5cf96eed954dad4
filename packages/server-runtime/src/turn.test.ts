import { expect, it } from "vitest";
import { turnOf } from "./turn.js";
import { WebReceived } from "./web-received.js";

it("a context with additions keeps everything, and does not change the original", () => {
  const request = new Request("http://localhost/", { headers: { "x-a": "1" } });
  const turn = turnOf(new WebReceived(request, () => "192.0.2.1"), { operation: "get", requestId: "r", now: 5 });
  turn.caller = { user: "ann" };
  const call = turn.with({ database: "db" });
  expect([call.header("x-a"), call.header("x-b"), call.signal, call.address]).toEqual([
    "1",
    undefined,
    request.signal,
    "192.0.2.1",
  ]);
  expect({ ...call }).toEqual({
    operation: "get",
    requestId: "r",
    now: 5,
    caller: { user: "ann" },
    admission: { wanted: [] },
    database: "db",
  });
  expect("database" in turn).toBe(false);
});
