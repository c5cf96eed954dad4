import { expect, test } from "vitest";
import { serverPath } from "./server-path.js";

test.each([
  ["https://api.example.com", ""],
  ["https://api.example.com/", ""],
  ["https://api.example.com/v4/", "/v4"],
  ["/v4", "/v4"],
  ["v4", ""],
  ["https://api.example.com/c++/caf%C3%A9/ü", "/c++/caf%C3%A9/%C3%BC"],
  ["https://api.example.com/a b", "/a%20b"],
  ["https://{region}.example.com/v4", ""],
  ["https://api.example.com/a%2Fb", ""],
  ["https://api.example.com/a%E9", ""],
  ["https://api.example.com/a;b", ""],
  ["https://api.example.com/a//b", ""],
])("the path of %s", (url, path) => {
  expect(serverPath(url)).toBe(path);
});
