import { expect, it } from "vitest";
import { registerToken } from "./credential-encoding.js";
import { createSecretRegistry } from "./secrets.js";

it("redacts a token in every part of a request", () => {
  const secrets = createSecretRegistry();
  registerToken("user:a secret", "TOKEN", secrets);
  registerToken({ key: "another secret", app: "short" }, "OTHER_ACCOUNT_TOKEN", secrets);
  const basic = Buffer.from("user:a secret").toString("base64");
  expect(secrets.header("authorization", `Basic ${basic}`)).toBe("Basic $TOKEN");
  expect(secrets.header("authorization", "Bearer another secret")).toBe("Bearer $OTHER_ACCOUNT_TOKEN_1");
  expect(secrets.header("authorization", "Basic of-another")).toBe("Basic $SECRET");
  expect(secrets.header("x-api-key", "short")).toBe("$OTHER_ACCOUNT_TOKEN_2");
  expect(secrets.header("x-api-key", "unknown")).toBe("$SECRET");
  expect(secrets.header("cookie", "one=short; two=x")).toBe("one=$OTHER_ACCOUNT_TOKEN_2; two=$SECRET");
  expect(secrets.text("https://api.example/?key=another%20secret&q=short")).toBe(
    "https://api.example/?key=$OTHER_ACCOUNT_TOKEN_1&q=short",
  );
});

it("takes one-time codes out of a body, whatever their length", () => {
  const secrets = createSecretRegistry();
  expect(secrets.body('{"otp_code":"031764","tfa_code":"213456","iso_code":"US"}')).toBe(
    '{"otp_code":"$SECRET","tfa_code":"$SECRET","iso_code":"US"}',
  );
});
