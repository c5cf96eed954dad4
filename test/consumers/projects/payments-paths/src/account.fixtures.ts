import { beforeAll, expect, test, vi } from "vitest";
import { client, must, type Model } from "./http.js";
import { charge, drop } from "./sync.js";

const balance: Model["Balance"] = {
  available: { EUR: 1200 }, // concerns: response-type-changed
  reserved: { EUR: { value: 5, currency: "EUR" } },
};
const card = { type: "card", last4: "4242", expires: "01/30" } satisfies Partial<Model["CardMethod"]>; // concerns: response-property-removed, response-type-changed
const hook = { url: "https://shop.example", events: ["payment.paid"], retries: { attempts: 50, backoff: "linear" }, secret: "s" };

beforeAll(() => vi.stubGlobal("fetch", async () => Response.json(balance)));

test("the balance has euros", async () => {
  const read = await must(client.GET("/balance")); // concerns: operation-deprecated
  expect(Object.values(read.available).map((cents) => cents.toFixed(0))).toEqual(["1200"]); // concerns: response-type-changed
  expect(read.as_of ?? "now").toBe("now"); // concerns: response-property-removed
  expect(read.reserved["EUR"]?.value).toBe(5);
});

test("payouts have a day", async () => {
  const { data } = await client.GET("/payouts", { params: { query: { currency: "EUR" } } }); // concerns: operation-moved, parameter-required-added
  const days = data?.map((payout) => payout.paid_on.slice(0, 10)); // concerns: response-property-optional
  expect(days).toEqual([]);
});

test("captures everything by default", async () => {
  const params = { path: { payment_id: "p1" } };
  await client.POST("/payments/{payment_id}/capture", { params }); // concerns: body-required
  await client.POST("/payments/{payment_id}/capture", { params, body: { amount: { value: 1, currency: "EUR" } } }); // concerns: request-property-required
  await client.POST("/payments/{payment_id}/capture", { params, body: { final: true } });
});

test("subscribes", async () => {
  const { data } = await client.POST("/webhooks", {
    body: {
      url: hook.url,
      events: ["payment.paid", "payment.failed"], // concerns: request-enum-value-removed
      retries: { attempts: 20, backoff: "exponential" }, // concerns: request-bound-tightened, request-property-removed
    },
  });
  expect(data?.secret.length).toBeGreaterThan(0); // concerns: response-property-optional
});

test("a wallet pays once", async () => {
  const id = await charge({ type: "wallet", wallet: "w" }, "k");
  expect(await drop(id)).toBeUndefined();
  expect(card.type).toBe("card");
});
